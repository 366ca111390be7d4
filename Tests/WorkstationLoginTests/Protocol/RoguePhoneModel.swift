import Foundation

@testable import BluethroatWorkstationLogin

/// A desk in front of a device that says what it likes in any order, has keys of its own, and knows passwords or not; and
/// a verifier that takes its time.
struct RoguePhoneModel: ExploredModel {
    enum Symbol: CaseIterable {
        // From the rogue.
        case hello, reveal, wrongReveal, rightCredentials, wrongCredentials, rightWithGuessedCode, end, lock, unlock
        case ofADesk, unreadable, again, proof, nothing
        // At the desk.
        case firstVerdict, lastVerdict, timeIsUp
    }

    private struct Check {
        let number: UInt64
        let isRight: Bool
        let visit: Int
    }

    static let key = DeskKey(random: .seeded(7))

    var faults: [String] = []
    private(set) var sessions = 0
    private(set) var desk: DeskConversation
    /// What happens to each message on its way.
    var change: (Data) -> Data = { $0 }
    private var isHelloWhole = true
    private let demandsCode: Bool
    private var visit = 0
    private var handshake = PhoneHandshake(RogueDeskModel.identifier, wantsCode: true, random: .seeded(3))
    private var offer: LoginMessage.Offer?
    private var channel: SealedChannel?
    private var transcriptCode = "000000"
    private var lastSealed: Data?
    private var pending: [Check] = []
    private var sealedCount = 0

    init(demandsCode: Bool) {
        self.demandsCode = demandsCode
        desk = DeskConversation(random: .seeded(4))
    }

    var key: String {
        let checks = pending.map { "\($0.isRight)\($0.visit == visit)" }.joined()
        return "\(desk.phase) \(checks) \(channel == nil) \(sealedCount) \(offer == nil) \(lastSealed == nil) \(faults)"
    }

    mutating func play(_ symbol: Symbol) -> Bool {
        let old = key
        switch symbol {
        case .hello: hear(handshake.hello)
        case .reveal: hear(handshake.reveal)
        case .wrongReveal: hear(LoginMessage.reveal(ephemeralKey: Data(count: 32), nonce: Data(count: 16)).bytes)
        case .rightCredentials: say(.credentials(RogueDeskModel.alice, code: nil, endsWithLink: true))
        case .wrongCredentials:
            say(.credentials(Credentials(user: "alice", password: "x"), code: nil, endsWithLink: true))
        case .rightWithGuessedCode:
            say(.credentials(RogueDeskModel.alice, code: transcriptCode, endsWithLink: true))
        case .end: say(.end(walkedAway: false))
        case .lock: say(.lock)
        case .unlock: say(.unlock)
        case .ofADesk: say(.accepted)
        case .unreadable: hear(LoginMessage.sealed(Data(count: 40)).bytes)
        case .again: if let lastSealed { hear(lastSealed) }
        case .proof: hear(LoginMessage.proof(Data(count: 32)).bytes)
        case .nothing: hear(Data([9]))
        case .firstVerdict: if !pending.isEmpty { conclude(pending.removeFirst()) }
        case .lastVerdict: if !pending.isEmpty { conclude(pending.removeLast()) }
        case .timeIsUp:
            if desk.phase == .offered || desk.phase == .agreed {
                desk.reset()
                channel = nil
            }
        }
        return key != old
    }

    private mutating func say(_ message: SealedMessage) {
        guard var channel else { return hear(LoginMessage.sealed(Data(count: 17)).bytes) }
        let sealed = channel.seal(message)
        (self.channel, lastSealed) = (channel, sealed)
        sealedCount += 1
        hear(sealed)
    }

    private mutating func hear(_ bytes: Data) {
        let (before, heard) = (desk.phase, change(bytes))
        switch desk.receive(heard) {
        case .hello(let hello):
            visit += 1
            isHelloWhole = heard == bytes
            (channel, lastSealed, sealedCount) = (nil, nil, 0)
            let bytes = desk.offer(to: hello, Self.key, demandsCode: demandsCode)
            if case .offer(let offer)? = LoginMessage(bytes) { self.offer = offer }
        case .agreed(let proof, let shown):
            guard let offer else { return faults.append("agreed without an offer") }
            handshake.take(offer)
            guard let (channel, code) = try? handshake.conclude(proof) else {
                // After another hello than its own the phone takes no proof.
                if isHelloWhole { faults.append("a proof is none") }
                return
            }
            (self.channel, transcriptCode) = (channel, code)
            if demandsCode, shown?.hasSuffix(" " + code) ?? true {
                faults.append("the drawn digits follow from what was said")
            }
        case .credentials(let credentials, _, let number):
            if before != .agreed { faults.append("credentials were taken out of \(before)") }
            if demandsCode { faults.append("credentials were taken without the drawn digits") }
            pending.append(Check(number: number, isRight: credentials == RogueDeskModel.alice, visit: visit))
        case .end: desk.reset()
        case .lock: if before != .inside { faults.append("locked out of \(before)") }
        case .intrusion: channel = nil
        case .wrongCode, .ignored: break
        }
        if desk.phase == .inside, before != .inside { faults.append("a message opened a session") }
    }

    private mutating func conclude(_ check: Check) {
        let before = desk.phase
        guard desk.conclude(check: check.number, isRight: check.isRight), check.isRight else { return }
        sessions += 1
        if before != .checking { faults.append("a session opened out of \(before)") }
        if check.visit != visit { faults.append("a session opened with credentials of an earlier visit") }
    }
}
