import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("GATT client and server back to back")
struct BackToBackTests {
    /// What the application answers for its values.
    private static func applicationValue(_ handle: AttributeHandle) -> [UInt8] {
        (0..<Int(handle.rawValue % 100)).map { UInt8(truncatingIfNeeded: $0 + Int(handle.rawValue)) }
    }

    private static func pair(seed: UInt64) throws -> (ATTPair, SeededRandom) {
        var random = SeededRandom(seed: seed, purpose: "back to back")
        let mtus = (0..<2).map { _ in random.next(below: 3) == 0 ? 23 : 23 + Int(random.next(below: 495)) }
        var server = ATTEnd(maximumMTU: mtus[1])
        server.server.database = try GATTDatabase(RandomDatabase(seed: seed).services)
        var pair = ATTPair(ATTEnd(maximumMTU: mtus[0]), server)
        pair.read = applicationValue
        if random.next(below: 3) > 0 {
            let result = try pair.run(.exchangeMTU(MTUExchange(maximumMTU: 0, isDone: false)))
            #expect(result == .mtu(mtus.min() ?? 0), "seed \(seed)")
            #expect(pair.layers[1].mtu(of: ATTPair.connection) == mtus.min(), "seed \(seed)")
        }
        return (pair, random)
    }

    @Test("Whatever a server has, a client finds it, with any MTU", arguments: 0..<200 as Range<UInt64>)
    func discovery(seed: UInt64) throws {
        var (pair, _) = try Self.pair(seed: seed)
        let database = pair.layers[1].server.database
        #expect(try pair.run(.everything(FullDiscovery())) == .database(database.discoverable), "seed \(seed)")
        let primary = database.discoverable.services.filter(\.isPrimary).map {
            RemoteService(uuid: $0.uuid, handles: $0.handles)
        }
        #expect(try pair.run(.services(ServiceDiscovery(uuid: nil))) == .services(primary), "seed \(seed)")
        for service in database.discoverable.services {
            let alike = primary.filter { $0.uuid == service.uuid }
            #expect(try pair.run(.services(ServiceDiscovery(uuid: service.uuid))) == .services(alike), "seed \(seed)")
            #expect(
                try pair.run(.includes(IncludeDiscovery(service.handles))) == .includes(service.includes),
                "seed \(seed)"
            )
            let bare = service.characteristics.map { characteristic in
                var bare = characteristic
                bare.descriptors = []
                return bare
            }
            let discovery = CharacteristicDiscovery(service.handles, uuid: nil)
            #expect(try pair.run(.characteristics(discovery)) == .characteristics(bare), "seed \(seed)")
            for characteristic in service.characteristics {
                let discovery = DescriptorDiscovery(characteristic.descriptorHandles.map { [$0] } ?? [])
                #expect(
                    try pair.run(.descriptors(discovery)) == .descriptors(characteristic.descriptors),
                    "seed \(seed)"
                )
            }
        }
    }

    @Test("Every value is read as it is, or refused if it may not be", arguments: 0..<100 as Range<UInt64>)
    func reading(seed: UInt64) throws {
        var (pair, random) = try Self.pair(seed: seed)
        let database = pair.layers[1].server.database
        let value = { (attribute: Attribute) in
            attribute.reads == .application ? Self.applicationValue(attribute.handle) : attribute.value
        }
        for attribute in database.attributes {
            let result = try pair.run(.read(ValueReading(attribute.handle)))
            let refusal = ProcedureError.refused(
                .readNotPermitted,
                request: .readRequest,
                handle: attribute.handle.rawValue
            )
            let expected =
                attribute.permissions.read.isAllowed ? .value(value(attribute)) : ProcedureResult.failed(refusal)
            #expect(result == expected, "\(attribute.handle), seed \(seed)")
        }
        let readable = database.attributes.filter(\.permissions.read.isAllowed)
        guard readable.count >= 2, let mtu = pair.layers[0].mtu(of: ATTPair.connection) else { return }
        for _ in 0..<10 {
            let some = (0..<(2 + Int(random.next(below: 6)))).map { _ in
                readable[Int(random.next(below: UInt64(readable.count)))]
            }
            let joined = Array(some.flatMap(value).prefix(mtu - 1))
            let plain = ReadingMultiple(some.map(\.handle), withLengths: false)
            #expect(try pair.run(.readMultiple(plain)) == .value(joined), "seed \(seed)")
            var room = mtu - 1
            var values: [HandleValue] = []
            for attribute in some where room >= 2 {
                let part = Array(value(attribute).prefix(room - 2))
                values.append(HandleValue(handle: attribute.handle.rawValue, value: part))
                room -= 2 + part.count
            }
            let withLengths = ReadingMultiple(some.map(\.handle), withLengths: true)
            #expect(try pair.run(.readMultiple(withLengths)) == .values(values), "seed \(seed)")

            let type = some[0].type
            let first = database.attributes.first { $0.type == type }
            guard first?.permissions.read.isAllowed == true else { continue }
            var alike: [HandleValue] = []
            for attribute in database.attributes where attribute.type == type {
                guard attribute.permissions.read.isAllowed else { break }
                let part = Array(value(attribute).prefix(min(mtu - 4, 253)))
                alike.append(HandleValue(handle: attribute.handle.rawValue, value: part))
            }
            let byUUID = ReadingByUUID(type, in: HandleScan.everything)
            #expect(try pair.run(.readByUUID(byUUID)) == .values(alike), "\(type), seed \(seed)")
        }
    }

    @Test(
        "What is written is there, however long, and reaches the application whole",
        arguments: 0..<100 as Range<UInt64>
    )
    func writing(seed: UInt64) throws {
        var (pair, random) = try Self.pair(seed: seed)
        let targets = pair.layers[1].server.database.attributes.filter {
            $0.permissions.write.isAllowed && $0.role == .plain
        }
        for attribute in targets {
            let value = random.bytes(Int(random.next(below: 513)))
            pair.written = []
            #expect(try pair.run(.write(ValueWriting(attribute.handle, value))) == .written, "seed \(seed)")
            if attribute.writes == .stored {
                #expect(pair.layers[1].server.database.value(of: attribute.handle) == value, "seed \(seed)")
            } else {
                #expect(pair.written.count == 1, "seed \(seed)")
                #expect(pair.written.joined().flatMap(\.value) == value, "seed \(seed)")
            }
        }
        let stored = targets.filter { $0.writes == .stored }
        guard !stored.isEmpty else { return }
        let writes = stored.map { AttributeWrite(handle: $0.handle, value: random.bytes(Int(random.next(below: 60)))) }
        #expect(try pair.run(.writePrepared(PreparedWriting(writes))) == .written, "seed \(seed)")
        for write in writes {
            #expect(pair.layers[1].server.database.value(of: write.handle) == write.value, "seed \(seed)")
        }
    }

    @Test("Who subscribes hears everything once, and who unsubscribes nothing", arguments: 0..<50 as Range<UInt64>)
    func subscribing(seed: UInt64) throws {
        var (pair, random) = try Self.pair(seed: seed)
        for service in pair.layers[1].server.database.discoverable.services {
            for characteristic in service.characteristics {
                let wanted = Subscription(characteristic.properties)
                guard let configuration = characteristic.descriptor(.clientCharacteristicConfiguration) else {
                    #expect(wanted.isEmpty, "seed \(seed)")
                    continue
                }
                let handle = characteristic.valueHandle
                #expect(
                    try pair.run(.write(ValueWriting(configuration.handle, [wanted.rawValue, 0]))) == .written,
                    "seed \(seed)"
                )
                let values = (0..<3).map { _ in random.bytes(Int(random.next(below: 20))) }
                func heard() -> [HandleValue] {
                    pair.events[0] = []
                    pair.perform(1) { layer, now, actions in
                        for value in values {
                            _ = layer.indicate(value, of: handle, to: nil, at: now, into: &actions)
                            guard layer.server.wants(.notifications, of: handle, layer.bearers[0].link) else {
                                continue
                            }
                            actions.send(layer.server.notification(value, of: handle, mtu: 23))
                        }
                    }
                    return pair.events[0].compactMap {
                        guard case .client(.notificationReceived(_, let handle, let value, _)) = $0 else { return nil }
                        return HandleValue(handle: handle.rawValue, value: value)
                    }
                }
                let all = heard()
                #expect(
                    all.count == 3 * (wanted.contains(.indications) ? 1 : 0) + 3
                        * (wanted.contains(.notifications) ? 1 : 0)
                )
                #expect(all.allSatisfy { $0.handle == handle.rawValue && values.contains($0.value) })
                #expect(try pair.run(.write(ValueWriting(configuration.handle, [0, 0]))) == .written, "seed \(seed)")
                #expect(heard() == [])
            }
        }
    }

    @Test("Both ends may be client and server at once")
    func bothWays() throws {
        var layers = [ATTEnd(maximumMTU: 100), ATTEnd(maximumMTU: 200)]
        for end in 0..<2 { layers[end].server.database = try GATTDatabase(RandomDatabase(seed: UInt64(end)).services) }
        var pair = ATTPair(layers[0], layers[1])
        for end in [0, 1, 0] {
            let database = pair.layers[1 - end].server.database.discoverable
            #expect(try pair.run(.everything(FullDiscovery()), end: end) == .database(database))
            #expect(try pair.run(.exchangeMTU(MTUExchange(maximumMTU: 0, isDone: false)), end: end) == .mtu(100))
        }
    }
}
