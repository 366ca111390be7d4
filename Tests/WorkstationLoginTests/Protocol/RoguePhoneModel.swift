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
        // From the rogue, with the digits from the monitor, if it can see that.
        case rightWithShownCode
        // At the desk.
        case sessionEnds, keyboardLogin, linkLost
    }

    private struct Check {
        let number: UInt64
        let isRight: Bool
        let visit: Int
        /// Whether the desk has said that it cannot check these.
        var isGivenUp = false
    }

    static let key = DeskKey(random: .seeded(7))

    var faults: [String] = []
    private(set) var sessions = 0
    private(set) var desk: DeskConversation
    /// What happens to each message on its way.
    var change: (Data) -> Data = { $0 }
    private var isHelloWhole = true
    private let demandsCode: Bool
    private let isMonitorSeen: Bool
    /// What the desk has drawn last.
    private var drawn: String?
    private var hasSaidDrawn = false
    private var visit = 0
    private var handshake = PhoneHandshake(RogueDeskModel.identifier, wantsCode: true, random: .seeded(3))
    private var offer: LoginMessage.Offer?
    private var channel: SealedChannel?
    private var transcriptCode = "000000"
    private var lastSealed: Data?
    private var pending: [Check] = []
    private var sealedCount = 0

    /// - Parameter isMonitorSeen: whether the rogue's person stands in front of the desk.
    init(demandsCode: Bool, isMonitorSeen: Bool = false) {
        (self.demandsCode, self.isMonitorSeen) = (demandsCode, isMonitorSeen)
        desk = DeskConversation(random: .seeded(4))
    }

    var key: String {
        let checks = pending.map { "\($0.isRight)\($0.visit == visit)\($0.isGivenUp)" }.joined()
        return "\(desk.phase) \(checks) \(channel == nil) \(sealedCount) \(offer == nil) \(lastSealed == nil) "
            + "\(drawn == nil) \(faults)"
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
        case .rightWithShownCode:
            hasSaidDrawn = isMonitorSeen
            say(.credentials(RogueDeskModel.alice, code: isMonitorSeen ? drawn : nil, endsWithLink: true))
            hasSaidDrawn = false
        case .timeIsUp: happens(.time)
        case .sessionEnds: happens(.leave)
        case .keyboardLogin: happens(.keyboard)
        case .linkLost: happens(.link)
        }
        return key != old
    }

    private mutating func happens(_ input: DeskProtocol.Input) {
        let before = desk.phase
        if desk.happened(input) == .cannotCheck {
            for index in pending.indices where pending[index].visit == visit { pending[index].isGivenUp = true }
        }
        if desk.phase == .idle { channel = nil }
        if desk.phase == .inside, before != .inside { faults.append("\(input) opened a session") }
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
            (channel, lastSealed, sealedCount, drawn) = (nil, nil, 0, nil)
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
            drawn = demandsCode ? shown.map { String($0.suffix(DeskCode.length)) } : nil
            if demandsCode, shown?.hasSuffix(" " + code) ?? true {
                faults.append("the drawn digits follow from what was said")
            }
        case .credentials(let credentials, _, let number):
            if before != .agreed { faults.append("credentials were taken out of \(before)") }
            if demandsCode, !hasSaidDrawn { faults.append("credentials were taken without the drawn digits") }
            pending.append(Check(number: number, isRight: credentials == RogueDeskModel.alice, visit: visit))
        case .end: desk.happened(.leave)
        case .lock: if before != .inside { faults.append("locked out of \(before)") }
        case .intrusion: channel = nil
        case .wrongCode(let shown): drawn = shown
        case .ignored: break
        }
        if desk.phase == .inside, before != .inside { faults.append("a message opened a session") }
    }

    private mutating func conclude(_ check: Check) {
        let before = desk.phase
        _ = desk.conclude(check: check.number, isRight: check.isRight)
        guard desk.phase == .inside, before != .inside else { return }
        sessions += 1
        if !check.isRight { faults.append("a session opened with wrong credentials") }
        if before != .checking { faults.append("a session opened out of \(before)") }
        if check.visit != visit { faults.append("a session opened with credentials of an earlier visit") }
        if check.isGivenUp { faults.append("a session opened with credentials that were given up") }
    }
}
