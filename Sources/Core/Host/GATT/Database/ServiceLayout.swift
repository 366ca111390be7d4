import BluethroatBluetoothValues
import BluethroatByteCoding

/// Turns the definition of a service into rows of a database, and gives each a handle.
struct ServiceLayout {
    private let service: ServiceDefinition
    private var next: AttributeHandle?
    private(set) var attributes: [Attribute] = []
    private(set) var slotCount: Int16
    private(set) var freeSlots: [Int16]

    init(_ service: ServiceDefinition, next: AttributeHandle?, slots: Int16, freeSlots: [Int16]) {
        self.service = service
        self.next = next
        slotCount = slots
        self.freeSlots = freeSlots
    }

    mutating func place() throws(DatabaseError) -> ServiceHandles {
        if let handle = service.handle { next = handle }
        let type: BluetoothUUID = service.isPrimary ? .primaryService : .secondaryService
        let first = try append(service.handle, type, value: service.uuid.attBytes)
        attributes[0].role = .service
        for include in service.includes { _ = try append(include.handle, .include, value: []) }
        var characteristics: [CharacteristicHandles] = []
        for characteristic in service.characteristics { characteristics.append(try place(characteristic)) }

        let last = attributes[attributes.count - 1].handle
        let end = service.endHandle ?? last
        guard end >= last else { throw .handleOutOfOrder(end) }
        attributes[0].groupEnd = end
        return ServiceHandles(range: first...end, characteristics: characteristics)
    }

    private mutating func place(_ definition: CharacteristicDefinition) throws(DatabaseError) -> CharacteristicHandles {
        let declaration = try append(definition.handle, .characteristic, value: [])
        let value = try append(definition.valueHandle, definition.uuid, value: definition.value)
        guard !definition.uuid.isDeclaration else { throw .declaration(value) }
        var declared = [definition.properties.rawValue]
        declared.appendUInt16(value.rawValue)
        definition.uuid.writeForATT(to: &declared)
        attributes[attributes.count - 2].value = declared

        let valueIndex = attributes.count - 1
        configureValue(at: valueIndex, definition)
        let bits = Subscription(definition.properties)
        let namesConfiguration = definition.descriptors.contains { $0.isClientConfiguration }
        var handles = CharacteristicHandles(declaration: declaration, value: value, descriptors: [])
        if !bits.isEmpty, !namesConfiguration {
            // A client that may not read a value may not have it sent either.
            var permissions = AttributePermissions.readWrite
            if definition.permissions.read.isAllowed { permissions.write = definition.permissions.read }
            let added = DescriptorDefinition(.clientConfiguration(permissions: permissions))
            handles.clientConfiguration = try place(added, of: valueIndex, definition.properties)
        }
        for descriptor in definition.descriptors {
            let handle = try place(descriptor, of: valueIndex, definition.properties)
            handles.descriptors.append(handle)
            if descriptor.isClientConfiguration { handles.clientConfiguration = handle }
        }
        attributes[valueIndex - 1].groupEnd = attributes[attributes.count - 1].handle
        return handles
    }

    private mutating func configureValue(at index: Int, _ definition: CharacteristicDefinition) {
        attributes[index].permissions = definition.permissions
        attributes[index].isLong = definition.isLong
        attributes[index].isFixedLength = definition.isFixedLength
        attributes[index].reads = definition.reads
        attributes[index].writes = definition.writes
        attributes[index].acceptsSignedWrites = definition.properties.contains(.authenticatedSignedWrites)
        attributes[index].setLengths(definition.lengths)
        guard service.uuid == .genericAttributeService else { return }
        switch definition.uuid {
        case .serviceChanged: attributes[index].role = .serviceChanged
        case .databaseHash: attributes[index].role = .databaseHash
        case .clientSupportedFeatures: attributes[index].role = .clientFeatures
        default: break
        }
    }

    private mutating func place(
        _ descriptor: DescriptorDefinition,
        of valueIndex: Int,
        _ properties: CharacteristicProperties
    ) throws(DatabaseError) -> AttributeHandle {
        let handle = try append(descriptor.handle, descriptor.type, value: descriptor.value)
        guard !descriptor.type.isDeclaration else { throw .declaration(handle) }
        let index = attributes.count - 1
        switch descriptor.kind {
        case .userDescription(_, let permissions):
            attributes[index].permissions = permissions
        case .clientConfiguration(let permissions, let refusal):
            attributes[index].permissions = permissions
            attributes[index].role = .clientConfiguration
            attributes[index].refusal = refusal
            attributes[index].configurationBits = Subscription(properties).rawValue
            let slot = takeSlot()
            attributes[index].configurationSlot = slot
            attributes[valueIndex].configurationSlot = slot
            let read = attributes[valueIndex].permissions.read
            attributes[valueIndex].sending = read.isAllowed ? permissions.write.joined(with: read) : permissions.write
        case .serverConfiguration(let permissions):
            attributes[index].permissions = permissions
            attributes[index].role = .serverConfiguration
            attributes[index].configurationBits = properties.contains(.broadcast) ? 1 : 0
        case .other(_, _, let permissions, let lengths, let reads, let writes):
            attributes[index].permissions = permissions
            attributes[index].setLengths(lengths)
            attributes[index].reads = reads
            attributes[index].writes = writes
        case .extendedProperties, .presentationFormat, .aggregateFormat:
            break
        }
        switch attributes[index].role {
        case .clientConfiguration, .serverConfiguration:
            attributes[index].configured = attributes[valueIndex].handle
            attributes[index].isLong = attributes[index].refusal == nil
            attributes[index].isFixedLength = attributes[index].refusal == nil
            attributes[index].setLengths(2...2)
        default: break
        }
        return handle
    }

    private mutating func takeSlot() -> Int16 {
        if let free = freeSlots.popLast() { return free }
        slotCount += 1
        return slotCount - 1
    }

    private mutating func append(
        _ wanted: AttributeHandle?,
        _ type: BluetoothUUID,
        value: [UInt8]
    ) throws(DatabaseError) -> AttributeHandle {
        guard let free = next else {
            if let wanted { throw .handleOutOfOrder(wanted) }
            throw .outOfHandles
        }
        let handle = wanted ?? free
        guard handle >= free else { throw .handleOutOfOrder(handle) }
        guard value.count <= 512 else { throw .valueTooLong(handle) }
        attributes.append(Attribute(handle, type, value: value))
        next = handle.next
        return handle
    }
}

extension Attribute {
    fileprivate mutating func setLengths(_ lengths: ClosedRange<Int>) {
        minimumLength = UInt16(lengths.lowerBound.clamped(to: 0...512))
        maximumLength = UInt16(lengths.upperBound.clamped(to: 0...512))
    }
}

extension Int {
    func clamped(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension Subscription {
    /// What a characteristic with these properties can be asked to send.
    init(_ properties: CharacteristicProperties) {
        self = []
        if properties.contains(.notify) { insert(.notifications) }
        if properties.contains(.indicate) { insert(.indications) }
    }
}

extension DescriptorDefinition {
    fileprivate var isClientConfiguration: Bool {
        if case .clientConfiguration = kind { true } else { false }
    }

    fileprivate var type: BluetoothUUID {
        switch kind {
        case .extendedProperties: .characteristicExtendedProperties
        case .userDescription: .characteristicUserDescription
        case .clientConfiguration: .clientCharacteristicConfiguration
        case .serverConfiguration: .serverCharacteristicConfiguration
        case .presentationFormat: .characteristicPresentationFormat
        case .aggregateFormat: .characteristicAggregateFormat
        case .other(let uuid, _, _, _, _, _): uuid
        }
    }

    /// No bit of a configuration, one array for all.
    private static let unset: [UInt8] = [0, 0]

    fileprivate var value: [UInt8] {
        switch kind {
        case .extendedProperties(let properties): [UInt8(truncatingIfNeeded: properties.rawValue), 0]
        case .userDescription(let text, _): Array(text.utf8)
        case .clientConfiguration, .serverConfiguration: Self.unset
        case .presentationFormat(let format): format.bytes
        case .aggregateFormat(let handles):
            handles.reduce(into: []) { $0.appendUInt16($1.rawValue) }
        case .other(_, let value, _, _, _, _): value
        }
    }
}
