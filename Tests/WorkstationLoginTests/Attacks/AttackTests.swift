import AppTime
import CoreBluetooth
import Foundation
import Host
import Phones
import RadioMedium
import Simulation
import Testing
import VirtualTime

@testable import WorkstationLogin

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
            nearDesk: scene.phone("relay in the office", at: .metres(x: 1))
        )
        let victim = scene.addPhone(at: cafe, storage: storage)
        scene.run(for: .seconds(6)) { relay.isThrough }
        scene.run(for: .seconds(5))
        return (scene, desk, victim, relay)
    }

    /// The vault of somebody who has logged in at the desk with this key before.
    private func knowing(_ key: UInt64 = 7) throws -> MemoryVaultStorage {
        let scene = LoginScene()
        let desk = scene.addDesk(key: key), phone = scene.addPhone()
        try scene.logIn(phone, at: desk)
        return phone.storage
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
            let (scene, desk, victim, relay) = relayed(settings, storage: try knowing())
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
        let (scene, desk, victim, relay) = relayed(storage: try knowing())
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

    // MARK: A desk of the same digits

    @Test("A rogue desk with the digits of a known one gets nothing, and its person is told")
    func rogueKnown() throws {
        let scene = LoginScene()
        let loot = Collector()
        let rogue = scene.addDesk(key: 666, users: loot), phone = scene.addPhone(storage: try knowing())
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page == .otherKey(id))
        #expect(phone.app.screen.notice?.contains("Nothing was sent") == true)
        #expect(loot.credentials.isEmpty)
        // It can be a new machine under the old digits: then its monitor has to say so.
        phone.app.trustAnew()
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page.isCode)
        scene.run(for: .seconds(1))
        phone.app.enterCode(try #require(rogue.desk.screen.code))
        scene.run { phone.app.screen.page.isConnected }
        #expect(loot.credentials == [LoginScene.alice])
    }

    @Test("A rogue desk beside the true one only delays: the phone goes on to the one whose key it knows")
    func rogueBeside() throws {
        let scene = LoginScene()
        let loot = Collector()
        // It is much louder.
        _ = scene.addDesk(at: .metres(x: 0.9), key: 666, users: loot)
        let desk = scene.addDesk(key: 7), phone = scene.addPhone(storage: try knowing())
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page.isConnected && desk.desk.screen.session?.user == "alice")
        #expect(loot.credentials.isEmpty)
    }

    @Test("A rogue desk at the first visit: the monitor in front of the person shows no code, and nothing is sent")
    func rogueFirstTime() throws {
        let scene = LoginScene()
        let loot = Collector()
        _ = scene.addDesk(key: 666, users: loot)
        let phone = scene.addPhone()
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        phone.app.submit(LoginScene.alice)
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page.isCode)
        scene.run(for: .seconds(70))
        #expect(loot.credentials.isEmpty && phone.app.screen.page == .start)
    }

    @Test("A rogue desk that copies the public key of the true one cannot show that it is its own")
    func rogueCopy() throws {
        let (scene, _, victim, relay) = relayed(storage: try knowing())
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
            let storage = try knowing()
            let vault = CredentialVault(storage, cost: LoginScene.cheap)
            var record = try vault.open()
            record.credentials = credentials
            try vault.save(record)
            let (scene, desk, victim, relay) = relayed(storage: storage)
            victim.app.choose(id)
            scene.run { victim.app.screen.page.wantsAnswer }
            #expect(desk.desk.screen.session?.user == credentials.user)
            #expect(!contains(relay, credentials.user) && !contains(relay, credentials.password))
            lengths.append(relay.packets.map(\.bytes.count))
        }
        #expect(lengths[0] == lengths[1])
    }

    @Test("What was recorded of a login opens no session again, as it is or in parts")
    func replay() throws {
        let (scene, desk, victim, relay) = relayed(storage: try knowing())
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

    // MARK: Trying

    @Test("Whoever fails again and again has some tries in the first minutes, and then four in an hour")
    func slowedDown() {
        var watch = DeskGuard()
        var now = 0.0
        var times: [Double] = []
        while now < 86_400 {
            if let seconds = watch.wait(at: now) {
                now += Double(seconds)
            } else {
                times.append(now)
                _ = watch.failed(at: now)
                now += 0.1
            }
        }
        #expect(times.count { $0 < 3_600 } <= 14 && times.count <= 105, "\(times.count) in a day")
        watch.succeeded()
        #expect(watch.wait(at: now + 901) == nil && watch.failed(at: now + 901) == nil)
    }

    @Test("Who tries all identifiers gets few answers, and the right one is worth nothing by itself")
    func bruteForceIdentifier() throws {
        let scene = LoginScene()
        let desk = scene.addDesk()
        let thief = Intruder(on: scene.phone("thief", at: .metres(x: 2)), in: scene.world)
        scene.run(for: .seconds(5)) { thief.pipe != nil }
        var answers: [LoginMessage?] = []
        for number in 0..<20 {
            let digits = number == 2 ? id : DeskIdentifier(String(String(10_000 + number).dropFirst()))!
            let before = thief.heard.count
            thief.say(.hello(.init(identifier: digits, wantsCode: true, commitment: Data(count: 32))))
            scene.run(for: .seconds(2)) { thief.heard.count > before }
            answers.append(thief.heard.last)
            // It has said what it could have kept quiet about; what it takes is a promise that is kept.
            guard case .offer? = thief.heard.last else { continue }
            thief.say(.reveal(ephemeralKey: Data(count: 32), nonce: Data(count: 16)))
            scene.run(for: .seconds(1))
        }
        #expect(answers.count { $0 == .refusal(.otherDesk) } == 4)
        #expect(answers.dropFirst(6).allSatisfy { if case .refusal(.wait) = $0 { true } else { false } }, "\(answers)")
        #expect(desk.desk.screen.session == nil && desk.desk.screen.code == nil)
    }

    @Test("Who tries passwords is slowed down, too, and gets in afterwards with the right one")
    func bruteForcePassword() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(), phone = scene.addPhone()
        var tries = 0
        scene.run(for: .seconds(5))
        for _ in 0..<12 {
            switch phone.app.screen.page {
            case .credentials:
                tries += 1
                phone.app.submit(Credentials(user: "alice", password: "\(tries)"))
            case .code: phone.app.enterCode(desk.desk.screen.code ?? "")
            default: phone.app.choose(id)
            }
            scene.run(for: .seconds(5)) { phone.app.screen.page.wantsAnswer }
            scene.run(for: .milliseconds(200))
        }
        #expect(desk.events.all.count { $0 == .rejected(user: "alice") } == 5)
        #expect(desk.events.all.contains(.closed(seconds: 30)))
        #expect(desk.desk.screen.session == nil)
        phone.app.cancel()
        scene.run(for: .seconds(125))
        phone.app.choose(id)
        try scene.answer(phone, desk)
    }

    @Test("Arbitrary messages open nothing and stop nothing", arguments: 1...4)
    func hostile(seed: UInt64) throws {
        let scene = LoginScene(seed: seed)
        let desk = scene.addDesk()
        let place = scene.phone("thief", at: .metres(x: 2))
        let thief = Intruder(on: place, in: scene.world)
        scene.run(for: .seconds(5)) { thief.pipe != nil }
        let random = RandomBytes.seeded(seed)
        for _ in 0..<100 {
            var bytes = random([1, 4, 17, 33, 39, 49, 82, 200][Int(random(1)[0]) % 8])
            bytes[0] = random(1)[0] % 8
            if bytes.count == 39 {
                bytes[0] = 1
                bytes.replaceSubrange(1..<7, with: [1, bytes[2] & 1] + Data("4711".utf8))
            }
            thief.pipe?.send(bytes)
            scene.run(for: .milliseconds(200))
        }
        #expect(desk.desk.screen.session == nil)
        scene.world.remove(place.device)
        scene.run(for: .seconds(1_000))
        let phone = scene.addPhone()
        try scene.logIn(phone, at: desk)
    }

    // MARK: Pairing

    @Test("Who offers legacy pairing only is not talked to by a desk, and no desk with nothing else by a phone")
    func downgrade() throws {
        let scene = LoginScene()
        let desk = scene.addDesk()
        let old = scene.phone("old", at: .metres(x: 2), secureConnections: .never)
        let thief = Intruder(on: old, in: scene.world)
        scene.run(for: .seconds(10))
        #expect(thief.pipe == nil && thief.failure != nil)
        thief.say(packet: Data([1, 2, 3]))
        scene.run(for: .seconds(2))
        #expect(desk.events.all == [.advertising(true)])

        let other = LoginScene()
        let loot = Collector()
        _ = other.addDesk(users: loot, secureConnections: .never)
        let phone = other.addPhone()
        other.run(for: .seconds(5))
        phone.app.choose(id)
        phone.app.submit(LoginScene.alice)
        other.run(for: .seconds(60)) { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page == .start && phone.app.screen.notice == "Desk 4711 does not answer; try again")
        #expect(loot.credentials.isEmpty)
    }

    @Test("Even over a pairing that anybody can read, what is sent is sealed for the desk that was meant")
    func legacyAnyway() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(key: 7, secureConnections: .never)
        let phone = scene.addPhone(storage: try knowing(), secureConnections: .preferred)
        try scene.logIn(phone, at: desk)
        #expect(desk.desk.screen.session?.user == "alice")
    }
}
