import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import Synchronization
import Testing

@testable import BluethroatWorkstationLogin

@Suite("A phone that visits a desk and does not finish")
struct HoldingTests {
    private let id = LoginScene.identifier

    @Test("A phone that begins again and again without an end is counted, and the desk says that it is closed")
    func beginsAgain() {
        let scene = LoginScene()
        let desk = scene.addDesk()
        let thief = Intruder(on: scene.phone("thief", at: .metres(x: 2)), in: scene.world)
        scene.run(for: .seconds(5)) { thief.pipe != nil }
        for _ in 0..<40 where !desk.events.all.contains(.closed(seconds: 30)) {
            let before = thief.heard.count
            thief.say(.hello(.init(identifier: id, wantsCode: false, commitment: Data(count: 32))))
            // The offer, and that it was too slow.
            scene.run(for: .seconds(15)) { thief.heard.count > before + 1 }
        }
        #expect(desk.events.all.contains(.closed(seconds: 30)))
        #expect(desk.events.all.filter { $0 == .refused(.tooSlow) }.count <= 31)
        #expect(desk.desk.screen.notice == "Too many failures: closed for 30 s")
    }

    @Test(
        "Who says hello without end, and takes no answers, gets eight; who takes them does not fill a log",
        arguments: [false, true]
    )
    func hellos(_ listens: Bool) throws {
        let scene = LoginScene()
        let desk = scene.addDesk()
        let thief = Intruder(on: scene.phone("thief", at: .metres(x: 2)), in: scene.world)
        scene.run(for: .seconds(5)) { thief.pipe != nil }
        thief.listens = listens
        let other = try #require(DeskIdentifier("4712"))
        let hello = LoginMessage.hello(.init(identifier: other, wantsCode: false, commitment: Data(count: 32))).bytes
        for number in 0..<300 {
            let id = UInt32(number), digest = Frame.digest(of: hello)
            thief.say(packet: Frame.begin(id: id, length: UInt32(hello.count), digest: digest, payload: hello).packet)
            scene.run(for: .milliseconds(15))
        }
        let refusals = desk.events.all.count { if case .refused = $0 { true } else { false } }
        #expect(refusals == 8 || listens && (8...14).contains(refusals), "\(refusals)")
        let waiting = desk.desk.visitors.map(\.pipe.waitingCount)
        #expect(waiting.count == 1 && waiting[0] <= 8 && (listens || waiting[0] == 8), "\(waiting)")
    }

    @Test("A phone that asks for digits and breaks off is counted each time: it cannot search for digits")
    func breaksOff() {
        let scene = LoginScene()
        let desk = scene.addDesk()
        let thief = DeskCaller(on: scene.phone("thief", at: .metres(x: 2)))
        let hello = LoginMessage.hello(.init(identifier: id, wantsCode: true, commitment: Data(count: 32))).bytes
        let packet = Frame.begin(id: 1, length: UInt32(hello.count), digest: Frame.digest(of: hello), payload: hello)
            .packet
        scene.run(for: .seconds(5)) { thief.isThrough }
        let begin = scene.world.now
        var offers = 0
        for _ in 0..<200 {
            let before = thief.count
            thief.throwIn(packet)
            scene.run(for: .seconds(1)) { thief.count > before }
            guard desk.desk.visitors.contains(where: { $0.conversation.phase == .offered }) else { break }
            offers += 1
            thief.listen(false)
            scene.run(for: .seconds(1)) { desk.desk.visitors.isEmpty }
            thief.listen(true)
            scene.run(for: .seconds(1)) { !desk.desk.visitors.isEmpty }
        }
        #expect(offers == 10 && scene.world.now < begin + .seconds(10), "\(offers)")
        #expect(desk.events.all.contains(.closed(seconds: 30)))
        // To subscribe anew brings no more lines in the output.
        let refusals = { desk.events.all.count { if case .refused = $0 { true } else { false } } }
        for _ in 0..<40 {
            thief.throwIn(packet)
            scene.run(for: .milliseconds(50))
            thief.listen(false)
            scene.run(for: .milliseconds(50))
            thief.listen(true)
            scene.run(for: .milliseconds(50))
        }
        #expect((1...16).contains(refusals()), "\(refusals())")
    }

    @Test("A visit ends after three minutes, however busy it is, and the next phone gets its turn")
    func longVisit() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(users: Unreachable()), phone = scene.addPhone()
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        phone.app.submit(LoginScene.alice)
        scene.run { phone.app.screen.page.isCode && desk.desk.screen.code != nil }
        phone.app.enterCode(try #require(desk.desk.screen.code))
        let began = scene.world.now
        while !desk.events.all.contains(.refused(.tooSlow)), scene.world.now < began + .seconds(400) {
            scene.run(for: .seconds(40))
            if case .credentials = phone.app.screen.page { phone.app.submit(LoginScene.alice) }
        }
        #expect(scene.world.now < began + .seconds(230))
        #expect(desk.events.all.contains(.refused(.tooSlow)))
    }

    @Test("Wrong passwords of one name make that name wait, and others are let in meanwhile")
    func oneNameWaits() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(), phone = scene.addPhone(), other = scene.addPhone(at: .metres(x: 2))
        scene.run(for: .seconds(5))
        for number in 0..<8 where !desk.events.all.contains(.closedFor(user: "alice", seconds: 30)) {
            if case .credentials = phone.app.screen.page {} else { phone.app.choose(id) }
            phone.app.submit(Credentials(user: "alice", password: "\(number)"))
            scene.run(for: .seconds(10)) { phone.app.screen.page.wantsAnswer }
            scene.run(for: .seconds(1))
            if phone.app.screen.page.isCode { phone.app.enterCode(try #require(desk.desk.screen.code)) }
            scene.run(for: .seconds(5)) { phone.app.screen.page.wantsAnswer }
        }
        #expect(desk.events.all.contains(.closedFor(user: "alice", seconds: 30)))
        phone.app.cancel()
        scene.run(for: .seconds(1))
        try scene.logIn(other, at: desk, as: Credentials(user: "bob", password: "battery staple"))
        #expect(desk.desk.screen.session?.user == "bob")
        // And bob's login has not given alice's name new tries.
        desk.desk.endSession()
        scene.run(for: .seconds(2))
        phone.app.choose(id)
        phone.app.submit(LoginScene.alice)
        scene.run(for: .seconds(10)) { phone.app.screen.page.wantsAnswer }
        guard case .credentials(_, let fault?) = phone.app.screen.page else {
            return _ = Issue.record("\(phone.app.screen.page)")
        }
        #expect(fault.contains("the desk is closed for"))
    }
}

/// A verifier that never knows.
private struct Unreachable: CredentialVerifier {
    func verify(_ credentials: Credentials) -> CredentialVerdict { .unavailable("no answer") }
}
