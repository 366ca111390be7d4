import BluethroatHost
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("Whoever tries digits, passwords, messages and weaker pairings at a desk")
struct TryingTests {
    private let id = LoginScene.identifier

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
        #expect(answers.count { $0 == .refusal(.otherDesk) } == 9)
        #expect(answers.dropFirst(11).allSatisfy { if case .refusal(.wait) = $0 { true } else { false } }, "\(answers)")
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
        #expect(desk.events.all.contains(.closedFor(user: "alice", seconds: 30)))
        #expect(desk.desk.screen.session == nil)
        phone.app.cancel()
        scene.run(for: .seconds(125))
        phone.app.choose(id)
        try scene.answer(phone, desk)
    }

    @Test("Who hangs up before the answer has tried a password all the same")
    func hangsUp() throws {
        let scene = LoginScene()
        let answers = HeldAnswers()
        let desk = scene.addDesk(key: 7, work: answers.work)
        for number in 1...5 {
            let phone = try typing(Credentials(user: "alice", password: "\(number)"), in: scene)
            scene.run { !answers.isEmpty }
            scene.world.remove(phone.phone.device)
            // Longer than a supervision timeout.
            scene.run(for: .seconds(10))
            #expect(desk.desk.visitors.isEmpty)
            answers.release()
            #expect(desk.events.all.count { $0 == .rejected(user: "alice") } == number)
        }
        #expect(desk.events.all.contains(.closedFor(user: "alice", seconds: 30)))
        let phone = try typing(LoginScene.alice, in: scene)
        scene.run(for: .seconds(20)) { phone.app.screen.page.wantsAnswer }
        #expect(answers.isEmpty && desk.desk.screen.session == nil)
    }

    @Test("Who has several passwords checked at once tries no more of them than who tries one after the other")
    func severalAtOnce() throws {
        let scene = LoginScene()
        let answers = HeldAnswers()
        let desk = scene.addDesk(key: 7, work: answers.work)
        let wrong = Credentials(user: "alice", password: "no")
        func rejections() -> Int { desk.events.all.count { $0 == .rejected(user: "alice") } }
        for _ in 0..<2 {
            #expect(desk.desk.logIn(wrong) == nil)
            answers.release()
        }
        for number in 1...3 {
            let phone = try typing(wrong, in: scene)
            scene.run { answers.count == number }
            scene.world.remove(phone.phone.device)
            // Longer than a supervision timeout.
            scene.run(for: .seconds(10))
        }
        answers.release()
        // There is room for another check, but two that are under way may be the fourth and the fifth failure.
        #expect(rejections() == 3 && answers.count == 2)
        #expect(desk.desk.logIn(wrong)?.hasSuffix(Desk.busyReason) == true)
        let phone = try typing(wrong, in: scene)
        scene.run(for: .seconds(20)) { phone.app.screen.page.wantsAnswer }
        #expect(answers.count == 2 && rejections() == 3)
        // Of another name it is no matter.
        #expect(desk.desk.logIn(Credentials(user: "bob", password: "no")) == nil)
        while !answers.isEmpty { answers.release() }
        #expect(rejections() == 5 && desk.events.all.contains(.closedFor(user: "alice", seconds: 30)))
    }

    /// Another phone that knows the desk, and not a password: its person types one.
    private func typing(_ credentials: Credentials, in scene: LoginScene) throws -> LoginScene.PhonePlace {
        var settings = LoginSettings()
        settings.asksEachTime = true
        let phone = scene.addPhone(storage: try LoginScene.knowing(), settings: settings)
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        phone.app.submit(credentials)
        return phone
    }

    @Test("A wrong password whose check took too long counts, by phone and at the desk", arguments: [true, false])
    func late(byPhone: Bool) throws {
        let scene = LoginScene()
        let answers = HeldAnswers()
        let desk = scene.addDesk(key: 7, work: answers.work)
        let wrong = Credentials(user: "alice", password: "no")
        if byPhone {
            _ = try typing(wrong, in: scene)
            scene.run { !answers.isEmpty }
        } else {
            #expect(desk.desk.logIn(wrong) == nil)
        }
        scene.run(for: .seconds(Int64(Desk.checkSeconds) + 1))
        #expect(desk.events.all.contains { if case .unavailable = $0 { true } else { false } })
        #expect(!desk.events.all.contains(.rejected(user: "alice")))
        try #require(answers.count == 1)
        answers.release()
        #expect(desk.events.all.last == .rejected(user: "alice"))
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
        let phone = scene.addPhone(storage: try LoginScene.knowing(), secureConnections: .preferred)
        try scene.logIn(phone, at: desk)
        #expect(desk.desk.screen.session?.user == "alice")
    }
}
