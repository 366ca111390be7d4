import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("A desk that says it has the digits of another")
struct RogueDeskTests {
    private let id = LoginScene.identifier

    @Test("A rogue desk with the digits of a known one gets nothing, and its person is told")
    func rogueKnown() throws {
        let scene = LoginScene()
        let loot = Collector()
        let rogue = scene.addDesk(key: 666, users: loot), phone = scene.addPhone(storage: try LoginScene.knowing())
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
        let desk = scene.addDesk(key: 7), phone = scene.addPhone(storage: try LoginScene.knowing())
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page.isConnected && desk.desk.screen.session?.user == "alice")
        #expect(loot.credentials.isEmpty)
    }

    @Test("Devices that break off as soon as they know the digits get eight tries for one press")
    func searching() {
        let scene = LoginScene()
        let rogues = (0..<10).map { number in
            let phone = scene.phone("rogue \(number)", at: .metres(x: 1, y: Double(number) / 10))
            return ScriptedDesk(id, on: phone, in: scene.world)
        }
        for rogue in rogues { rogue.breaksOff = true }
        let phone = scene.addPhone()
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        phone.app.submit(LoginScene.alice)
        scene.run(for: .seconds(60)) { phone.app.screen.page.wantsAnswer }
        #expect(rogues.count { $0.code != nil } == 8)
        #expect(
            phone.app.screen.page == .start && phone.app.screen.notice?.contains("has broken off too often") == true
        )
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
}
