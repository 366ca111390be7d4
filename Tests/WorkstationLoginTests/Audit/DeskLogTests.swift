import BluethroatAppEnvironment
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("What a desk notes in its log")
struct DeskLogTests {
    private let key = DeskKey(random: .seeded(7))

    /// What the lines say: event, and user, reason or seconds.
    private func said(_ storage: MemoryAudit) throws -> [String] {
        try storage.lines.map { line in
            let entry = try JSONDecoder().decode(AuditEntry.self, from: Data(line.utf8.dropFirst(65)))
            let rest = [entry.user, entry.reason, entry.seconds.map(String.init)].compactMap(\.self)
            return ([entry.event] + rest).joined(separator: " ")
        }
    }

    @Test(
        "Logins, refusals, locks and log-outs are noted in their order, by phone and at the desk, and no password or code"
    )
    func events() throws {
        let storage = MemoryAudit()
        let scene = LoginScene()
        let desk = scene.addDesk(log: try AuditLog(storage, key: key)), phone = scene.addPhone()
        try scene.logIn(phone, at: desk)
        desk.desk.lock()
        let other = scene.addPhone(at: .metres(x: -1))
        scene.run(for: .seconds(5))
        other.app.choose(LoginScene.identifier)
        other.app.submit(LoginScene.alice)
        scene.run { other.app.screen.page.wantsAnswer }
        scene.world.move(phone.phone.device, to: .metres(x: 100_000))
        scene.run { desk.desk.screen.session == nil }
        desk.desk.logIn(Credentials(user: "bob", password: "no"))
        desk.desk.logIn(Credentials(user: "bob", password: "battery staple"))
        desk.desk.endSession()
        #expect(
            try said(storage) == [
                "logged-in alice", "locked alice", "refused busy", "logged-out alice link-lost", "rejected bob",
                "logged-in bob", "logged-out bob at-desk",
            ]
        )
        let text = String(decoding: storage.log, as: UTF8.self)
        #expect(!text.contains("correct horse") && !text.contains("battery"))
        #expect(AuditReport(log: storage.log, head: storage.head, key: key).state == .whole)
    }

    @Test("The tenth failure closes the desk, and the log says so")
    func closing() throws {
        let storage = MemoryAudit()
        let scene = LoginScene()
        let desk = scene.addDesk(log: try AuditLog(storage, key: key))
        for number in 0..<10 { desk.desk.logIn(Credentials(user: "user\(number)", password: "no")) }
        #expect(try said(storage).suffix(2) == ["rejected user9", "closed 30"])
    }

    @Test("A phone that says nonsense without end fills no log and wears no disk, and others log in afterwards")
    func nonsenseWithoutEnd() throws {
        let storage = MemoryAudit(), tries = KeptTries()
        let scene = LoginScene()
        let desk = scene.addDesk(key: 7, tries: tries, log: try AuditLog(storage, key: key))
        let place = scene.phone("thief", at: .metres(x: 2))
        let thief = Intruder(on: place, in: scene.world)
        scene.run(for: .seconds(5)) { thief.pipe != nil }
        let visitor = try #require(desk.desk.visitors.first)
        // What comes out of the pipe, as fast as no radio is.
        let nonsense = LoginMessage.reveal(ephemeralKey: Data(count: 32), nonce: Data(count: 16)).bytes
        let began = storage.writes
        for _ in 0..<10_000 { visitor.pipe.received(nonsense) }
        #expect(desk.events.all.count { $0 == .intrusion } == 10)
        #expect(desk.events.all.count { $0 == .closed(seconds: 30) } == 1)
        #expect(try said(storage) == ["intrusion", "refused no-sense", "closed 30"])
        #expect(storage.writes == began + 6 && tries.writes == 10, "a line and a head each")
        // Once a second for ten minutes: the brake lets through one after 30 s, and after 60, 120 and 240 s more.
        for _ in 0..<600 {
            scene.run(for: .seconds(1))
            visitor.pipe.received(nonsense)
        }
        #expect(tries.writes == 14 && storage.lines.count <= 3 * 5)
        #expect(AuditReport(log: storage.log, head: storage.head, key: key).state == .whole)
        scene.world.remove(place.device)
        scene.run(for: .seconds(1_000))
        #expect(desk.desk.logIn(LoginScene.alice) == nil && desk.desk.screen.session?.user == "alice")
    }

    @Test("Failures at their most are kept once, however often there is another at the same wait")
    func keptOnce() {
        let tries = KeptTries()
        let scene = LoginScene()
        let desk = scene.addDesk(tries: tries)
        for _ in 0..<100 {
            scene.run(for: .seconds(1))
            _ = desk.desk.watch.failed(at: desk.desk.clock.now)
        }
        #expect(tries.writes == 15 && tries.failures.desk == .init(failures: 15, age: 0, wait: 900))
        // What was kept with less to wait is kept anew.
        scene.run(for: .seconds(100))
        desk.desk.keepFailures()
        #expect(tries.failures.desk.wait == 800)
        _ = desk.desk.watch.failed(at: desk.desk.clock.now)
        #expect(tries.writes == 17 && tries.failures.desk.wait == 900)
    }

    @Test("Nobody logs in whose login cannot be noted, by phone or at the desk; log-outs go on, and are noted later")
    func fullDisk() throws {
        let storage = MemoryAudit()
        let scene = LoginScene()
        let desk = scene.addDesk(key: 7, log: try AuditLog(storage, key: key))
        let phone = scene.addPhone(storage: try LoginScene.knowing())
        #expect(desk.desk.logIn(LoginScene.alice) == nil)
        storage.change { $0.room = $0.log.count }
        desk.desk.endSession()
        #expect(desk.desk.screen.session == nil && desk.events.all.last == .loggedOut(user: "alice", .atDesk))
        #expect(desk.desk.logIn(LoginScene.alice)?.hasSuffix("the disk is full; make room") == true)
        scene.run(for: .seconds(5))
        phone.app.choose(LoginScene.identifier)
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page.isConnected == false && desk.desk.screen.session == nil)
        #expect(desk.events.all.count { $0 == .loggedIn(user: "alice") } == 1)
        storage.change { $0.room = .max }
        #expect(desk.desk.logIn(LoginScene.alice) == nil && desk.desk.screen.session != nil)
        // The phone that stands at the desk with its digits asked for finds it taken.
        #expect(
            try said(storage) == [
                "logged-in alice", "logged-out alice at-desk",
                "unavailable log cannot be written: the disk is full; make room", "logged-in alice", "refused busy",
            ]
        )
    }

    @Test("A login that does not happen makes no failure forgotten, and whoever typed it is told")
    func nothingForgotten() throws {
        let storage = MemoryAudit()
        let scene = LoginScene()
        let answers = HeldAnswers()
        let desk = scene.addDesk(log: try AuditLog(storage, key: key), work: answers.work)
        func type(_ credentials: Credentials) {
            #expect(desk.desk.logIn(credentials) == nil)
        }
        for _ in 0..<4 {
            type(Credentials(user: "alice", password: "no"))
            answers.release()
        }
        for isKnown in [false, true] {
            type(LoginScene.alice)
            storage.change { $0.room = $0.log.count }
            if isKnown { desk.desk.tell(.refused(.otherDesk)) }
            let before = desk.events.all.count
            answers.release()
            let fault = "log cannot be written: the disk is full; make room"
            #expect(desk.desk.screen.session == nil && desk.events.all.count > before)
            #expect(desk.events.all.last == .unavailable(fault), "\(isKnown)")
            storage.change { $0.room = .max }
        }
        type(Credentials(user: "alice", password: "no"))
        answers.release()
        #expect(desk.events.all.last == .closedFor(user: "alice", seconds: 30), "the fifth")
    }

    @Test("A disk that fills up between the check and the login lets nobody in, at the desk or by phone")
    func fullMeanwhile() throws {
        for isPhone in [false, true] {
            let storage = MemoryAudit()
            let scene = LoginScene()
            let desk = scene.addDesk(key: 7, log: try AuditLog(storage, key: key))
            let phone = scene.addPhone(storage: try LoginScene.knowing())
            scene.run(for: .seconds(5))
            storage.change { $0.room = $0.log.count + 10 }
            if isPhone {
                phone.app.choose(LoginScene.identifier)
                scene.run { phone.app.screen.page.wantsAnswer }
                #expect(!phone.app.screen.page.isConnected)
            } else {
                #expect(desk.desk.logIn(LoginScene.alice) == nil, "nothing was wrong with the log until now")
            }
            #expect(desk.desk.screen.session == nil && !desk.events.all.contains(.loggedIn(user: "alice")))
            #expect(desk.events.all.contains { if case .unavailable = $0 { true } else { false } })
            #expect(storage.lines.isEmpty)
            storage.change { $0.room = .max }
            #expect(desk.desk.logIn(LoginScene.alice) == nil && desk.desk.screen.session?.user == "alice")
        }
    }
}
