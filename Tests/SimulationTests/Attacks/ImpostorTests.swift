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
    private static let often = AdvertisingParameters(interval: AdvertisingInterval(steps: 32)!)

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
            try host.startAdvertising(Self.often, at: now, into: &actions)
        }
        return id
    }

    /// The central calls an address, until there is a connection.
    private func comeBack(_ scene: AttackScene, to address: DeviceAddress) throws {
        scene.central.forget()
        try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
            try host.connect(to: address, at: now, into: &actions)
        }
        try #require(scene.world.run(for: .seconds(5)) { scene.central.connection != nil })
    }

    @Test("A central that comes back to a bonded peripheral takes no value from an impostor, read or sent by itself")
    func values() throws {
        let scene = AttackScene()
        try #require(try scene.connect())
        try #require(try scene.pair())
        let impostor = Recorder()
        let address = scene.address
        let id = try replace(scene, by: impostor)
        try comeBack(scene, to: address)
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

    @Test("A central that comes back to a bonded peripheral gets no channel of an impostor, nor what comes on one")
    func channels() throws {
        let scene = AttackScene()
        try #require(try scene.connect())
        try #require(try scene.pair())
        let impostor = Recorder()
        let address = scene.address, spsm = try #require(SPSM(rawValue: 0x80))
        let id = try replace(scene, by: impostor)
        for device in [id, scene.centralID] {
            try scene.world.perform(on: device) { host, _, _ throws(OrderError) in try host.listen(on: spsm) }
        }
        try comeBack(scene, to: address)
        try #require(scene.world.run(for: .seconds(5)) { impostor.connection != nil })
        let ends = [(scene.centralID, scene.central), (id, impostor)]
        for (device, end) in ends {
            let link = try #require(end.connection?.id)
            try scene.world.perform(on: device) { host, now, actions throws(OrderError) in
                try host.openChannel(link, to: spsm, at: now, into: &actions)
            }
        }
        scene.world.run(for: .seconds(1))
        let refused = scene.central.count {
            if case .channel(.openFailed(_, .refused(.insufficientAuthentication))) = $0 { true } else { false }
        }
        #expect(refused == 1)
        // It takes both for open: the one that it has asked for, and the one that it was asked for.
        let opened = impostor.events.compactMap {
            if case .channel(.opened(let channel)) = $0.event { channel.id } else { nil }
        }
        #expect(!opened.isEmpty)
        for channel in opened {
            try scene.world.perform(on: id) { host, now, actions throws(OrderError) in
                _ = try host.send([0x66], on: channel, at: now, into: &actions)
            }
        }
        scene.world.run(for: .seconds(1))
        #expect(scene.central.count { if case .channel(.received) = $0 { true } else { false } } == 0)
    }

    @Test("Nor does one that is called by the impostor, as a peripheral: no value, and no channel that it asks for")
    func called() throws {
        let scene = AttackScene()
        try #require(try scene.connect())
        try #require(try scene.pair())
        let impostor = Recorder()
        let id = try replace(scene, by: impostor)
        let spsm = try #require(SPSM(rawValue: 0x80)), victim = scene.centralID
        for device in [id, victim] {
            try scene.world.perform(on: device) { host, _, _ throws(OrderError) in try host.listen(on: spsm) }
        }
        scene.central.forget()
        try scene.world.perform(on: victim) { host, now, actions throws(OrderError) in
            try host.startAdvertising(Self.often, at: now, into: &actions)
        }
        let address = try #require(scene.world.publicAddress(of: victim))
        try scene.world.perform(on: id) { host, now, actions throws(OrderError) in
            try host.connect(to: address, at: now, into: &actions)
        }
        try #require(
            scene.world.run(for: .seconds(5)) { scene.central.connection != nil && impostor.connection != nil }
        )
        let link = try #require(scene.central.connection?.id), other = try #require(impostor.connection?.id)
        #expect(scene.world.perform(on: victim) { host, _, _ in host.awaitsProof(on: link) } == true)
        try scene.world.perform(on: victim) { host, now, actions throws(OrderError) in
            _ = try host.write([1, 0], link, 0x0103, at: now, into: &actions)
        }
        for _ in 0..<20 {
            try? scene.world.perform(on: victim) { host, now, actions throws(OrderError) in
                _ = try host.read(link, AttackScene.openValue, at: now, into: &actions)
            }
            scene.world.perform(on: id) { host, now, actions in
                _ = host.notify([0x67], handle: AttackScene.openValue, to: other, at: now, into: &actions)
            }
            scene.world.run(for: .milliseconds(50))
        }
        #expect(!scene.central.results.isEmpty)
        #expect(scene.central.results.allSatisfy { if case .value = $0 { false } else { true } })
        #expect(scene.central.notifications == [])
        try scene.world.perform(on: victim) { host, now, actions throws(OrderError) in
            try host.openChannel(link, to: spsm, at: now, into: &actions)
        }
        scene.world.run(for: .seconds(1))
        let refused = scene.central.count {
            if case .channel(.openFailed(_, .refused(.insufficientAuthentication))) = $0 { true } else { false }
        }
        #expect(refused == 1)
    }

    @Test("The bonded device itself, which calls and encrypts, is read from, as before")
    func proven() throws {
        let scene = AttackScene()
        try #require(try scene.connect())
        try #require(try scene.pair())
        scene.central.forget()
        let old = try #require(scene.peripheral.connection?.id)
        try scene.world.perform(on: scene.peripheralID) { host, now, actions throws(OrderError) in
            try host.disconnect(old, at: now, into: &actions)
        }
        scene.world.run(for: .seconds(1))
        try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
            try host.startAdvertising(Self.often, at: now, into: &actions)
        }
        let address = try #require(scene.world.publicAddress(of: scene.centralID))
        try scene.world.perform(on: scene.peripheralID) { host, now, actions throws(OrderError) in
            try host.connect(to: address, at: now, into: &actions)
        }
        try #require(scene.world.run(for: .seconds(5)) { scene.isEncrypted(scene.central, scene.centralID) })
        let link = try #require(scene.central.connection?.id)
        #expect(scene.world.perform(on: scene.centralID) { host, _, _ in host.awaitsProof(on: link) } == false)
        try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
            _ = try host.read(link, AttackScene.protectedValue, at: now, into: &actions)
        }
        scene.world.run(for: .seconds(1))
        #expect(scene.central.results.contains(.value([42])))
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

    // MARK: What is written

    private static let secret = Array("a secret".utf8)

    /// When an application writes to what it takes for a bonded peripheral.
    enum Moment: CaseIterable {
        /// As soon as it hears of the connection; it does not wait for encryption.
        case atOnce
        /// After it has heard that the link cannot be encrypted.
        case afterTheFailure
    }

    /// The central comes back to an address, and writes to it. Its host tries to encrypt the link meanwhile.
    private func write(_ scene: AttackScene, to address: DeviceAddress, _ moment: Moment) throws -> Eavesdropper {
        let listener = Eavesdropper()
        scene.world.tap = listener
        try comeBack(scene, to: address)
        if moment == .afterTheFailure { scene.world.run(for: .seconds(1)) }
        let link = try #require(scene.central.connection?.id)
        try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
            _ = try host.write(Self.secret, link, AttackScene.openValue, at: now, into: &actions)
        }
        scene.world.run(for: .seconds(2))
        return listener
    }

    @Test(
        "What an application writes to an impostor without waiting for encryption goes out in the clear",
        arguments: Moment.allCases
    )
    func writes(_ moment: Moment) throws {
        let scene = AttackScene()
        try #require(try scene.connect())
        try #require(try scene.pair())
        let impostor = Recorder()
        let address = scene.address
        _ = try replace(scene, by: impostor)
        let listener = try write(scene, to: address, moment)
        #expect(listener.heard(Self.secret))
        #expect(impostor.count { if case .server(.valueWritten(_, _, Self.secret)) = $0 { true } else { false } } == 1)
        // The impostor's response counts as a refusal. The link does not count as encrypted, and the application hears why.
        let refusal = ProcedureError.refused(.insufficientAuthentication, request: .writeRequest, handle: 0)
        #expect(scene.central.results == [.failed(refusal)])
        #expect(!scene.isEncrypted(scene.central, scene.centralID))
        #expect(
            scene.central.count {
                if case .security(.encryptionFailed(_, .pinOrKeyMissing)) = $0 { true } else { false }
            } == 1
        )
    }

    @Test("To the bonded device itself the same write goes out encrypted")
    func writesToTheDevice() throws {
        let scene = AttackScene()
        try #require(try scene.connect())
        try #require(try scene.pair())
        let before = try #require(scene.central.connection?.id)
        try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
            try host.disconnect(before, at: now, into: &actions)
        }
        scene.world.run(for: .seconds(1))
        scene.advertise()
        let listener = try write(scene, to: scene.address, .atOnce)
        #expect(scene.written == [Self.secret] && !listener.heard(Self.secret))
        #expect(scene.isEncrypted(scene.central, scene.centralID))
    }
}
