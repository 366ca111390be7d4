import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// Sends so many bytes over a channel as fast as it takes them, and notes what comes.
final class Courier: HostApplication {
    let total: Int
    /// Bytes of an SDU.
    let sduLength: Int
    var channel: L2CAPChannelID?
    private(set) var sent = 0
    private(set) var received = 0
    private(set) var firstInstant: Instant?
    private(set) var lastInstant: Instant?
    private(set) var closed: ChannelCloseReason?
    private(set) var isIntact = true
    private(set) var connection: ConnectionDescription?
    /// How long each read took.
    private(set) var latencies: [TimeSpan] = []
    private var readBegan = Instant.zero
    var readHandle: AttributeHandle?
    let listens: Bool

    init(total: Int, sduLength: Int = 4_504, listens: Bool) {
        self.total = total
        self.sduLength = sduLength
        self.listens = listens
    }

    /// What everybody sends, over and over; its length is no multiple of anything's.
    static let pattern: [UInt8] = {
        var random = SeededRandom(seed: 7, purpose: "courier")
        return (0..<65_521).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }()

    /// So many bytes of it from a place on.
    static func bytes(_ start: Int, _ count: Int) -> [UInt8] {
        let first = start % pattern.count
        let end = first + count
        guard end > pattern.count else { return Array(pattern[first..<end]) }
        return Array(pattern[first...]) + Array(pattern[..<(end - pattern.count)])
    }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        _ = try? host.addServices(WorldPair.services, at: now, into: &actions)
        if listens { _ = try? host.listen(on: SPSM(rawValue: 0x80)) }
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .connected(let description): connection = description
        case .channel(.opened(let description)):
            channel = description.id
            push(host, at: now, into: &actions)
        case .channel(.readyToSend): push(host, at: now, into: &actions)
        case .channel(.received(_, let sdu)):
            if firstInstant == nil { firstInstant = now }
            lastInstant = now
            if sdu != Self.bytes(received, sdu.count) { isIntact = false }
            received += sdu.count
        case .channel(.closed(_, let reason)): closed = reason
        case .client(.procedureCompleted(_, _, .value)):
            latencies.append(now - readBegan)
            read(host, at: now, into: &actions)
        default: break
        }
    }

    private func push(_ host: Host, at now: Instant, into actions: inout HostActions) {
        guard let channel else { return }
        while sent < total {
            let count = min(sduLength, total - sent)
            guard (try? host.send(Self.bytes(sent, count), on: channel, at: now, into: &actions)) == true else {
                return
            }
            sent += count
        }
    }

    func read(_ host: Host, at now: Instant, into actions: inout HostActions) {
        guard let connection, let readHandle else { return }
        readBegan = now
        _ = try? host.read(connection.id, readHandle, at: now, into: &actions)
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}
}

/// Two couriers on the air.
struct CourierPair {
    let world: World
    let central: Courier
    let peripheral: Courier
    let centralID: DeviceID
    let peripheralID: DeviceID

    init(seed: UInt64 = 7, toPeripheral: Int, toCentral: Int, sduLength: Int = 4_504) {
        world = World(seed: seed)
        central = Courier(total: toPeripheral, sduLength: sduLength, listens: false)
        peripheral = Courier(total: toCentral, sduLength: sduLength, listens: true)
        centralID = world.addDevice(named: "central", application: central)
        peripheralID = world.addDevice(named: "peripheral", at: .metres(x: 1), application: peripheral)
    }

    /// Connected, with long packets, and the central has asked for the channel.
    func open(interval: UInt16 = 24, _ prepare: (ConnectionID) throws -> Void = { _ in }) throws {
        try world.perform(on: peripheralID) { host, now, actions throws(OrderError) in
            let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!)
            try host.startAdvertising(parameters, scanResponse: AdvertisingData([]), at: now, into: &actions)
        }
        let address = world.publicAddress(of: peripheralID)!
        let parameters = ConnectParameters(
            connection: ConnectionParameterRange(
                minimumSteps: interval,
                maximumSteps: interval,
                latencyEvents: 0,
                timeoutSteps: 400
            )!
        )
        try world.perform(on: centralID) { host, now, actions throws(OrderError) in
            try host.connect(to: address, parameters, at: now, into: &actions)
        }
        world.run(for: .seconds(2)) { central.connection != nil && peripheral.connection != nil }
        // Time for the two controllers to agree about long packets.
        world.run(for: .seconds(1))
        let connection = try #require(central.connection).id
        try prepare(connection)
        try world.perform(on: centralID) { host, now, actions throws(OrderError) in
            _ = try host.openChannel(connection, to: SPSM(rawValue: 0x80)!, at: now, into: &actions)
        }
    }
}

@Suite("L2CAP channels on the air")
struct ChannelWorldTests {
    /// The most bytes of Link Layer payload that the air carries one way in a second: 251 bytes, the other side's empty
    /// packet, and 150 µs after each. LE 1M has 10 bytes around a payload, at 8 µs each; LE 2M has 11, at 4 µs.
    static func limit(is2M: Bool) -> Double {
        let overhead = is2M ? 11 : 10, pace = is2M ? 4 : 8
        let microseconds = (251 + 2 * overhead) * pace + 2 * 150
        return 251_000_000 / Double(microseconds)
    }

    /// The same while the other side sends as much.
    static let limitBothWays = 251 * 1_000_000 / Double(2 * ((251 + 10) * 8 + 150))

    @Test(
        "A channel carries at least 97 % of what the air does, headers not counted, at the pace that phones use",
        arguments: [(false, 24), (false, 40), (true, 12), (true, 24), (true, 40), (true, 80)] as [(Bool, UInt16)]
    )
    func goodput(is2M: Bool, interval: UInt16) throws {
        let total = 500_000
        let pair = CourierPair(toPeripheral: total, toCentral: 0)
        try pair.open(interval: interval) { connection in
            guard is2M else { return }
            try pair.world.perform(on: pair.centralID) { host, now, actions throws(OrderError) in
                try host.setPHYs(connection, sending: .le2M, receiving: .le2M, at: now, into: &actions)
            }
            pair.world.run(for: .seconds(1))
        }
        pair.world.run(for: .seconds(20)) { pair.peripheral.received == total }
        let begin = try #require(pair.peripheral.firstInstant), end = try #require(pair.peripheral.lastInstant)
        let seconds = Double((end - begin).nanoseconds) / 1e9
        let share = Double(total - 4_504) / seconds / Self.limit(is2M: is2M)
        print("L2CAP goodput, LE \(is2M ? 2 : 1)M, \(Double(interval) * 1.25) ms: \(share * 100) %")
        #expect((0.97...1).contains(share), "\(share)")
        #expect(pair.peripheral.isIntact)
    }

    @Test("Two megabytes each way, and the values read meanwhile come within 100 ms")
    func bothWays() throws {
        let total = 2_000_000
        let pair = CourierPair(toPeripheral: total, toCentral: total)
        try pair.open()
        let handle = try #require(
            pair.world.perform(on: pair.peripheralID) { host, _, _ in
                host.database.rows.first { $0.type == 0xFFE1 }?.handle
            } ?? nil
        )
        pair.central.readHandle = handle
        pair.world.perform(on: pair.centralID) { host, now, actions in
            pair.central.read(host, at: now, into: &actions)
        }
        let began = pair.world.now
        pair.world.run(for: .seconds(120)) { pair.central.received == total && pair.peripheral.received == total }
        #expect(pair.central.isIntact && pair.peripheral.isIntact)
        #expect(pair.central.received == total && pair.peripheral.received == total)
        let latencies = pair.central.latencies.sorted()
        #expect(latencies.count > 300)
        #expect(latencies.last! <= .milliseconds(100), "\(latencies.last!)")
        print("L2CAP both ways: reads take \(latencies[latencies.count / 2]), at most \(latencies.last!)")
        // What one direction could carry while the other is just as busy.
        let share = Double(total) / (Double((pair.world.now - began).nanoseconds) / 1e9) / Self.limitBothWays
        #expect(share >= 0.94, "\(share)")
    }
}
