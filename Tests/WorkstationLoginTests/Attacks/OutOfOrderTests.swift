import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("A rogue desk that speaks out of turn")
struct OutOfOrderTests {
    private let id = LoginScene.identifier

    /// What a rogue desk might say after its own proof, while the phone waits for the code.
    static let early: [SealedMessage] = [
        .rejected(.wrong), .rejected(.unavailable), .rejected(.wait(seconds: 1)), .rejected(.wrongCode), .accepted,
        .locked,
        .unlocked, .ended(.atDesk), .lock, .end(walkedAway: false),
    ]

    /// A phone at its first visit to a rogue desk that has proved itself, and where that says something at once.
    private func visit(_ messages: [SealedMessage]) -> (LoginScene, ScriptedDesk, LoginScene.PhonePlace) {
        let scene = LoginScene()
        let rogue = ScriptedDesk(id, on: scene.phone("rogue", at: .origin), in: scene.world)
        rogue.agreed = { [unowned rogue] in messages.forEach { rogue.say($0) } }
        let phone = scene.addPhone()
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        phone.app.submit(LoginScene.alice)
        scene.run(for: .seconds(30)) { rogue.code != nil && phone.app.screen.page.wantsAnswer }
        scene.run(for: .seconds(3))
        return (scene, rogue, phone)
    }

    @Test("Whatever it says before the code is typed, what is typed again never reaches it", arguments: early)
    func nothingIsSentEarly(message: SealedMessage) {
        let (scene, rogue, phone) = visit([message])
        // The person does what the screen asks for, and knows no code.
        for _ in 0..<4 {
            switch phone.app.screen.page {
            case .credentials: phone.app.submit(LoginScene.alice)
            case .code: phone.app.enterCode("000000")
            default: break
            }
            scene.run(for: .seconds(3))
            #expect(!phone.app.screen.page.isConnected)
        }
        #expect(rogue.opened == [])
        #expect(phone.app.screen.page == .start)
        #expect(phone.app.screen.notice?.contains("out of order. Nothing was sent") == true, "\(phone.app.screen)")
    }

    @Test("Sealed accepted without credentials shows no session, and rejected brings no page for a password")
    func nothingIsShown() {
        for message in [SealedMessage.accepted, .rejected(.wrong)] {
            let (_, _, phone) = visit([message, message])
            #expect(phone.app.screen.page == .start, "\(message)")
        }
    }

    @Test(
        "A desk whose code was typed may reject, and gets what is typed again; after that each word out of turn ends it"
    )
    func afterTheCode() throws {
        let (scene, rogue, phone) = visit([])
        var answers: [SealedMessage] = [.rejected(.wrong)]
        rogue.said = { [unowned rogue] _ in if !answers.isEmpty { rogue.say(answers.removeFirst()) } }
        phone.app.enterCode(try #require(rogue.code))
        scene.run { phone.app.screen.page.wantsAnswer }
        #expect(phone.app.screen.page == .credentials(id, fault: "User name or password is wrong"))
        phone.app.submit(LoginScene.alice)
        scene.run(for: .seconds(3))
        #expect(rogue.opened.count == 2)
        rogue.say(.locked)
        scene.run(for: .seconds(3))
        #expect(phone.app.screen.page == .start)
        #expect(phone.app.screen.notice?.contains("out of order. The connection was ended") == true)
    }

    @Test("Over a link that is not encrypted the phone says nothing, and says so")
    func notEncrypted() {
        let scene = LoginScene()
        let rogue = ScriptedDesk(id, on: scene.phone("rogue", at: .origin), in: scene.world, isEncrypted: false)
        let phone = scene.addPhone()
        scene.run(for: .seconds(5))
        phone.app.choose(id)
        phone.app.submit(LoginScene.alice)
        scene.run(for: .seconds(30)) { phone.app.screen.page.wantsAnswer }
        #expect(rogue.heard == [])
        #expect(phone.app.screen.page == .start)
        #expect(
            phone.app.screen.notice == "The link to desk 4711 is not encrypted. Nothing was sent; do not use this desk."
        )
    }
}
