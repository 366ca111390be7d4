import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime
import Testing

@Suite("Two hosts back to back")
struct HostPairTests {
    /// A service with one value to read, one to write and one to hear of.
    static let services: [ServiceDefinition] = [
        ServiceDefinition(
            0x180A,
            characteristics: [
                CharacteristicDefinition(0x2A29, properties: [.read], value: (0..<300).map { UInt8($0 & 0xFF) })
            ]
        ),
        ServiceDefinition(
            0xFFE0,
            characteristics: [
                CharacteristicDefinition(0xFFE1, properties: [.read, .notify, .indicate], value: [0]),
                CharacteristicDefinition(0xFFE2, properties: [.write, .writeWithoutResponse]),
            ]
        ),
    ]

    static func pair(
        packetLength: UInt16 = 27,
        packetCount: UInt8 = 4,
        configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws -> HostPair {
        var pair = HostPair(packetLength: packetLength, packetCount: packetCount, configure: configure)
        _ = try pair.order(\.peripheral) { host, now, actions throws(DatabaseError) in
            try host.addServices(services, at: now, into: &actions)
        }
        _ = pair.takeEvents(\.central)
        _ = pair.takeEvents(\.peripheral)
        return pair
    }

    static func results(_ events: [HostEvent]) -> [ProcedureResult] {
        events.compactMap { if case .client(.procedureCompleted(_, _, let result)) = $0 { result } else { nil } }
    }

    static func notifications(_ events: [HostEvent]) -> [[UInt8]] {
        events.compactMap {
            if case .client(.notificationReceived(_, _, let value, _)) = $0 { value } else { nil }
        }
    }

    /// What the peripheral offers, as the central has found it.
    static func database(_ pair: inout HostPair, _ connection: ConnectionID) throws -> RemoteDatabase {
        try pair.order(\.central) { host, now, actions throws(OrderError) in
            _ = try host.discoverAll(connection, at: now, into: &actions)
        }
        guard case .database(let database) = Self.results(pair.takeEvents(\.central)).last else {
            throw OrderError.notActive
        }
        return database
    }

    @Test("A central hears the peripheral's name, connects, and both tell of the same connection")
    func discoveryAndConnection() throws {
        var pair = try Self.pair()
        try pair.order(\.peripheral) { host, now, actions throws(OrderError) in
            let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!)
            let name = AdvertisingData([.completeLocalName("Keyfobdemo")])
            try host.startAdvertising(parameters, scanResponse: name, at: now, into: &actions)
        }
        try pair.order(\.central) { host, now, actions throws(OrderError) in
            try host.startScanning(at: now, into: &actions)
        }
        var cache = DiscoveryCache()
        for case .advertisingReport(let report) in pair.takeEvents(\.central) {
            _ = cache.absorb(report, at: pair.now)
        }
        let entry = try #require(cache.entries.first)
        #expect(entry.localName == "Keyfobdemo" && entry.isConnectable)
        try pair.order(\.central) { host, now, actions throws(OrderError) in
            try host.connect(to: entry.address, at: now, into: &actions)
        }
        var descriptions: [ConnectionDescription] = []
        for case .connected(let description) in pair.takeEvents(\.central) + pair.takeEvents(\.peripheral) {
            descriptions.append(description)
        }
        #expect(descriptions.map(\.role) == [.central, .peripheral])
        #expect(descriptions.map(\.peer) == [HostPair.peripheralAddress, HostPair.centralAddress])
    }

    @Test(
        "Everything is discovered, read and written, whatever the size of the controllers' buffers",
        arguments: [(27 as UInt16, 1 as UInt8), (27, 4), (251, 8), (1021, 2), (28, 1)]
    )
    func everything(packetLength: UInt16, packetCount: UInt8) throws {
        var pair = try Self.pair(packetLength: packetLength, packetCount: packetCount)
        let connection = try pair.connect()
        try pair.order(\.central) { host, now, actions throws(OrderError) in
            _ = try host.exchangeMTU(connection.central, at: now, into: &actions)
        }
        #expect(Self.results(pair.takeEvents(\.central)) == [.mtu(517)])
        let database = try Self.database(&pair, connection.central)
        let manufacturer = try #require(database.characteristic(0x2A29))
        let target = try #require(database.characteristic(0xFFE2))
        let value = (0..<400).map { UInt8($0 & 0x7F) }
        try pair.order(\.central) { host, now, actions throws(OrderError) in
            _ = try host.read(connection.central, manufacturer.valueHandle, at: now, into: &actions)
            _ = try host.write(value, connection.central, target.valueHandle, at: now, into: &actions)
        }
        let expected = Self.services[0].characteristics[0].value
        #expect(Self.results(pair.takeEvents(\.central)) == [.value(expected), .written])
        #expect(pair.peripheral.host.value(of: target.valueHandle) == value)
    }

    @Test(
        "Notifications arrive in order; the sender is told to wait and when to go on",
        arguments: [(27 as UInt16, 1 as UInt8), (251, 4)]
    )
    func notifications(packetLength: UInt16, packetCount: UInt8) throws {
        var pair = try Self.pair(packetLength: packetLength, packetCount: packetCount)
        let connection = try pair.connect()
        let key = try #require(try Self.database(&pair, connection.central).characteristic(0xFFE1))
        try pair.order(\.central) { host, now, actions throws(OrderError) in
            _ = try host.subscribe(connection.central, to: key, [.notifications], at: now, into: &actions)
        }
        _ = pair.takeEvents(\.peripheral)
        // One order fills the queue; readiness comes as the controller empties it.
        var next = 0
        var refusals = 0
        while next < 500 {
            pair.order(\.peripheral) { host, now, actions in
                while next < 500 {
                    let value = [UInt8(next & 0xFF), UInt8(next >> 8)]
                    guard host.notify(value, handle: key.valueHandle, at: now, into: &actions) else {
                        refusals += 1
                        return
                    }
                    next += 1
                }
            }
            let ready = pair.takeEvents(\.peripheral).names.count { $0 == "readyToSend" }
            #expect(next == 500 || ready == 1)
        }
        #expect(refusals > 5)
        let received = Self.notifications(pair.takeEvents(\.central))
        #expect(received == (0..<500).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    }

    @Test("A peripheral's wish for another pace is granted, and both ends run at it")
    func parameters() throws {
        var pair = try Self.pair()
        let connection = try pair.connect()
        try pair.order(\.peripheral) { host, now, actions throws(OrderError) in
            try host.updateParameters(connection.peripheral, ParameterUpdateTests.range, at: now, into: &actions)
        }
        #expect(pair.takeEvents(\.peripheral).names == ["parameterUpdateCompleted", "parametersChanged"])
        #expect(pair.takeEvents(\.central).names == ["parameterRequestAnswered", "parametersChanged"])
        #expect(pair.central.host.description(of: connection.central)?.parameters.interval.steps == 80)
        #expect(pair.peripheral.host.description(of: connection.peripheral)?.parameters.interval.steps == 80)
    }

    @Test("A server that does not answer for 30 s is disconnected, and its procedure has failed")
    func transactionTimeout() throws {
        var pair = try Self.pair()
        let connection = try pair.connect()
        pair.isOutOfRange = true
        try pair.order(\.central) { host, now, actions throws(OrderError) in
            _ = try host.discoverAll(connection.central, at: now, into: &actions)
        }
        pair.run(for: .milliseconds(29_999))
        #expect(pair.takeEvents(\.central).isEmpty)
        pair.run(for: .milliseconds(1))
        let events = pair.takeEvents(\.central)
        #expect(Self.results(events) == [.failed(.timedOut)])
        #expect(events.names.suffix(2) == ["attTimedOut", "disconnected"])
        #expect(pair.central.host.openConnections.isEmpty && pair.peripheral.host.openConnections.isEmpty)
        #expect(pair.central.host.nextDeadline == nil)
    }

    @Test("A lost connection ends what was under way; the next one is another, and works")
    func linkLoss() throws {
        var pair = try Self.pair()
        let first = try pair.connect()
        pair.isOutOfRange = true
        try pair.order(\.central) { host, now, actions throws(OrderError) in
            _ = try host.discoverAll(first.central, at: now, into: &actions)
        }
        pair.loseConnection()
        pair.order(\.central) { _, _, _ in }
        let events = pair.takeEvents(\.central)
        #expect(Self.results(events) == [.failed(.disconnected)])
        #expect(events.names.last == "disconnected")
        #expect(pair.takeEvents(\.peripheral).names == ["disconnected"])
        pair.isOutOfRange = false
        let second = try pair.connect()
        #expect(second.central != first.central && second.peripheral != first.peripheral)
        #expect(try Self.database(&pair, second.central).services.count >= 2)
    }

    @Test("A thousand connections leave nothing behind")
    func manyConnections() throws {
        var pair = try Self.pair()
        for _ in 0..<1_000 {
            let connection = try pair.connect()
            try pair.order(\.central) { host, now, actions throws(OrderError) in
                _ = try host.exchangeMTU(connection.central, at: now, into: &actions)
                try host.disconnect(connection.central, at: now, into: &actions)
            }
            _ = pair.takeEvents(\.central)
            #expect(pair.takeEvents(\.peripheral).names.last == "disconnected")
        }
        #expect(pair.central.host.openConnections.isEmpty)
        #expect(pair.central.host.nextDeadline == nil && pair.peripheral.host.nextDeadline == nil)
    }
}
