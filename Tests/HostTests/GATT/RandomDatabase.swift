import BluethroatBluetoothValues
import BluethroatVirtualTime

@testable import BluethroatHost

/// Services nobody would think of.
struct RandomDatabase {
    private var random: SeededRandom
    private(set) var services: [ServiceDefinition] = []
    private var next = 1

    init(seed: UInt64) {
        random = SeededRandom(seed: seed, purpose: "random database")
        for _ in 0...number(below: 12) { services.append(makeService()) }
        // Includes come last, when all services have their handles.
        for index in services.indices where number(below: 3) == 0 {
            for slot in 0...number(below: 2) {
                guard
                    let handle = services[index].includes.indices.contains(slot)
                        ? services[number(below: services.count)].handle : nil
                else { continue }
                services[index].includes[slot].target = .handle(handle)
            }
        }
    }

    private mutating func number(below bound: Int) -> Int { Int(random.next(below: UInt64(bound))) }

    private mutating func uuid() -> BluetoothUUID {
        switch number(below: 4) {
        case 0: BluetoothUUID(high: random.next(), low: random.next())
        // Few, so that some come more than once.
        case 1: BluetoothUUID(UInt16(0xF000 + number(below: 4)))
        default: BluetoothUUID(UInt16(0xA000 + number(below: 0x1000)))
        }
    }

    /// The next handle, after a gap perhaps.
    private mutating func handle() -> AttributeHandle {
        if number(below: 6) == 0 { next += number(below: 20) }
        defer { next += 1 }
        guard let handle = AttributeHandle(rawValue: UInt16(next)) else { fatalError("no handles left") }
        return handle
    }

    private mutating func makeService() -> ServiceDefinition {
        var service = ServiceDefinition(uuid(), isPrimary: number(below: 5) > 0, handle: handle())
        if let handle = service.handle {
            for _ in 0..<number(below: 3) {
                service.includes.append(IncludeDefinition(.handle(handle), handle: self.handle()))
            }
        }
        for _ in 0..<number(below: 6) { service.characteristics.append(makeCharacteristic()) }
        if number(below: 4) == 0 { service.endHandle = handle() }
        return service
    }

    private mutating func makeCharacteristic() -> CharacteristicDefinition {
        let declaration = handle()
        var properties = CharacteristicProperties(rawValue: UInt8(number(below: 0x40)))
        if number(below: 2) == 0 { properties.insert(.read) }
        let isDynamic = number(below: 5) == 0
        var definition = CharacteristicDefinition(
            uuid(),
            properties: properties,
            value: random.bytes(number(below: 4) == 0 ? number(below: 513) : number(below: 30)),
            reads: isDynamic ? .application : .stored,
            writes: isDynamic ? .application : .stored,
            handle: declaration,
            valueHandle: handle()
        )
        let bits = Subscription(properties)
        if !bits.isEmpty {
            definition.descriptors.append(DescriptorDefinition(.clientConfiguration(), handle: handle()))
        }
        for _ in 0..<number(below: 3) {
            let kind: DescriptorDefinition.Kind =
                switch number(below: 4) {
                case 0: .userDescription("description \(next)")
                case 1: .presentationFormat(PresentationFormat(format: 4, unit: 0x2700))
                case 2: .other(uuid(), value: random.bytes(number(below: 40)))
                default: .extendedProperties([])
                }
            definition.descriptors.append(DescriptorDefinition(kind, handle: handle()))
        }
        return definition
    }
}

extension GATTDatabase {
    /// What a client ought to find.
    var discoverable: RemoteDatabase {
        var services: [RemoteService] = []
        for attribute in attributes where attribute.role == .service {
            guard let uuid = BluetoothUUID(attBytes: attribute.value) else { continue }
            services.append(
                RemoteService(
                    uuid: uuid,
                    isPrimary: attribute.type == .primaryService,
                    handles: attribute.handle...attribute.groupEnd
                )
            )
        }
        for (index, service) in services.enumerated() {
            let rows = attributes.filter { service.handles.contains($0.handle) }
            for (place, row) in rows.enumerated() {
                switch row.type {
                case .include:
                    guard let target = services.first(where: { $0.handles.lowerBound.rawValue == row.number(at: 0) })
                    else {
                        continue
                    }
                    let include = RemoteInclude(handle: row.handle, uuid: target.uuid, service: target.handles)
                    services[index].includes.append(include)
                case .characteristic:
                    let nextDeclaration = rows[(place + 1)...].first { $0.type == .characteristic }?.handle.rawValue
                    let end =
                        nextDeclaration.flatMap { AttributeHandle(rawValue: $0 - 1) } ?? service.handles.upperBound
                    guard let value = AttributeHandle(rawValue: row.number(at: 1)),
                        let uuid = BluetoothUUID(attBytes: Array(row.value[3...]))
                    else { continue }
                    services[index].characteristics.append(
                        RemoteCharacteristic(
                            uuid: uuid,
                            properties: CharacteristicProperties(rawValue: row.value[0]),
                            handle: row.handle,
                            valueHandle: value,
                            endHandle: end,
                            descriptors: rows.filter { $0.handle > value && $0.handle <= end }
                                .map { RemoteDescriptor(handle: $0.handle, uuid: $0.type) }
                        )
                    )
                default: break
                }
            }
        }
        // A secondary service that nobody includes cannot be found.
        let included = Set(services.flatMap(\.includes).map(\.service))
        return RemoteDatabase(services: services.filter { $0.isPrimary || included.contains($0.handles) })
    }
}

extension Attribute {
    fileprivate func number(at offset: Int) -> UInt16 { UInt16(value[offset]) | UInt16(value[offset + 1]) << 8 }
}
