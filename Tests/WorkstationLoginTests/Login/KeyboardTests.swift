import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("A password typed at the desk, and a phone that keeps none")
struct KeyboardTests {
    private let id = LoginScene.identifier

    @Test("The right password opens a session without a phone, which phones find taken; it ends at the desk")
    func session() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(), phone = scene.addPhone()
        scene.run(for: .seconds(5))
        #expect(desk.desk.logIn(LoginScene.alice) == nil)
        #expect(desk.desk.screen.session == DeskScreen.Session(user: "alice"))
        #expect(desk.events.all.last == .loggedIn(user: "alice"))
        #expect(desk.desk.logIn(LoginScene.alice) == "alice is logged in already")
        phone.app.choose(id)
        phone.app.submit(LoginScene.alice)
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.notice == "Somebody else is at desk 4711")
        desk.desk.lock()
        #expect(desk.desk.screen.session?.isLocked == true)
        #expect(desk.desk.logIn(LoginScene.alice) == nil && desk.desk.screen.session?.isLocked == false)
        desk.desk.endSession()
        #expect(desk.desk.screen.session == nil && desk.events.all.last == .loggedOut(user: "alice", .atDesk))
        try scene.logIn(phone, at: desk)
    }

    @Test("Who types guesses waits as who sends them does: the name after five, the desk after ten")
    func guessing() {
        let scene = LoginScene()
        let desk = scene.addDesk()
        for _ in 0..<5 { #expect(desk.desk.logIn(Credentials(user: "alice", password: "no")) == nil) }
        #expect(desk.events.all.last == .closedFor(user: "alice", seconds: 30))
        #expect(desk.desk.logIn(LoginScene.alice) == "too many failures of alice, who has to wait 30 s")
        for number in 0..<5 { desk.desk.logIn(Credentials(user: "guess\(number)", password: "no")) }
        let bob = Credentials(user: "bob", password: "battery staple")
        #expect(desk.desk.logIn(bob) == "too many failures; the desk is closed for 30 s")
        scene.run(for: .seconds(31))
        #expect(desk.desk.logIn(bob) == nil && desk.desk.screen.session?.user == "bob")
    }

    @Test("A phone on its way is turned away when somebody has logged in at the desk itself, and sends nothing")
    func turnedAway() {
        let scene = LoginScene()
        let loot = Collector()
        let desk = scene.addDesk(users: loot), phone = scene.addPhone()
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        phone.app.submit(LoginScene.alice)
        scene.run { phone.app.screen.page.isCode && desk.desk.screen.code != nil }
        let code = desk.desk.screen.code ?? ""
        let bob = Credentials(user: "bob", password: "battery staple")
        #expect(desk.desk.logIn(bob) == nil && desk.desk.screen.code == nil)
        phone.app.enterCode(code)
        scene.run { phone.app.screen.page.wantsAnswer && !phone.app.screen.page.isCode }
        scene.run(for: .seconds(5))
        #expect(desk.desk.screen.session?.user == "bob" && phone.app.screen.page == .start)
        #expect(loot.credentials == [bob])
    }

    @Test("Who types the password goes on where a phone was lost, and the session does not end with the phone")
    func lostPhone() throws {
        let scene = LoginScene()
        var settings = Desk.Settings()
        settings.linkLossSeconds = 10
        let desk = scene.addDesk(settings: settings), phone = scene.addPhone()
        try scene.logIn(phone, at: desk)
        scene.world.move(phone.phone.device, to: .metres(x: 100_000))
        scene.run { desk.desk.screen.session?.isLocked == true }
        let bob = Credentials(user: "bob", password: "battery staple")
        #expect(desk.desk.logIn(bob)?.hasPrefix("alice is logged in") == true)
        #expect(desk.desk.logIn(LoginScene.alice) == nil)
        scene.run(for: .seconds(60))
        #expect(desk.desk.screen.session == DeskScreen.Session(user: "alice"))
    }

    @Test("Who goes on at the desk where a phone was lost turns away another one on its way; the session stays")
    func turnedAwayByUnlocking() throws {
        let scene = LoginScene()
        var settings = Desk.Settings()
        settings.linkLossSeconds = 100
        let desk = scene.addDesk(settings: settings), phone = scene.addPhone(), other = scene.addPhone()
        try scene.logIn(phone, at: desk)
        scene.world.move(phone.phone.device, to: .metres(x: 100_000))
        scene.run { desk.desk.screen.session?.isLocked == true }
        other.app.choose(id)
        other.app.submit(Credentials(user: "bob", password: "battery staple"))
        scene.run { other.app.screen.page.isCode && desk.desk.screen.code != nil }
        let code = desk.desk.screen.code ?? ""
        #expect(desk.desk.logIn(LoginScene.alice) == nil && desk.desk.screen.code == nil)
        other.app.enterCode(code)
        scene.run { other.app.screen.page.wantsAnswer && !other.app.screen.page.isCode }
        scene.run(for: .seconds(200))
        #expect(desk.desk.screen.session == DeskScreen.Session(user: "alice") && other.app.screen.page == .start)
        #expect(desk.events.all.filter { if case .loggedIn = $0 { true } else { false } } == [.loggedIn(user: "alice")])
    }

    @Test("A phone that asks each time keeps neither name nor password, and forgets those that it had")
    func asksEachTime() throws {
        let scene = LoginScene()
        var settings = LoginSettings()
        settings.asksEachTime = true
        let desk = scene.addDesk(), phone = scene.addPhone(settings: settings)
        for visit in 1...2 {
            try scene.logIn(phone, at: desk)
            #expect(phone.app.vault.record?.credentials == nil && phone.app.typed == nil, "\(visit)")
            #expect(phone.app.screen.buttons == [id])
            desk.desk.endSession()
            scene.run { phone.app.screen.page == .start }
        }
        phone.app.choose(id)
        #expect(phone.app.screen.page == .credentials(id, fault: nil))
        phone.app.cancel()
        // With what is kept, one press is enough; without, it is forgotten at once.
        settings.asksEachTime = false
        phone.app.change(settings)
        try scene.logIn(phone, at: desk)
        #expect(phone.app.vault.record?.credentials == LoginScene.alice)
        settings.asksEachTime = true
        phone.app.change(settings)
        #expect(phone.app.vault.record?.credentials == nil)
    }

    @Test("What was typed for a login that failed is forgotten where each login asks for it, or a PIN protects it")
    func typedIsForgotten() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(), phone = scene.addPhone()
        func type() {
            scene.run(for: .seconds(5))
            phone.app.choose(id)
            scene.run { phone.app.screen.page.wantsAnswer }
            guard case .credentials = phone.app.screen.page else { return }
            phone.app.submit(LoginScene.alice)
            scene.run { phone.app.screen.page.wantsAnswer }
        }
        // Somebody sits there.
        #expect(desk.desk.logIn(Credentials(user: "bob", password: "battery staple")) == nil)
        type()
        #expect(phone.app.screen.page == .start && phone.app.typed == LoginScene.alice)
        phone.app.forgetCredentials()
        #expect(phone.app.typed == nil)
        type()
        var settings = LoginSettings()
        settings.asksEachTime = true
        phone.app.change(settings)
        #expect(phone.app.typed == nil)
        type()
        #expect(phone.app.screen.page == .start && phone.app.typed == nil)
        // It was moved away.
        scene.world.move(desk.phone.device, to: .metres(x: 100_000))
        type()
        #expect(phone.app.typed == nil)
        settings.asksEachTime = false
        phone.app.change(settings)
        phone.app.setPIN("1234")
        scene.world.move(desk.phone.device, to: .origin)
        type()
        #expect(phone.app.typed == LoginScene.alice)
        phone.app.lock()
        #expect(phone.app.typed == nil && phone.app.screen.page == .locked)
        for _ in 0..<10 { phone.app.unlock(pin: "4321") }
        #expect(phone.app.screen.page == .start && phone.app.screen.notice?.hasPrefix("The tenth") == true)
        #expect(phone.app.typed == nil)
    }

    @Test("Settings that were kept before there was this one are read, and ask once")
    func oldSettings() throws {
        let old = #"""
            {"walkingAway":"lock","awayBelow":-70,"awaySeconds":5,
            "endsWithLink":false,"loginByNearness":true,"nearAbove":-50}
            """#
        let settings = try JSONDecoder().decode(LoginSettings.self, from: Data(old.utf8))
        #expect(settings.walkingAway == .lock && settings.nearAbove == -50 && !settings.asksEachTime)
        var changed = settings
        changed.asksEachTime = true
        #expect(try JSONDecoder().decode(LoginSettings.self, from: JSONEncoder().encode(changed)) == changed)
    }
}
