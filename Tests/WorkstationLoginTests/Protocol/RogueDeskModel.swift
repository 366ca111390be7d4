import Foundation
import Testing

@testable import BluethroatWorkstationLogin

/// A phone in front of a device that knows the protocol, has keys of its own, and says what it likes in any order.
struct RogueDeskModel: ExploredModel {
    enum Symbol: CaseIterable {
        // From the rogue.
        case offer, offerThatDraws, proof, wrongProof, busy, noSense, hello, nothing
        case accepted, rejected, unavailable, wait, wrongCode, ended, locked, unlocked, ofAPhone, unreadable, again
        // By the person.
        case rightCode, wrongCodeTyped, credentials, end, lock
    }

    static let identifier = DeskIdentifier("4711")!
    static let alice = Credentials(user: "alice", password: "correct horse")
    static let rogueKey = DeskKey(random: .seeded(666))

    /// What has gone wrong; empty is what the test wants.
    var faults: [String] = []
    private(set) var sentCount = 0
    private(set) var phone: PhoneConversation
    /// What happens to each message on its way.
    var change: (Data) -> Data = { $0 }
    /// Whether the person sees this device's monitor in front of them.
    private let isItsMonitorSeen: Bool
    private var isKnown: Bool
    private var handshake: DeskHandshake
    private var channel: SealedChannel?
    private var shown: String?
    private var lastSealed: Data?
    private var isVouched = false, hasAccepted = false, showsSession = false, isSentOpen = false
    private var wrongCodes = 0, sealedCount = 0, offers = 0

    init(knownKey: Data?, isItsMonitorSeen: Bool = false) {
        phone = PhoneConversation(Self.identifier, knownKey: knownKey, random: .seeded(1))
        isKnown = knownKey == Self.rogueKey.publicKey
        self.isItsMonitorSeen = isItsMonitorSeen
        handshake = Self.handshake(phone, demandsCode: false)
    }

    private static func handshake(_ phone: PhoneConversation, demandsCode: Bool) -> DeskHandshake {
        guard case .hello(let hello)? = LoginMessage(phone.hello) else {
            preconditionFailure("a phone begins with hello")
        }
        return DeskHandshake(hello, deskKey: rogueKey, demandsCode: demandsCode, random: .seeded(2))
    }

    var key: String {
        "\(phone.phase) \(wrongCodes) \(sealedCount) \(offers) \(shown?.count ?? 0) \(isVouched) \(isSentOpen) \(faults) "
            + "\(phone.hasSent) \(handshake.demandsCode) \(lastSealed == nil)"
    }

    mutating func play(_ symbol: Symbol) -> Bool {
        let (before, old) = (phone.phase, key)
        switch symbol {
        case .offer, .offerThatDraws:
            if before == .greeting { handshake = Self.handshake(phone, demandsCode: symbol == .offerThatDraws) }
            offers = min(offers + 1, 1)
            hear(handshake.offer)
        case .proof: hear(LoginMessage.proof(proof ?? Data(count: 32)).bytes)
        case .wrongProof: hear(LoginMessage.proof(Data(count: 32)).bytes)
        case .busy: hear(LoginMessage.refusal(.busy).bytes)
        case .noSense: hear(LoginMessage.refusal(.noSense).bytes)
        case .hello: hear(phone.hello)
        case .nothing: hear(Data())
        case .accepted: say(.accepted)
        case .rejected: say(.rejected(.wrong))
        case .unavailable: say(.rejected(.unavailable))
        case .wait: say(.rejected(.wait(seconds: 30)))
        case .wrongCode: say(.rejected(.wrongCode))
        case .ended: say(.ended(.atDesk))
        case .locked: say(.locked)
        case .unlocked: say(.unlocked)
        case .ofAPhone: say(.lock)
        case .unreadable: hear(LoginMessage.sealed(Data(count: 40)).bytes)
        case .again: if let lastSealed { hear(lastSealed) }
        case .rightCode: type(isItsMonitorSeen ? shown ?? "" : "")
        case .wrongCodeTyped: type(before == .awaitingCode ? wrong : "000000")
        case .credentials: submit()
        case .end:
            if phone.end(walkedAway: false) != nil, before != .inside { faults.append("an end out of \(before)") }
        case .lock: if phone.lock(true) != nil, before != .inside { faults.append("a lock out of \(before)") }
        }
        return phone.phase != before || key != old
    }

    /// Which is right once the phone has revealed its key.
    private var proof: Data? {
        guard case .revealing = phone.phase, let reveal, case .reveal(let key, let nonce)? = LoginMessage(reveal) else {
            return nil
        }
        return try? handshake.conclude(ephemeralKey: key, nonce: nonce).proof
    }
    private var reveal: Data?

    /// As many digits as are asked for, none of them those on any monitor.
    private var wrong: String {
        let digits = shown ?? "000000"
        return String(digits.map { $0 == "9" ? "0" : "9" })
    }

    private mutating func say(_ message: SealedMessage) {
        guard var channel else { return hear(LoginMessage.sealed(Data(count: 17)).bytes) }
        let sealed = channel.seal(message)
        (self.channel, lastSealed) = (channel, sealed)
        sealedCount += 1
        if message == .accepted, phone.phase == .sent, change(sealed) == sealed { hasAccepted = true }
        hear(sealed)
    }

    private mutating func hear(_ bytes: Data) {
        let (before, bytes) = (phone.phase, change(bytes))
        let right = before == .revealing ? proof.flatMap { LoginMessage.proof($0).bytes == bytes ? $0 : nil } : nil
        switch phone.receive(bytes) {
        case .answer(let bytes): reveal = bytes
        case .askCode(let digits): agreed(right, digits)
        case .trusted: agreed(right, 0)
        case .entered:
            if !hasAccepted { faults.append("a session is shown that was not accepted, out of \(before)") }
            if before != .sent { faults.append("a session is shown out of \(before)") }
            showsSession = true
        case .ended, .brokenOff, .intrusion: showsSession = false
        case .rejected(let rejection):
            isSentOpen = false
            // From now on the phone asks for what the desk has drawn, and for nothing else.
            if rejection == .wrongCode { shown = shown.map { String($0.suffix(DeskCode.length)) } }
        default: break
        }
        let isInside = phone.phase == .inside || phone.phase == .ending
        if isInside != showsSession {
            faults.append("\(phone.phase), and a session is\(showsSession ? "" : " not") shown")
        }
    }

    private mutating func agreed(_ proof: Data?, _ digits: Int) {
        if proof == nil { faults.append("a proof was taken that is none") }
        if digits == 0, !isKnown { faults.append("trusted without a key that is known") }
        guard case .reveal(let key, let nonce)? = reveal.flatMap({ LoginMessage($0) }),
            let (channel, code, _) = try? handshake.conclude(ephemeralKey: key, nonce: nonce)
        else { return }
        self.channel = channel
        isVouched = isKnown
        shown = String((isKnown ? "" : code) + "123456").prefix(digits).description
    }

    private mutating func type(_ code: String) {
        switch phone.enter(code: code) {
        case .trusted:
            // Digits that a desk has drawn are that desk's to check.
            if !isVouched, !(isItsMonitorSeen && code == shown) { faults.append("trusted by a wrong code") }
            isVouched = true
        case .wrong: wrongCodes += 1
        case .wrongLength, .exhausted, .notAsked: break
        }
    }

    private mutating func submit() {
        let before = phone.phase
        guard phone.send(Self.alice, endsWithLink: true) != nil else { return }
        sentCount += 1
        isSentOpen = true
        if before != .trusted { faults.append("credentials left in phase \(before)") }
        if !isVouched { faults.append("credentials left for a desk that nothing vouches for") }
    }
}
