import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("Digits that the desk draws")
struct DrawnDigitsTests {
    private let id = LoginScene.identifier

    private func place(storage: MemoryVaultStorage) -> (LoginScene, LoginScene.DeskPlace, LoginScene.PhonePlace) {
        let scene = LoginScene()
        var settings = Desk.Settings()
        settings.code = .always
        let desk = scene.addDesk(key: 7, settings: settings), phone = scene.addPhone(storage: storage)
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        return (scene, desk, phone)
    }

    @Test("A phone that knows the desk asks for six; wrong ones are found by the desk, which then shows others")
    func known() throws {
        let (scene, desk, phone) = place(storage: try LoginScene.knowing())
        scene.run { phone.app.screen.page.isCode && desk.desk.screen.code != nil }
        let first = try #require(desk.desk.screen.code)
        #expect(phone.app.screen.page == .code(id, digits: 6, fault: nil) && first.count == 6)
        phone.app.enterCode(first == "000000" ? "000001" : "000000")
        scene.run { phone.app.screen.page.wantsAnswer }
        scene.run(for: .seconds(1))
        let fault = "The desk's digits are others; look at its monitor again"
        #expect(phone.app.screen.page == .code(id, digits: 6, fault: fault))
        #expect(desk.events.all.contains(.codeRejected) && desk.desk.screen.session == nil)
        #expect(!desk.events.all.contains(.rejected(user: "alice")), "no password was looked at")
        let second = try #require(desk.desk.screen.code)
        #expect(second != first)
        phone.app.enterCode(second)
        scene.run { phone.app.screen.page.isConnected }
        #expect(desk.desk.screen.session?.user == "alice")
    }

    @Test("At a first visit twelve are typed: the first six vouch for the desk, the others for the person")
    func firstVisit() throws {
        let (scene, desk, phone) = place(storage: MemoryVaultStorage())
        phone.app.submit(LoginScene.alice)
        scene.run { phone.app.screen.page.isCode && desk.desk.screen.code != nil }
        let shown = try #require(desk.desk.screen.code)
        #expect(phone.app.screen.page == .code(id, digits: 12, fault: nil))
        #expect(shown.count == 13 && shown.dropFirst(6).first == " ")
        phone.app.enterCode(String(shown.suffix(6)))
        #expect(
            phone.app.screen.page
                == .code(id, digits: 12, fault: "The desk shows twelve digits; look at its monitor again")
        )
        // Wrong ones that vouch for the desk do not leave the phone.
        phone.app.enterCode((shown.prefix(6) == "000000" ? "000001" : "000000") + shown.suffix(6))
        scene.run(for: .seconds(1))
        #expect(phone.app.screen.page.isCode && desk.events.all.filter { $0 == .codeRejected }.isEmpty)
        phone.app.enterCode(shown)
        scene.run { phone.app.screen.page.isConnected }
        #expect(desk.desk.screen.session?.user == "alice")
    }

    @Test("Guesses at the digits are slowed down as all others are")
    func guessing() throws {
        let (scene, desk, phone) = place(storage: try LoginScene.knowing())
        scene.run { phone.app.screen.page.isCode && desk.desk.screen.code != nil }
        for _ in 0..<12 {
            let code = desk.desk.screen.code ?? "999999"
            phone.app.enterCode(code == "000000" ? "000001" : "000000")
            scene.run(for: .seconds(5)) { phone.app.screen.page.wantsAnswer }
            scene.run(for: .seconds(1))
        }
        #expect(desk.events.all.filter { $0 == .codeRejected }.count == 10)
        #expect(desk.events.all.contains(.closed(seconds: 30)) && desk.desk.screen.session == nil)
    }
}
