import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import FuzzInputs

@testable import BluethroatWorkstationLogin

/// A phone and its person, who chooses a desk, types what is asked for and touches what there is, in front of a rogue with the
/// digits of that desk and a key of its own.
struct VictimPhone {
    private let scene = LoginScene()
    private let rogue: ScriptedDesk
    private let phone: LoginScene.PhonePlace

    /// Of a person who has logged in at the true desk before.
    private static let known = (try? LoginScene.knowing())?.parts ?? [:]

    init(_ input: inout FuzzInput) {
        scene.world.tap = nil
        let isEncrypted = input.index(8) > 0
        rogue = ScriptedDesk(
            LoginScene.identifier,
            on: scene.phone("rogue", at: .origin),
            in: scene.world,
            isEncrypted: isEncrypted
        )
        let storage = MemoryVaultStorage()
        if input.index(2) == 0 { storage.parts = Self.known }
        phone = scene.addPhone(storage: storage)
        scene.run(for: .seconds(2)) { !phone.app.registry.candidates(LoginScene.identifier).isEmpty }
        phone.app.choose(LoginScene.identifier)
    }

    mutating func step(_ input: inout FuzzInput) {
        switch input.index(10) {
        case 0, 1: rogue.say(input.pick(Self.messages))
        case 2: rogue.say(bytes: Data(input.mutate([UInt8](input.pick(Self.inClear)))))
        case 3: rogue.say(packet: Data(input.bytes(input.index(20))))
        case 4, 5: answer(&input)
        case 6: touch(&input)
        default: scene.run(for: .milliseconds(20 << Int64(input.index(8))))
        }
        hold(
            rogue.opened.allSatisfy { if case .credentials = $0 { false } else { true } },
            "credentials left the phone"
        )
        hold(!phone.app.screen.page.isConnected, "a session is shown: \(phone.app.screen)")
    }

    /// What the person says to what is asked for. No digits are those of the rogue: its monitor is not what the person sees.
    private func answer(_ input: inout FuzzInput) {
        switch phone.app.screen.page {
        case .credentials: phone.app.submit(LoginScene.alice)
        case .code(_, let digits, _):
            let wrong = rogue.code.map { $0 == "123456" ? "654321" : "123456" } ?? "123456"
            phone.app.enterCode(String((wrong + "000000").prefix(input.index(4) == 0 ? 5 : digits)))
        case .start, .notFound: phone.app.choose(LoginScene.identifier)
        default: break
        }
    }

    private func touch(_ input: inout FuzzInput) {
        switch input.index(8) {
        case 0: phone.app.cancel()
        case 1: phone.app.trustAnew()
        case 2: phone.app.setDeskLocked(true)
        case 3: phone.app.askToEnd()
        case 4: phone.app.confirmEnd()
        case 5: phone.app.rescan()
        case 6: phone.app.forget(LoginScene.identifier)
        default: phone.app.forgetCredentials()
        }
    }

    /// Left alone the phone waits for its person, who can go back: then it keeps no link to the rogue.
    func check() {
        scene.run(for: .seconds(90)) { phone.app.screen.page.wantsAnswer }
        hold(phone.app.screen.page.wantsAnswer, "\(phone.app.screen)")
        phone.app.cancel()
        scene.run(for: .seconds(2))
        hold(phone.app.visit == nil && phone.app.screen.page == .start, "\(phone.app.screen)")
        hold(rogue.subscribers == 0, "the phone is still connected")
    }

    private static let messages: [SealedMessage] = [
        .accepted, .rejected(.wrong), .rejected(.unavailable), .rejected(.wait(seconds: 30)), .rejected(.wrongCode),
        .ended(.atDesk), .locked, .unlocked, .lock,
    ]

    private static let inClear: [Data] = [
        LoginMessage.refusal(.busy).bytes, LoginMessage.refusal(.noSense).bytes,
        LoginMessage.proof(Data(count: 32)).bytes, LoginMessage.sealed(Data(count: 40)).bytes, Data([9]),
    ]
}
