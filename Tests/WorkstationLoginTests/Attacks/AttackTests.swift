import BluethroatAppEnvironment
import BluethroatHost
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("Attacks on the workstation login")
struct AttackTests {
    private let id = LoginScene.identifier
    private let cafe = Position.metres(x: 50_000)

    /// A desk in the office, a victim in a café, and a relay between the two.
    private func relayed(
        _ settings: Desk.Settings = Desk.Settings(),
        storage: MemoryVaultStorage = MemoryVaultStorage(),
        key: UInt64 = 7
    ) -> (scene: LoginScene, desk: LoginScene.DeskPlace, victim: LoginScene.PhonePlace, relay: Relay) {
        let scene = LoginScene(seed: 3)
        let desk = scene.addDesk(key: key, settings: settings)
        let relay = Relay(
            id,
            nearVictim: scene.phone("relay in the café", at: .metres(x: 50_001)),
            nearDesk: scene.phone("relay in the office", at: .metres(x: 1)),
            clock: .of(scene.world)
        )
        let victim = scene.addPhone(at: cafe, storage: storage)
        scene.run(for: .seconds(6)) { relay.isThrough }
        scene.run(for: .seconds(5))
        return (scene, desk, victim, relay)
    }

    private func contains(_ relay: Relay, _ text: String) -> Bool {
        let all = relay.packets.map(\.bytes).reduce(Data(), +)
        return all.range(of: Data(text.utf8)) != nil
    }

    // MARK: Relay

    @Test("Relay, first visit: the code is on a monitor that the victim does not see, and nothing is sent")
    func relayFirstTime() throws {
        let (scene, desk, victim, relay) = relayed()
        victim.app.choose(id)
        victim.app.submit(LoginScene.alice)
        scene.run { victim.app.screen.page.wantsAnswer }
        #expect(victim.app.screen.page.isCode)
        scene.run(for: .seconds(70))
        #expect(victim.app.screen.page == .start && desk.desk.screen.session == nil)
        #expect(!contains(relay, "alice") && !contains(relay, "correct horse"))
    }

    @Test(
        "Relay to a known desk: it hears nothing of use, but its session is the victim's, unless the desk demands its code"
    )
    func relayKnown() throws {
        for policy in Desk.Settings.CodePolicy.allCases {
            var settings = Desk.Settings()
            settings.code = policy
            let (scene, desk, victim, relay) = relayed(settings, storage: try LoginScene.knowing())
            victim.app.choose(id)
            scene.run { victim.app.screen.page.wantsAnswer }
            scene.run(for: .seconds(2))
            // What passes is what both would have said face to face: only somebody's eyes can tell.
            #expect((desk.desk.screen.session != nil) == (policy == .firstTime))
            #expect(victim.app.screen.page.isCode == (policy == .always))
            #expect(!contains(relay, "alice") && !contains(relay, "correct horse"))
        }
    }

    @Test("A relay that changes a byte ends the conversation, whichever byte", arguments: 0..<24)
    func relayChanges(number: Int) throws {
        let (scene, desk, victim, relay) = relayed(storage: try LoginScene.knowing())
        var count = 0
        relay.change = { packet in
            // A packet with another digest, so that only the messages' own protection is left.
            guard let frame = Frame(packet.bytes), case .begin(let id, let length, _, var payload) = frame,
                payload.count > 8
            else { return packet.bytes }
            defer { count += 1 }
            guard count == number / 6 else { return packet.bytes }
            payload[[0, 1, 7, 8, payload.count / 2, payload.count - 1][number % 6]] ^= 1
            return Frame.begin(id: id, length: length, digest: Frame.digest(of: payload), payload: payload).packet
        }
        victim.app.choose(id)
        scene.run(for: .seconds(20))
        #expect(count > number / 6 || number >= 18, "there were so many messages")
        if count > number / 6 { #expect(desk.desk.screen.session == nil, "message \(number / 6)") }
    }

    @Test(
        "A man in the middle with keys of his own has another code on the desk than the phone expects",
        arguments: 1...20
    )
    func middle(seed: UInt64) throws {
        let scene = LoginScene(seed: seed)
        let loot = Collector()
        let desk = scene.addDesk()
        // His desk is where the victim is; his phone is where the desk is.
        let falseDesk = scene.addDesk(at: .metres(x: 50_001), users: loot)
        let puppet = scene.addPhone()
        let victim = scene.addPhone(at: cafe)
        scene.run(for: .seconds(5))
        victim.app.choose(id)
        victim.app.submit(LoginScene.alice)
        puppet.app.choose(id)
        puppet.app.submit(Credentials(user: "x", password: "y"))
        scene.run { desk.desk.screen.code != nil && victim.app.screen.page.isCode }
        // Somebody reads the true monitor to the victim by telephone.
        let code = try #require(desk.desk.screen.code)
        #expect(code != falseDesk.desk.screen.code)
        for _ in 0..<3 { victim.app.enterCode(code) }
        scene.run(for: .seconds(5))
        #expect(victim.app.screen.page == .start && victim.app.screen.notice?.contains("Nothing was sent") == true)
        #expect(loot.credentials.isEmpty && desk.desk.screen.session == nil)
    }

    // MARK: Rogue desk

    @Test("A rogue desk that copies the public key of the true one cannot show that it is its own")
    func rogueCopy() throws {
        let (scene, _, victim, relay) = relayed(storage: try LoginScene.knowing())
        let own = DeskKey(random: .seeded(666))
        let truth = DeskKey(random: .seeded(7))
        var handshake: DeskHandshake?
        // The relay answers hello itself: with the true public key, and no idea of the secret one.
        relay.change = { packet in
            guard packet.isForDesk, case .begin(_, _, _, let payload)? = Frame(packet.bytes),
                let message = LoginMessage(payload)
            else { return packet.isForDesk ? nil : packet.bytes }
            if case .hello(let hello) = message {
                handshake = DeskHandshake(hello, deskKey: own, demandsCode: false, random: .seeded(1))
            }
            return packet.bytes
        }
        // Whatever comes back from the desk is replaced in the same way.
        let forward = relay.change
        relay.change = { packet in
            guard !packet.isForDesk, case .begin(let id, _, _, let payload)? = Frame(packet.bytes),
                case .offer(var offer)? = LoginMessage(payload), let handshake,
                case .offer(let fake)? = LoginMessage(handshake.offer)
            else { return forward(packet) }
            offer.ephemeralKey = fake.ephemeralKey
            #expect(offer.deskKey == truth.publicKey)
            let bytes = LoginMessage.offer(offer).bytes
            return Frame.begin(id: id, length: UInt32(bytes.count), digest: Frame.digest(of: bytes), payload: bytes)
                .packet
        }
        victim.app.choose(id)
        scene.run(for: .seconds(60)) { victim.app.screen.page.wantsAnswer }
        #expect(!victim.app.screen.page.isConnected, "\(victim.app.screen)")
        #expect(handshake != nil)
    }

    // MARK: Sniffer, replay

    @Test("A sniffer that has even the link's keys sees neither names nor passwords, nor how long they are")
    func sniffer() throws {
        var lengths: [[Int]] = []
        for credentials in [LoginScene.alice, Credentials(user: "bob", password: "battery staple")] {
            let storage = try LoginScene.knowing()
            let vault = CredentialVault(storage, cost: LoginScene.cheap)
            var record = try vault.open()
            record.credentials = credentials
            try vault.save(record)
            let (scene, desk, victim, relay) = relayed(storage: storage)
            victim.app.choose(id)
            scene.run { victim.app.screen.page.wantsAnswer }
            #expect(desk.desk.screen.session?.user == credentials.user)
            #expect(!contains(relay, credentials.user) && !contains(relay, credentials.password.text))
            lengths.append(relay.packets.map(\.bytes.count))
        }
        #expect(lengths[0] == lengths[1])
    }

    @Test("What was recorded of a login opens no session again, as it is or in parts")
    func replay() throws {
        let (scene, desk, victim, relay) = relayed(storage: try LoginScene.knowing())
        victim.app.choose(id)
        scene.run { victim.app.screen.page.isConnected }
        scene.run(for: .seconds(1))
        desk.desk.endSession()
        scene.run(for: .seconds(2))
        let recorded = relay.packets.filter(\.isForDesk).map(\.bytes)
        #expect(recorded.count >= 3)

        let thief = Intruder(on: scene.phone("thief", at: .metres(x: 2)), in: scene.world)
        scene.run(for: .seconds(5)) { thief.pipe != nil }
        for packet in recorded {
            thief.say(packet: packet)
            scene.run(for: .milliseconds(500))
        }
        scene.run(for: .seconds(5))
        #expect(desk.desk.screen.session == nil)
        // The desk has another key and another nonce each time, and so what was sealed is sealed with others.
        #expect(desk.events.all.contains(.intrusion))
        #expect(desk.events.all.count { $0 == .loggedIn(user: "alice") } == 1)
    }

    @Test("What was said in a session does not count a second time in it: nothing unlocks a desk by repetition")
    func repetition() throws {
        let (scene, desk, victim, relay) = relayed(storage: try LoginScene.knowing())
        victim.app.choose(id)
        scene.run { victim.app.screen.page.isConnected }
        victim.app.setDeskLocked(true)
        scene.run { desk.desk.screen.session?.isLocked == true }
        let before = relay.packets.count
        victim.app.setDeskLocked(false)
        scene.run { desk.desk.screen.session?.isLocked == false }
        let forDesk = relay.packets[before...].filter(\.isForDesk)
        guard case .begin(_, _, _, let unlocking)? = forDesk.first.flatMap({ Frame($0.bytes) }) else {
            return _ = Issue.record("nothing was heard")
        }
        victim.app.setDeskLocked(true)
        scene.run { desk.desk.screen.session?.isLocked == true }
        // As a message of its own, which the framed mode does not know again.
        let digest = Frame.digest(of: unlocking)
        relay.say(Frame.begin(id: 1, length: UInt32(unlocking.count), digest: digest, payload: unlocking).packet)
        scene.run(for: .seconds(3))
        #expect(desk.desk.screen.session == nil && desk.events.all.contains(.intrusion))
    }
}
