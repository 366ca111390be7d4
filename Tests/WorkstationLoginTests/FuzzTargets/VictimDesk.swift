import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import FuzzInputs

@testable import BluethroatWorkstationLogin

/// A desk, and a rogue phone that knows the protocol, has passwords or not, and sends what it likes: messages of any kind in
/// any order, damaged ones, packets of no protocol.
struct VictimDesk {
    private let scene = LoginScene()
    private let place: LoginScene.DeskPlace
    private let roguePhone: Phone
    private let rogue: Intruder
    private let demandsCode: Bool
    private var handshake = PhoneHandshake(LoginScene.identifier, wantsCode: true, random: .seeded(3))
    private var channel: SealedChannel?
    private var taken = 0
    /// Whether the right name and password were said with what else the desk asks for, or might have been.
    private var hasPassword = false

    init(_ input: inout FuzzInput) {
        scene.world.tap = nil
        demandsCode = input.index(2) == 0
        var settings = Desk.Settings()
        settings.code = demandsCode ? .always : .firstTime
        place = scene.addDesk(key: 7, settings: settings)
        roguePhone = scene.phone("rogue", at: .metres(x: 1))
        rogue = Intruder(on: roguePhone, in: scene.world)
        let rogue = rogue
        scene.run(for: .seconds(5)) { rogue.pipe != nil }
    }

    mutating func step(_ input: inout FuzzInput) {
        let isChanged = input.index(6) == 0
        switch input.index(12) {
        case 0: say(handshake.hello, isChanged, &input)
        case 1: say(handshake.reveal, isChanged, &input)
        case 2: seal(.credentials(LoginScene.alice, code: nil, endsWithLink: true), isChanged, &input)
        case 3: seal(.credentials(LoginScene.alice, code: "000000", endsWithLink: true), isChanged, &input)
        case 4:
            seal(
                .credentials(Credentials(user: "bob", password: "x"), code: nil, endsWithLink: true),
                isChanged,
                &input
            )
        case 5: seal(input.pick([.lock, .unlock, .end(walkedAway: false), .accepted]), isChanged, &input)
        case 6: say(Data(input.bytes(input.index(50))), false, &input)
        case 7: rogue.say(packet: Data(input.bytes(input.index(20))))
        case 8: place.desk.endSession()
        default: scene.run(for: .milliseconds(20 << Int64(input.index(11))))
        }
        listen()
        check(place.desk.screen.session)
    }

    private func say(_ bytes: Data, _ isChanged: Bool, _ input: inout FuzzInput) {
        rogue.pipe?.send(isChanged ? Data(input.mutate([UInt8](bytes))) : bytes)
    }

    private mutating func seal(_ message: SealedMessage, _ isChanged: Bool, _ input: inout FuzzInput) {
        guard var channel else { return say(LoginMessage.sealed(Data(count: 40)).bytes, isChanged, &input) }
        if case .credentials(LoginScene.alice, _, _) = message { hasPassword = true }
        say(channel.seal(message), isChanged, &input)
        self.channel = channel
    }

    /// Goes on with the agreement where the desk has.
    private mutating func listen() {
        for message in rogue.heard[taken...] {
            switch message {
            case .offer(let offer): handshake.take(offer)
            case .proof(let proof): channel = (try? handshake.conclude(proof))?.0
            default: break
            }
        }
        taken = rogue.heard.count
    }

    private func check(_ session: DeskScreen.Session?) {
        guard let session else { return }
        hold(hasPassword && session.user == "alice", "a session of \(session.user) without a password")
        hold(!demandsCode || place.desk.screen.session == nil, "a session without the digits that the desk has drawn")
    }

    /// Once the rogue is gone, and what it has spent of the desk's patience is over, the desk can be found again.
    func check() {
        scene.world.remove(roguePhone.device)
        scene.run(for: .seconds(300)) { place.desk.screen.session == nil && place.desk.screen.code == nil }
        hold(place.desk.screen.session == nil && place.desk.screen.code == nil, "\(place.desk.screen)")
        hold(place.desk.screen.isAdvertising, "the desk is not advertising")
    }
}
