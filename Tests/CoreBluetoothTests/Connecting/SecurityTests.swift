import BluethroatHost
import BluethroatKeyFob
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// Pairing and encryption as apps meet them. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("Pairing by use")
struct SecurityTests {
    private func connected() throws -> AppAndFob {
        var options = KeyFobOptions()
        options.pairing.demand = .encryption
        options.pairing.wantsProtection = false
        return try AppAndFob.connected(options: options)
    }

    private func readBattery(_ it: AppAndFob) throws {
        let battery = try #require(it.app.characteristic("2A19"))
        try #require(it.app.peripheral).readValue(for: battery)
    }

    @Test("A value that needs encryption is read after the phone has paired by itself [W19]")
    func pairs() throws {
        let it = try connected()
        try readBattery(it)
        try it.wait(for: "value")
        #expect(it.app.values.last?.1.count == 1 && it.app.errors.isEmpty)
        it.run(.seconds(1))
        #expect(it.phoneBonds.count == 1)
    }

    @Test("So is a subscription [W19]")
    func subscription() throws {
        let it = try connected()
        let keys = try #require(it.app.characteristic("FFE1"))
        try #require(it.app.peripheral).setNotifyValue(true, for: keys)
        try it.wait(for: "notifying true")
    }

    @Test("The next connection is encrypted with the bond's key, without pairing [W19]")
    func again() throws {
        let it = try connected()
        try readBattery(it)
        try it.wait(for: "value")
        it.run(.seconds(1))
        let bonds = it.phoneBonds
        try it.reconnect()
        try readBattery(it)
        try it.wait(for: "value", times: 2)
        #expect(it.phoneBonds.map(\.keyAsCentral) == bonds.map(\.keyAsCentral))
    }

    @Test("A peripheral that has lost the bond costs the connection, and the app is told why [O]")
    func lostBond() throws {
        let it = try connected()
        try readBattery(it)
        try it.wait(for: "value")
        it.run(.seconds(1))
        let peripheral = try #require(it.app.peripheral)
        it.app.manager.cancelPeripheralConnection(peripheral)
        try it.wait(for: "disconnected")
        it.touch { _, host, now, actions in
            for bond in host.bonds { try? host.removeBond(bond.peer, at: now, into: &actions) }
        }
        it.run(.seconds(1))
        it.advertiseAgain()
        it.app.manager.connect(peripheral)
        try it.wait(for: "disconnected", times: 2)
        #expect((it.app.errors.last as? CBError)?.code == .peerRemovedPairingInformation)
    }

    @Test("What pairing does not help with is refused with the peer's code [O]")
    func inVain() throws {
        var options = KeyFobOptions()
        options.pairing.demand = .authentication
        let it = try AppAndFob.connected(options: options)
        try readBattery(it)
        try it.wait(for: "value failed")
        #expect((it.app.errors.last as? CBATTError)?.code == .insufficientAuthentication)
    }
}

extension AppAndFob {
    var phoneBonds: [Bond] { world.perform(on: phone.device) { host, _, _ in host.bonds } ?? [] }

    /// The fob rests after a connection until somebody presses a key.
    func advertiseAgain() {
        guard !fob.model.isAdvertising else { return }
        touch { fob, host, now, actions in fob.toggleAdvertising(host: host, at: now, into: &actions) }
    }

    /// Hangs up, and connects again.
    func reconnect() throws {
        let peripheral = try #require(app.peripheral)
        app.manager.cancelPeripheralConnection(peripheral)
        try wait(for: "disconnected")
        run(.seconds(1))
        advertiseAgain()
        let connections = app.count("connected")
        let characteristics = app.count("characteristics")
        app.manager.connect(peripheral)
        try wait(for: "connected", times: connections + 1)
        peripheral.discoverServices(nil)
        try wait(for: "characteristics", times: characteristics + 7)
    }
}
