import BluethroatBluetoothValues
import BluethroatHost
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// BLESA (Wu and others, 2020): someone with the address of a bonded peripheral, and without its key, offers values in
/// the clear to a central that comes back.
@Suite("Impostors of bonded devices")
struct ImpostorTests {
    /// A peripheral that says what it wants to anybody, at the address of another.
    private func replace(_ scene: AttackScene, by application: Recorder) throws -> DeviceID {
        let address = scene.address
        scene.world.remove(scene.peripheralID)
        // The link, if there is one still.
        scene.world.run(for: .seconds(6))
        application.services = [
            ServiceDefinition(
                0xFFE0,
                handle: 0x0100,
                characteristics: [
                    CharacteristicDefinition(
                        0xFFE1,
                        properties: [.read, .write, .notify],
                        value: [0x66],
                        handle: 0x0101,
                        valueHandle: AttackScene.openValue
                    )
                ]
            )
        ]
        let id = scene.world.addDevice(
            named: "impostor",
            controller: ControllerConfiguration(publicAddress: address),
            at: .metres(x: 1),
            application: application
        )
        scene.world.run(for: .milliseconds(200))
        try scene.world.perform(on: id) { host, now, actions throws(OrderError) in
            try host.startAdvertising(
                AdvertisingParameters(interval: AdvertisingInterval(steps: 32)!),
                at: now,
                into: &actions
            )
        }
        return id
    }

    @Test("A central that comes back to a bonded peripheral takes no value from an impostor, read or sent by itself")
    func values() throws {
        let scene = AttackScene()
        try #require(try scene.connect())
        try #require(try scene.pair())
        let impostor = Recorder()
        let address = scene.address
        let id = try replace(scene, by: impostor)
        scene.central.forget()
        try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
            try host.connect(to: address, at: now, into: &actions)
        }
        try #require(scene.world.run(for: .seconds(5)) { scene.central.connection != nil })
        let link = try #require(scene.central.connection?.id)
        try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
            _ = try host.write([1, 0], link, 0x0103, at: now, into: &actions)
        }
        // Once at once, and then again and again, while the impostor notifies.
        for _ in 0..<40 {
            if scene.isConnected(scene.central) {
                try? scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
                    _ = try host.read(link, AttackScene.openValue, at: now, into: &actions)
                }
            }
            if let victim = impostor.connection?.id, scene.isConnected(impostor) {
                scene.world.perform(on: id) { host, now, actions in
                    _ = host.notify([0x67], handle: AttackScene.openValue, to: victim, at: now, into: &actions)
                }
            }
            scene.world.run(for: .milliseconds(50))
        }
        scene.world.run(for: .seconds(1))
        #expect(scene.central.results.allSatisfy { if case .value = $0 { false } else { true } })
        #expect(scene.central.notifications == [])
        // And the application hears why.
        #expect(
            scene.central.count {
                if case .security(.encryptionFailed(_, .pinOrKeyMissing)) = $0 { true } else { false }
            } == 1
        )
        #expect(!scene.isEncrypted(scene.central, scene.centralID))
    }

    @Test(
        "A spoofed advertisement of a bonded device brings it nothing but a link that is not encrypted, and no new bond"
    )
    func bonds() throws {
        let scene = AttackScene()
        try #require(try scene.connect())
        try #require(try scene.pair())
        let before = scene.world.perform(on: scene.centralID) { host, _, _ in host.bonds } ?? []
        #expect(before.count == 1)
        let address = scene.address
        let impostor = Recorder()
        _ = try replace(scene, by: impostor)
        try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
            try host.connect(to: address, at: now, into: &actions)
        }
        scene.world.run(for: .seconds(10))
        #expect(impostor.connection != nil)
        #expect(scene.world.perform(on: scene.centralID) { host, _, _ in host.bonds } == before)
    }
}
