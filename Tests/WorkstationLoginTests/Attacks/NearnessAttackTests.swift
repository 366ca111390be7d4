import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@testable import BluethroatWorkstationLogin

@Suite("What nearness opens, and what it does not")
struct NearnessAttackTests {
    private let id = LoginScene.identifier

    private static var settings: LoginSettings {
        var settings = LoginSettings()
        settings.loginByNearness = true
        settings.walkingAway = .lock
        return settings
    }

    /// A desk with the phone's session, at which the phone has just ended it and gone 20 m away.
    private func away(_ scene: LoginScene) throws -> (desk: LoginScene.DeskPlace, phone: LoginScene.PhonePlace) {
        let desk = scene.addDesk(), phone = scene.addPhone(settings: Self.settings)
        try scene.logIn(phone, at: desk)
        desk.desk.endSession()
        scene.run { phone.app.screen.page == .start }
        scene.world.move(phone.phone.device, to: .metres(x: 20))
        scene.run(for: .seconds(10))
        #expect(desk.desk.screen.session == nil)
        return (desk, phone)
    }

    @Test("A loud device with the desk's digits beside the phone opens no session at the desk, which is far away")
    func loudDevice() throws {
        let scene = LoginScene()
        let (desk, phone) = try away(scene)
        let loot = Collector()
        // Heard more often than the desk.
        for _ in 0..<4 { _ = scene.addDesk(at: .metres(x: 20.3), key: 666, users: loot) }
        scene.run(for: .seconds(60))
        #expect(desk.desk.screen.session == nil, "\(desk.events.all)")
        #expect(loot.credentials.isEmpty)
        #expect(phone.app.screen.notice?.contains("Nothing was sent") == true, "\(phone.app.screen)")
        // Its person may want the session all the same.
        phone.app.cancel()
        phone.app.choose(id)
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page.isConnected && desk.desk.screen.session?.user == "alice")
    }

    @Test("Nor does one that is silent when it is called")
    func silentDevice() throws {
        let scene = LoginScene()
        let (desk, phone) = try away(scene)
        // They hear nothing: the phone goes on to the next one with these digits.
        for _ in 0..<4 {
            let rogue = scene.addDesk(at: .metres(x: 20.3), key: 666)
            scene.world.setLoss(.percent(100), from: phone.phone.device, to: rogue.phone.device)
        }
        scene.run(for: .seconds(60))
        #expect(desk.desk.screen.session == nil, "\(desk.events.all)")
        #expect(phone.app.screen.notice?.contains("Nothing was sent") == true, "\(phone.app.screen)")
    }

    @Test("A session that a person has locked is not unlocked by nearness, be it after walking away")
    func lockedByHand() throws {
        for isOnPhone in [false, true] {
            let scene = LoginScene()
            let desk = scene.addDesk(), phone = scene.addPhone(settings: Self.settings)
            try scene.logIn(phone, at: desk)
            if isOnPhone { phone.app.setDeskLocked(true) } else { desk.desk.lock() }
            for place in [0.4, 20, 0.4] {
                scene.run(for: .seconds(2))
                scene.world.move(phone.phone.device, to: .metres(x: place))
                scene.run(for: .seconds(20))
                #expect(desk.desk.screen.session?.isLocked == true, "at \(place) m")
            }
            phone.app.setDeskLocked(false)
            scene.run { desk.desk.screen.session?.isLocked == false }
            #expect(desk.desk.screen.session == DeskScreen.Session(user: "alice"))
        }
    }

    @Test(
        "Nor is it opened by a login of nearness after its link was lost, but by its person",
        arguments: [true, false]
    )
    func lockedByHandAndLost(endsWithLink: Bool) throws {
        let scene = LoginScene()
        var settings = Self.settings, waiting = Desk.Settings()
        settings.endsWithLink = endsWithLink
        waiting.linkLossSeconds = 600
        let desk = scene.addDesk(settings: waiting), phone = scene.addPhone(settings: settings)
        try scene.logIn(phone, at: desk)
        desk.desk.lock()
        scene.run(for: .seconds(2))
        scene.world.move(phone.phone.device, to: .metres(x: 5_000))
        scene.run(for: .seconds(20))
        #expect(phone.app.screen.page == .start)
        scene.world.move(phone.phone.device, to: .metres(x: 0.4))
        scene.run(for: .seconds(30))
        #expect(desk.desk.screen.session?.isLocked == true && phone.app.screen.page == .start)
        phone.app.choose(id)
        scene.run { phone.app.screen.page.isConnected }
        #expect(desk.desk.screen.session == DeskScreen.Session(user: "alice"))
        // From then on as at any desk.
        scene.world.move(phone.phone.device, to: .metres(x: 5_000))
        scene.run(for: .seconds(20))
        scene.world.move(phone.phone.device, to: .metres(x: 0.4))
        scene.run { phone.app.screen.page.isConnected }
        #expect(desk.desk.screen.session == DeskScreen.Session(user: "alice"))
    }

    @Test("What walking away has locked is unlocked by nearness once, and not what a person locks after that")
    func lockedByAbsence() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(), phone = scene.addPhone(settings: Self.settings)
        try scene.logIn(phone, at: desk)
        for isUnlocked in [true, false] {
            scene.world.move(phone.phone.device, to: .metres(x: 20))
            scene.run(for: .seconds(20))
            #expect(desk.desk.screen.session?.isLocked == true)
            scene.world.move(phone.phone.device, to: .metres(x: 0.4))
            scene.run(for: .seconds(20))
            #expect(desk.desk.screen.session?.isLocked == !isUnlocked)
            desk.desk.lock()
            scene.run(for: .seconds(2))
        }
    }
}
