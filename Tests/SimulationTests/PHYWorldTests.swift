import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// Counts data frames on the air by their PHY.
private final class PHYTap: WorldTap {
    var counts: [PHY: Int] = [:]

    func transmitted(_ transmission: Transmission, by device: DeviceID) {
        guard !transmission.channel.isAdvertising else { return }
        counts[transmission.phy, default: 0] += 1
    }
}

/// Advertises or not, and notes the PHYs it is told of.
private final class PHYWatcher: HostApplication {
    let advertises: Bool
    var connection: ConnectionID?
    var phys: [ConnectionPHYs] = []
    var failures = 0

    init(advertises: Bool) { self.advertises = advertises }

    func start(host: Host, at now: Instant, into actions: inout HostActions) { host.powerOn(at: now, into: &actions) }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn where advertises:
            let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!)
            try? host.startAdvertising(parameters, at: now, into: &actions)
        case .connected(let description): connection = description.id
        case .phys(_, let new): phys.append(new)
        case .connectionOrderFailed(_, .setPHYs, _): failures += 1
        default: break
        }
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}
}

@Suite("PHYs on the air")
struct PHYWorldTests {
    /// Two hosts that are connected, and what they have heard.
    private struct Pair {
        let world = World(seed: 11)
        let tap = PHYTap()
        let central = PHYWatcher(advertises: false)
        let peripheral = PHYWatcher(advertises: true)
        let centralID: DeviceID
        let peripheralID: DeviceID

        init(
            central configureCentral: (inout HostConfiguration) -> Void = { _ in },
            peripheral configurePeripheral: (inout HostConfiguration) -> Void = { _ in }
        ) throws {
            var configuration = HostConfiguration(seed: 11, device: 0)
            configureCentral(&configuration)
            centralID = world.addDevice(named: "central", host: configuration, application: central)
            configuration = HostConfiguration(seed: 11, device: 1)
            configurePeripheral(&configuration)
            peripheralID = world.addDevice(
                named: "peripheral",
                host: configuration,
                at: .metres(x: 1),
                application: peripheral
            )
            world.run(for: .seconds(1))
            let address = try #require(world.publicAddress(of: peripheralID))
            try world.perform(on: centralID) { host, now, actions throws(OrderError) in
                try host.connect(to: address, at: now, into: &actions)
            }
            world.run(for: .seconds(3))
            world.tap = tap
            world.run(for: .seconds(1))
        }
    }

    private static let fast = ConnectionPHYs(sending: .le2M, receiving: .le2M)
    private static let usual = ConnectionPHYs(sending: .le1M, receiving: .le1M)

    @Test("A connection stays on LE 1M where nobody asks")
    func usual() throws {
        let pair = try Pair()
        #expect(pair.central.phys.isEmpty && pair.peripheral.phys.isEmpty)
        #expect(pair.tap.counts[.le1M, default: 0] > 50 && pair.tap.counts[.le2M] == nil)
    }

    @Test(
        "Either end may ask for LE 2M after connecting; both hear of it, and all frames are on it",
        arguments: [0, 1]
    )
    func asked(end: Int) throws {
        let pair = try Pair(
            central: { $0.asksForLE2M = end == 0 },
            peripheral: { $0.asksForLE2M = end == 1 }
        )
        #expect(pair.central.phys == [Self.fast] && pair.peripheral.phys == [Self.fast])
        #expect(pair.tap.counts[.le2M, default: 0] > 50 && pair.tap.counts[.le1M] == nil)
    }

    @Test("Two ends that ask at the same time end on LE 2M")
    func bothAsk() throws {
        let pair = try Pair(central: { $0.asksForLE2M = true }, peripheral: { $0.asksForLE2M = true })
        #expect(pair.central.phys.last == Self.fast && pair.peripheral.phys.last == Self.fast)
        #expect(pair.tap.counts[.le1M] == nil)
    }

    @Test("A host that allows LE 1M only keeps its connections there, whatever the peer asks for")
    func refused() throws {
        let pair = try Pair(central: { $0.asksForLE2M = true }, peripheral: { $0.defaultPHYs = .le1M })
        #expect(pair.central.phys == [Self.usual] && pair.peripheral.phys.isEmpty)
        #expect(pair.tap.counts[.le2M] == nil)
    }

    @Test("An order changes the PHY of one direction, and back; what the controller has can be read")
    func ordered() throws {
        let pair = try Pair()
        let connection = try #require(pair.central.connection)
        func set(_ sending: PHYSet, _ receiving: PHYSet) throws {
            try pair.world.perform(on: pair.centralID) { host, now, actions throws(OrderError) in
                try host.setPHYs(connection, sending: sending, receiving: receiving, at: now, into: &actions)
            }
            pair.world.run(for: .seconds(1))
        }
        try set(.le2M, [.le1M])
        #expect(pair.central.phys == [ConnectionPHYs(sending: .le2M, receiving: .le1M)])
        #expect(pair.peripheral.phys == [ConnectionPHYs(sending: .le1M, receiving: .le2M)])
        try set(.le1M, .le1M)
        #expect(pair.central.phys.last == Self.usual && pair.peripheral.phys.last == Self.usual)
        try pair.world.perform(on: pair.centralID) { host, now, actions throws(OrderError) in
            try host.readPHYs(connection, at: now, into: &actions)
        }
        pair.world.run(for: .seconds(1))
        #expect(pair.central.phys.count == 3 && pair.central.phys.last == Self.usual)
        // Not one that the controller has.
        try set(.leCoded, .leCoded)
        #expect(pair.central.failures == 1 && pair.central.phys.count == 3)
    }
}
