import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("Two devices on the air")
struct WorldPairTests {
    @Test("Everything is discovered and read over real frames")
    func everything() throws {
        let pair = WorldPair()
        let links = try #require(try pair.connect())
        try pair.world.perform(on: pair.centralID) { host, now, actions throws(OrderError) in
            _ = try host.exchangeMTU(links.central, at: now, into: &actions)
            _ = try host.discoverAll(links.central, at: now, into: &actions)
        }
        pair.world.run(for: .seconds(10)) { pair.central.results.count == 2 }
        guard case .database(let database) = pair.central.results.last else {
            Issue.record("no database: \(pair.central.results)")
            return
        }
        let manufacturer = try #require(database.characteristic(0x2A29))
        try pair.world.perform(on: pair.centralID) { host, now, actions throws(OrderError) in
            _ = try host.read(links.central, manufacturer.valueHandle, at: now, into: &actions)
        }
        pair.world.run(for: .seconds(10)) { pair.central.results.count == 3 }
        #expect(pair.central.results.last == .value((0..<300).map { UInt8($0 & 0xFF) }))
    }

    @Test("Out of range, both hear of it when the supervision timeout ends")
    func supervisionTimeout() throws {
        let pair = WorldPair()
        _ = try #require(try pair.connect())
        pair.world.run(for: .seconds(1))
        let timeout = try #require(pair.central.connection).parameters.supervisionTimeout.span
        pair.world.move(pair.peripheralID, to: .metres(x: 10_000))
        pair.world.run(for: timeout - .milliseconds(200))
        #expect(pair.central.disconnection == nil && pair.peripheral.disconnection == nil)
        pair.world.run(for: .milliseconds(400))
        #expect(pair.central.disconnection == .connectionTimeout)
        #expect(pair.peripheral.disconnection == .connectionTimeout)
    }

    @Test("A disconnection tells each side whose wish it was")
    func disconnection() throws {
        let pair = WorldPair()
        let links = try #require(try pair.connect())
        try pair.world.perform(on: pair.centralID) { host, now, actions throws(OrderError) in
            try host.disconnect(links.central, at: now, into: &actions)
        }
        pair.world.run(for: .seconds(1))
        #expect(pair.central.disconnection == .connectionTerminatedByLocalHost)
        #expect(pair.peripheral.disconnection == .remoteUserTerminatedConnection)
    }

    @Test("An idle connection lasts for ten minutes, with the worst clocks allowed")
    func drift() throws {
        let fast = try #require(ClockDrift(partsPerMillion: 49)), slow = try #require(ClockDrift(partsPerMillion: -49))
        let pair = WorldPair(drift: (fast, slow))
        _ = try #require(try pair.connect())
        pair.world.run(for: .seconds(600))
        #expect(pair.central.disconnection == nil && pair.peripheral.disconnection == nil)
    }

    @Test(
        "Notifications arrive in order, despite a tenth of all frames being lost",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func lossyNotifications(seed: UInt64) throws {
        let pair = WorldPair(seed: seed)
        let links = try #require(try pair.connect())
        pair.world.setLossEverywhere(.percent(10))
        try pair.world.perform(on: pair.centralID) { host, now, actions throws(OrderError) in
            _ = try host.discoverAll(links.central, at: now, into: &actions)
        }
        pair.world.run(for: .seconds(60)) { !pair.central.results.isEmpty }
        guard case .database(let database) = pair.central.results.last, let key = database.characteristic(0xFFE1)
        else {
            Issue.record("no database with seed \(seed): \(pair.central.results)")
            return
        }
        try pair.world.perform(on: pair.centralID) { host, now, actions throws(OrderError) in
            _ = try host.subscribe(links.central, to: key, [.notifications], at: now, into: &actions)
        }
        pair.world.run(for: .seconds(10)) { pair.central.results.count == 2 }
        var sent: [[UInt8]] = []
        for index in 0..<200 {
            let value = [UInt8(index)] + [UInt8](repeating: UInt8(index & 0x0F), count: index % 19)
            let accepted = pair.world.perform(on: pair.peripheralID) { host, now, actions in
                host.notify(value, handle: key.valueHandle, at: now, into: &actions)
            }
            if accepted == true { sent.append(value) }
            pair.world.run(for: .milliseconds(20))
        }
        pair.world.run(for: .seconds(5))
        #expect(sent.count > 150)
        #expect(pair.central.notifications == sent)
    }
}
