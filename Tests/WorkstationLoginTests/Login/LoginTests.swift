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

@Suite("Logging in at a desk by phone")
struct LoginTests {
    private let id = LoginScene.identifier

    @Test(
        "Digits, name and password, and once the code on the monitor: then the session is there, and the phone knows the desk"
    )
    func firstTime() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(), phone = scene.addPhone()
        scene.run(for: .milliseconds(100)) { phone.app.screen.isScanning }
        scene.run(for: .seconds(4))
        #expect(!phone.app.screen.isScanning && phone.app.screen.registry == [id])
        phone.app.choose(id)
        #expect(phone.app.screen.page == .credentials(id, fault: nil))
        phone.app.submit(LoginScene.alice)
        #expect(phone.app.screen.page == .connecting(id))
        scene.run { phone.app.screen.page.isCode && desk.desk.screen.code != nil }
        let code = try #require(desk.desk.screen.code)
        #expect(code.count == 6)
        phone.app.enterCode(code)
        scene.run { phone.app.screen.page.isConnected }
        #expect(desk.desk.screen.session == DeskScreen.Session(user: "alice") && desk.desk.screen.code == nil)
        #expect(phone.app.screen.buttons == [id])
        #expect(desk.phone.misuse.isEmpty && phone.phone.misuse.isEmpty)
        phone.app.askToEnd()
        #expect(desk.desk.screen.session != nil)
        phone.app.confirmEnd()
        scene.run { phone.app.screen.page == .start }
        #expect(desk.desk.screen.session == nil)
        #expect(desk.events.all.suffix(1) == [.loggedOut(user: "alice", .requested)])
    }

    @Test("The second time one press is enough, also after the app was ended")
    func onePress() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(), phone = scene.addPhone()
        try scene.logIn(phone, at: desk)
        phone.app.askToEnd()
        phone.app.confirmEnd()
        scene.run { phone.app.screen.page == .start }
        phone.app.choose(id)
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page.isConnected)
        phone.app.askToEnd()
        phone.app.confirmEnd()
        scene.run { phone.app.screen.page == .start }

        let other = scene.addPhone(storage: phone.storage)
        scene.run(for: .seconds(5))
        #expect(other.app.screen.buttons == [id])
        other.app.choose(id)
        scene.run { other.app.screen.page.wantsAnswer }
        #expect(other.app.screen.page.isConnected)
    }

    @Test("A desk that is not in the registry is searched, and the phone says if there is none")
    func search() throws {
        let scene = LoginScene()
        let phone = scene.addPhone()
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        #expect(phone.app.screen.page == .searching(id))
        scene.run(for: .seconds(11))
        #expect(phone.app.screen.page == .notFound(id))
        let desk = scene.addDesk()
        phone.app.choose(id)
        #expect(phone.app.screen.page == .searching(id))
        scene.run(for: .seconds(5)) { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page == .credentials(id, fault: nil))
        try scene.answer(phone, desk)
    }

    @Test("Wrong credentials come back to the same screen with a word, and can be corrected there")
    func rejected() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(), phone = scene.addPhone()
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        phone.app.submit(Credentials(user: "alice", password: "wrong"))
        scene.run { phone.app.screen.page.isCode && desk.desk.screen.code != nil }
        phone.app.enterCode(try #require(desk.desk.screen.code))
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page == .credentials(id, fault: "User name or password is wrong"))
        #expect(desk.desk.screen.session == nil && desk.events.all.contains(.rejected(user: "alice")))
        phone.app.submit(Credentials(user: "", password: "x"))
        #expect(phone.app.screen.page == .credentials(id, fault: "the user name is empty"))
        phone.app.submit(LoginScene.alice)
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page.isConnected)
    }

    @Test("Two desks, two people; a third finds the desk taken")
    func several() throws {
        let scene = LoginScene()
        let other = DeskIdentifier("0042")!
        let desks = [scene.addDesk(), scene.addDesk(other, at: .metres(x: 3))]
        let phones = (0..<3).map { scene.addPhone(at: .metres(x: Double($0))) }
        try scene.logIn(phones[0], at: desks[0])
        try scene.logIn(phones[1], at: desks[1], as: Credentials(user: "bob", password: "battery staple"))
        #expect(desks.map { $0.desk.screen.session?.user } == ["alice", "bob"])
        phones[2].app.choose(id)
        phones[2].app.submit(LoginScene.alice)
        scene.run { phones[2].app.screen.page.wantsAnswer }
        #expect(phones[2].app.screen.page == .start && phones[2].app.screen.notice == "Somebody else is at desk 4711")
        #expect(desks[0].desk.screen.session?.user == "alice")
    }

    @Test("The session can be ended and locked at the desk, and locked and unlocked on the phone")
    func atDesk() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(), phone = scene.addPhone()
        try scene.logIn(phone, at: desk)
        phone.app.setDeskLocked(true)
        scene.run { desk.desk.screen.session?.isLocked == true }
        scene.run(for: .seconds(2))
        guard case .connected(let connected) = phone.app.screen.page else { return _ = Issue.record("no session") }
        #expect(connected.isLocked)
        phone.app.setDeskLocked(false)
        scene.run { desk.desk.screen.session?.isLocked == false }
        desk.desk.lock()
        scene.run(for: .seconds(2))
        guard case .connected(let again) = phone.app.screen.page else { return _ = Issue.record("no session") }
        #expect(again.isLocked)
        desk.desk.endSession()
        scene.run { phone.app.screen.page == .start }
        #expect(phone.app.screen.notice == "The session was ended at the desk")
        try scene.answerAgain(phone, desk)
    }

    @Test("Who walks away is logged out, or locked, after some seconds; who only turns around is not")
    func walkingAway() throws {
        for way in [LoginSettings.WalkingAway.end, .lock, .nothing] {
            let scene = LoginScene()
            var settings = LoginSettings()
            settings.walkingAway = way
            settings.loginByNearness = true
            let desk = scene.addDesk(), phone = scene.addPhone(settings: settings)
            try scene.logIn(phone, at: desk)
            // Two seconds behind the pillar.
            scene.world.move(phone.phone.device, to: .metres(x: 20))
            scene.run(for: .seconds(2))
            scene.world.move(phone.phone.device, to: .metres(x: 1))
            scene.run(for: .seconds(20))
            #expect(desk.desk.screen.session == DeskScreen.Session(user: "alice"), "\(way)")
            scene.world.move(phone.phone.device, to: .metres(x: 20))
            scene.run(for: .seconds(20))
            switch way {
            case .end:
                #expect(desk.desk.screen.session == nil && phone.app.screen.page == .start)
                #expect(desk.events.all.last == .loggedOut(user: "alice", .walkedAway))
            case .lock:
                #expect(desk.desk.screen.session?.isLocked == true)
                scene.world.move(phone.phone.device, to: .metres(x: 0.5))
                scene.run(for: .seconds(20))
                #expect(desk.desk.screen.session?.isLocked == false, "back again")
            case .nothing: #expect(desk.desk.screen.session == DeskScreen.Session(user: "alice"))
            }
        }
    }

    @Test("Out of reach the session ends, at once or after a while, unless its person wants it to go on")
    func linkLoss() throws {
        for (endsWithLink, patience) in [(true, 0.0), (true, 10), (false, 0)] {
            let scene = LoginScene()
            var settings = LoginSettings()
            settings.endsWithLink = endsWithLink
            var deskSettings = Desk.Settings()
            deskSettings.linkLossSeconds = patience
            let desk = scene.addDesk(settings: deskSettings), phone = scene.addPhone(settings: settings)
            try scene.logIn(phone, at: desk)
            scene.world.move(phone.phone.device, to: .metres(x: 100_000))
            scene.run(for: .seconds(60)) { !phone.app.screen.page.isConnected }
            scene.run(for: .seconds(1))
            #expect((desk.desk.screen.session == nil) == (endsWithLink && patience == 0))
            #expect(desk.desk.screen.session?.isLocked ?? true == endsWithLink)
            scene.run(for: .seconds(15))
            #expect((desk.desk.screen.session == nil) == endsWithLink)
            scene.world.move(phone.phone.device, to: .metres(x: 1))
            scene.run(for: .seconds(2))
            phone.app.choose(id)
            scene.run { phone.app.screen.page.wantsAnswer }
            #expect(phone.app.screen.page.isConnected, "\(phone.app.screen)")
            #expect(desk.desk.screen.session == DeskScreen.Session(user: "alice"))
        }
    }

    @Test("Brought very near, the phone logs in by itself; after a session only when it was away in between")
    func nearness() throws {
        let scene = LoginScene()
        var settings = LoginSettings()
        settings.loginByNearness = true
        settings.walkingAway = .end
        let desk = scene.addDesk(), phone = scene.addPhone(settings: settings)
        try scene.logIn(phone, at: desk)
        desk.desk.endSession()
        scene.world.move(phone.phone.device, to: .metres(x: 0.4))
        scene.run(for: .seconds(30))
        #expect(desk.desk.screen.session == nil, "who has been logged out stays so while the phone lies there")
        scene.world.move(phone.phone.device, to: .metres(x: 6))
        scene.run(for: .seconds(10))
        #expect(desk.desk.screen.session == nil)
        scene.world.move(phone.phone.device, to: .metres(x: 0.4))
        scene.run(for: .seconds(10))
        #expect(desk.desk.screen.session != nil)
    }

    @Test("A desk may demand the code each time")
    func codeAlways() throws {
        let scene = LoginScene()
        var settings = Desk.Settings()
        settings.code = .always
        let desk = scene.addDesk(settings: settings), phone = scene.addPhone()
        var codes: [String] = []
        for _ in 0..<2 {
            if codes.isEmpty { scene.run(for: .seconds(5)) }
            phone.app.choose(id)
            if codes.isEmpty { phone.app.submit(LoginScene.alice) }
            scene.run { phone.app.screen.page.isCode && desk.desk.screen.code != nil }
            codes.append(try #require(desk.desk.screen.code))
            phone.app.enterCode(codes.last!)
            scene.run { phone.app.screen.page.wantsAnswer }
            #expect(phone.app.screen.page.isConnected)
            desk.desk.endSession()
            scene.run { phone.app.screen.page == .start }
        }
        #expect(codes[0] != codes[1])
    }

    @Test("Who is slow with the code is told so, and holds nobody up")
    func slow() throws {
        let scene = LoginScene()
        let desk = scene.addDesk(), phone = scene.addPhone(), other = scene.addPhone(at: .metres(x: 2))
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        phone.app.submit(LoginScene.alice)
        scene.run { desk.desk.screen.code != nil }
        scene.run(for: .seconds(61))
        #expect(desk.desk.screen.code == nil && phone.app.screen.page == .start)
        #expect(phone.app.screen.notice == "That took too long; try again")
        try scene.logIn(other, at: desk)
    }

    @Test("Nearly a third of all packets is lost: everybody gets in all the same", arguments: 1...10)
    func losses(seed: UInt64) throws {
        let scene = LoginScene(seed: seed)
        scene.world.setLossEverywhere(.percent(30))
        let desk = scene.addDesk(), phone = scene.addPhone()
        scene.run(for: .seconds(5))
        for _ in 0..<10 where !phone.app.screen.page.isConnected {
            switch phone.app.screen.page {
            case .credentials: phone.app.submit(LoginScene.alice)
            case .code: phone.app.enterCode(desk.desk.screen.code ?? "")
            default: phone.app.choose(id)
            }
            scene.run(for: .seconds(60)) { phone.app.screen.page.wantsAnswer }
            scene.run(for: .seconds(1))
        }
        #expect(phone.app.screen.page.isConnected, "seed \(seed): \(phone.app.screen) \(desk.events.all)")
    }
}

extension LoginScene {
    func answerAgain(_ phone: PhonePlace, _ desk: DeskPlace) throws {
        phone.app.choose(desk.desk.screen.identifier)
        run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page.isConnected)
    }
}
