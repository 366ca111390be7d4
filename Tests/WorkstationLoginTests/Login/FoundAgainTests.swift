import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("A desk that is not where it was heard")
struct FoundAgainTests {
    private let id = LoginScene.identifier
    private let away = Position.metres(x: 100_000)

    /// Somebody was at a desk, has left, and the phone no longer looks for desks.
    private func leave(_ scene: LoginScene, _ phone: LoginScene.PhonePlace, _ desk: LoginScene.DeskPlace) throws {
        try scene.logIn(phone, at: desk)
        phone.app.askToEnd()
        phone.app.confirmEnd()
        scene.run { phone.app.screen.page == .start }
        scene.run(for: .seconds(5))
    }

    /// Presses the desk's button; after how many seconds the phone waits for its person.
    private func press(_ scene: LoginScene, _ phone: LoginScene.PhonePlace) -> Double {
        let began = scene.world.now
        phone.app.choose(id)
        scene.run(for: .seconds(60)) { phone.app.screen.page.wantsAnswer }
        return (scene.world.now - began).inSeconds
    }

    @Test("A desk that was restarted with its key, and has another address, is found by one press", arguments: 1...20)
    func restarted(seed: UInt64) throws {
        let scene = LoginScene(seed: seed)
        let desk = scene.addDesk(key: 7), phone = scene.addPhone()
        try leave(scene, phone, desk)
        // What was a process is gone, and another one has its key.
        scene.world.move(desk.phone.device, to: away)
        let again = scene.addDesk(key: 7)
        scene.run(for: .seconds(1))
        let seconds = press(scene, phone)
        #expect(phone.app.screen.page.isConnected && seconds < 8, "\(phone.app.screen) after \(seconds) s")
        #expect(again.desk.screen.session?.user == "alice" && phone.app.screen.registry == [id])
        // And again, at once: what was stale is gone.
        again.desk.endSession()
        scene.run { phone.app.screen.page == .start }
        #expect(press(scene, phone) < 3 && phone.app.screen.page.isConnected)
    }

    @Test("A desk that is gone is given up after eight seconds, with one line, and not listed as near any more")
    func gone() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(key: 7), phone = scene.addPhone()
        try leave(scene, phone, desk)
        scene.world.move(desk.phone.device, to: away)
        let seconds = press(scene, phone)
        #expect(
            phone.app.screen.page == .notFound(id) && abs(seconds - 8) < 0.1,
            "\(phone.app.screen) after \(seconds) s"
        )
        #expect(phone.app.screen.registry == [] && phone.app.screen.notice == nil)
        // Switched on again, it is there: the button searches.
        scene.world.move(desk.phone.device, to: .origin)
        phone.app.choose(id)
        #expect(phone.app.screen.page == .searching(id))
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page.isConnected)
    }

    @Test("A desk that comes back while it is looked for again is connected, under its old address, too")
    func back() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(key: 7), phone = scene.addPhone()
        try leave(scene, phone, desk)
        scene.world.move(desk.phone.device, to: away)
        phone.app.choose(id)
        scene.run(for: .seconds(4))
        #expect(phone.app.screen.page == .connecting(id))
        scene.world.move(desk.phone.device, to: .origin)
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page.isConnected)
    }

    @Test("A rogue desk beside one that was restarted only delays; beside one that is gone its person is told")
    func rogue() throws {
        for isGone in [false, true] {
            let scene = LoginScene()
            let loot = Collector()
            let desk = scene.addDesk(key: 7), phone = scene.addPhone()
            try leave(scene, phone, desk)
            _ = scene.addDesk(at: .metres(x: 0.9), key: 666, users: loot)
            phone.app.rescan()
            scene.run(for: .seconds(5))
            scene.world.move(desk.phone.device, to: away)
            if !isGone { _ = scene.addDesk(key: 7) }
            _ = press(scene, phone)
            #expect(isGone ? phone.app.screen.page == .otherKey(id) : phone.app.screen.page.isConnected)
            #expect(loot.credentials.isEmpty)
        }
    }

    @Test("Out of reach at once and back after twelve seconds, the phone logs in again; meanwhile no desk is near")
    func nearAgain() throws {
        let scene = LoginScene()
        var settings = LoginSettings()
        settings.loginByNearness = true
        let desk = scene.addDesk(), phone = scene.addPhone(at: .metres(x: 0.4), settings: settings)
        try scene.logIn(phone, at: desk)
        scene.world.move(phone.phone.device, to: .metres(x: 5_000))
        scene.run(for: .seconds(12))
        #expect(desk.desk.screen.session == nil && phone.app.screen.page == .start)
        #expect(phone.app.screen.notice == "The desk is out of reach; the session has ended there")
        #expect(phone.app.screen.registry == [])
        scene.world.move(phone.phone.device, to: .metres(x: 0.4))
        scene.run { desk.desk.screen.session != nil }
        scene.run(for: .seconds(1))
        #expect(desk.desk.screen.session?.user == "alice" && phone.app.screen.page.isConnected)
        // Who is logged out at the desk stays so while the phone lies there.
        desk.desk.endSession()
        scene.run(for: .seconds(30))
        #expect(desk.desk.screen.session == nil)
    }

    @Test(
        "A lost link is away, whether the desk ends the session, waits locked, or keeps it: coming back logs in again",
        arguments: [(0, true), (60, true), (0, false)] as [(TimeInterval, Bool)]
    )
    func lostLinkIsAway(linkLoss: TimeInterval, endsWithLink: Bool) throws {
        let scene = LoginScene()
        var settings = LoginSettings(), waiting = Desk.Settings()
        settings.loginByNearness = true
        settings.endsWithLink = endsWithLink
        waiting.linkLossSeconds = linkLoss
        let desk = scene.addDesk(settings: waiting), phone = scene.addPhone(at: .metres(x: 0.4), settings: settings)
        try scene.logIn(phone, at: desk)
        for _ in 1...2 {
            scene.world.move(phone.phone.device, to: .metres(x: 5_000))
            scene.run(for: .seconds(12))
            #expect(phone.app.screen.page == .start)
            #expect((desk.desk.screen.session == nil) == (linkLoss == 0 && endsWithLink))
            #expect((desk.desk.screen.session?.isLocked ?? false) == (linkLoss > 0))
            scene.world.move(phone.phone.device, to: .metres(x: 0.4))
            scene.run { phone.app.screen.page.isConnected }
            #expect(phone.app.screen.page.isConnected)
            #expect(desk.desk.screen.session == DeskScreen.Session(user: "alice"))
            #expect(desk.events.all.last == .loggedIn(user: "alice"))
        }
        // Each session has ended before the next, and no desk's timer ends the last one.
        scene.run(for: .seconds(70))
        #expect(desk.events.all.count { $0 == .loggedIn(user: "alice") } == 3)
        #expect(desk.events.all.count { $0 == .loggedOut(user: "alice", .linkLost) } == 2)
        #expect(desk.desk.screen.session == DeskScreen.Session(user: "alice"))
    }
}
