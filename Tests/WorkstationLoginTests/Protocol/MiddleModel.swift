import Foundation

@testable import BluethroatWorkstationLogin

/// A phone and a desk that are both honest, and an attacker between them who decides what arrives, and has own keys
/// towards either side.
struct MiddleModel: ExploredModel {
    enum Symbol: CaseIterable {
        /// What was said is passed on, or kept back.
        case passToDesk, passToPhone, swallowForDesk, swallowForPhone
        // To the desk, in the middle's own name.
        case ownHello, ownReveal, ownCredentials, ownLock
        // To the phone, in the middle's own name.
        case ownOffer, ownProof, ownRejected, ownAccepted, ownEnded
        // People, and the desk's verifier.
        case codeFromTheMonitor, credentials, endWanted, verdict, endedAtDesk
        /// What was said arrives and stays there to arrive again, what has arrived last arrives once more, what was said
        /// later arrives first, and what was said comes back to who has said it.
        case doubleForDesk, doubleForPhone, againToDesk, againToPhone, swapForDesk, swapForPhone, reflectToDesk,
            reflectToPhone
        // In the middle's own name.
        case ownEnd, ownUnlock, ownRefusal, ownDrawingOffer
        /// All who are honest go on until they have nothing left to do, and the middle lets them.
        case letGoOn
    }

    private typealias Said = (label: String, bytes: Data)

    private static let identifier = RogueDeskModel.identifier

    var faults: [String] = []
    private(set) var sessions = 0, sent = 0
    private var phone: PhoneConversation
    private var desk: DeskConversation
    private var forDesk: [Said], forPhone: [Said] = []
    private var lastToDesk: Said?, lastToPhone: Said?
    private var monitor: String?
    private let demandsCode: Bool
    private let isKnown: Bool

    // The middle's own.
    private var ownPhone = PhoneHandshake(identifier, wantsCode: true, random: .seeded(31))
    private var ownDesk: DeskHandshake
    private let ownDrawingDesk: DeskHandshake
    private var toDesk: SealedChannel?, toPhone: SealedChannel?
    private var phonesReveal: Data?, desksOffer: LoginMessage.Offer?
    private var counts = (toDesk: 0, toPhone: 0, phone: 0, desk: 0)

    // What has truly happened.
    private var deskPartner = "none", phonePartner = "none"
    private var pending: (check: UInt64, isRight: Bool)?
    private var isSessionOpen = false
    /// Whether the desk has said that a session has ended, and the phone has not heard it.
    private var isEndUnheard = false

    init(isKnown: Bool, demandsCode: Bool) {
        self.isKnown = isKnown
        self.demandsCode = demandsCode
        phone = PhoneConversation(
            Self.identifier,
            knownKey: isKnown ? RoguePhoneModel.key.publicKey : nil,
            random: .seeded(1)
        )
        desk = DeskConversation(random: .seeded(2))
        forDesk = [("hello", phone.hello)]
        guard case .hello(let hello)? = LoginMessage(phone.hello) else {
            preconditionFailure("a phone begins with hello")
        }
        ownDesk = DeskHandshake(hello, deskKey: RogueDeskModel.rogueKey, demandsCode: demandsCode, random: .seeded(32))
        ownDrawingDesk = DeskHandshake(hello, deskKey: RogueDeskModel.rogueKey, demandsCode: true, random: .seeded(33))
    }

    var key: String {
        "\(phone.phase) \(desk.phase) \(forDesk.map(\.label)) \(forPhone.map(\.label)) \(deskPartner) \(phonePartner) "
            + "\(counts) \(pending?.isRight as Any) \(isSessionOpen) \(isEndUnheard) \(phone.hasSent) \(monitor == nil) "
            + "\(toDesk == nil) \(toPhone == nil) \(phonesReveal == nil) \(desksOffer == nil) "
            + "\(lastToDesk?.label ?? "") \(lastToPhone?.label ?? "") \(ownDesk.demandsCode) \(faults)"
    }

    /// The agreement without interference, as far as the phone waits for its person.
    mutating func agreeHonestly() { for _ in 0..<2 { _ = (play(.passToDesk), play(.passToPhone)) } }

    mutating func play(_ symbol: Symbol) -> Bool {
        let old = key
        switch symbol {
        case .passToDesk: if !forDesk.isEmpty { pass(toDesk: forDesk.removeFirst()) }
        case .passToPhone: if !forPhone.isEmpty { pass(toPhone: forPhone.removeFirst()) }
        case .swallowForDesk: if !forDesk.isEmpty { forDesk.removeFirst() }
        case .swallowForPhone: if !forPhone.isEmpty { forPhone.removeFirst() }
        case .ownHello: deskHears(ownPhone.hello, from: "middle")
        case .ownReveal: deskHears(ownPhone.reveal, from: "middle")
        case .ownCredentials:
            sayToDesk(.credentials(Credentials(user: "alice", password: "guess"), code: nil, endsWithLink: true))
        case .ownLock: sayToDesk(.lock)
        case .ownEnd: sayToDesk(.end(walkedAway: false))
        case .ownUnlock: sayToDesk(.unlock)
        case .ownOffer: phoneHears(ownDesk.offer, from: "middle")
        case .ownDrawingOffer:
            if phone.phase == .greeting { ownDesk = ownDrawingDesk }
            phoneHears(ownDrawingDesk.offer, from: "middle")
        case .ownRefusal: phoneHears(LoginMessage.refusal(.busy).bytes, from: "middle")
        case .ownProof: ownProof()
        case .ownRejected: sayToPhone(.rejected(.wrong))
        case .ownAccepted: sayToPhone(.accepted)
        case .ownEnded: sayToPhone(.ended(.atDesk))
        case .doubleForDesk: if let first = forDesk.first { pass(toDesk: first) }
        case .doubleForPhone: if let first = forPhone.first { pass(toPhone: first) }
        case .againToDesk: if let lastToDesk { pass(toDesk: lastToDesk) }
        case .againToPhone: if let lastToPhone { pass(toPhone: lastToPhone) }
        case .swapForDesk: if forDesk.count > 1 { forDesk.swapAt(0, 1) }
        case .swapForPhone: if forPhone.count > 1 { forPhone.swapAt(0, 1) }
        case .reflectToDesk: if let first = forPhone.first { deskHears(first.bytes, from: "desk") }
        case .reflectToPhone: if let first = forDesk.first { phoneHears(first.bytes, from: "phone") }
        case .letGoOn: for _ in 0..<16 where !goOn() { break }
        case .codeFromTheMonitor: typeCode()
        case .credentials: submit()
        case .endWanted: if let sealed = phone.end(walkedAway: false) { send("end", sealed) }
        case .verdict: conclude()
        case .endedAtDesk: if isSessionOpen { endSession(.atDesk) }
        }
        check()
        return key != old
    }

    /// Lets the next thing happen that would happen without a middle. False if there is none.
    private mutating func goOn() -> Bool {
        if !forDesk.isEmpty {
            pass(toDesk: forDesk.removeFirst())
        } else if !forPhone.isEmpty {
            pass(toPhone: forPhone.removeFirst())
        } else if phone.phase == .awaitingCode {
            typeCode()
        } else if phone.phase == .trusted, !phone.hasSent {
            submit()
        } else if pending != nil {
            conclude()
        } else {
            return false
        }
        check()
        return true
    }

    private mutating func pass(toDesk said: Said) {
        lastToDesk = said
        deskHears(said.bytes, from: "phone")
    }

    private mutating func pass(toPhone said: Said) {
        lastToPhone = said
        let wasInside = phone.phase == .inside
        phoneHears(said.bytes, from: "desk")
        guard said.label == Self.end else { return }
        if phone.phase == .inside { faults.append("the phone has heard the end and shows a session") }
        if wasInside { isEndUnheard = false }
    }

    /// The person reads the true monitor, in front of it or by telephone.
    private mutating func typeCode() {
        let digits = (monitor ?? "").filter { $0 != " " }
        if case .trusted = phone.enter(code: digits), phonePartner != "desk" {
            faults.append("the true monitor's code vouched for the middle")
        }
    }

    private mutating func endSession(_ end: SessionEnd) {
        reply(Self.end, desk.seal(.ended(end)))
        desk.happened(.leave)
        (isSessionOpen, isEndUnheard) = (false, true)
    }

    /// What the desk's word for the end of a session is called here.
    private static let end = "ended"

    // MARK: The two sides

    private mutating func deskHears(_ bytes: Data, from sender: String) {
        switch desk.receive(bytes) {
        case .hello(let hello):
            (toDesk, counts.toDesk) = (nil, 0)
            let bytes = desk.offer(to: hello, RoguePhoneModel.key, demandsCode: demandsCode)
            if case .offer(let offer)? = LoginMessage(bytes) { desksOffer = offer }
            reply("offer", bytes)
        case .agreed(let proof, let shown):
            (deskPartner, monitor) = (sender, shown)
            reply("proof", LoginMessage.proof(proof).bytes)
            guard sender == "middle", let desksOffer else { return }
            ownPhone.take(desksOffer)
            toDesk = try? ownPhone.conclude(proof).channel
        case .credentials(let credentials, _, let check):
            if sender == "phone", credentials != RogueDeskModel.alice { faults.append("other credentials arrived") }
            if sender == "middle", credentials == RogueDeskModel.alice {
                faults.append("the middle has the credentials")
            }
            pending = (check, credentials == RogueDeskModel.alice)
        case .wrongCode(let shown):
            monitor = shown
            reply("wrong code", desk.seal(.rejected(.wrongCode)))
        case .end: endSession(.requested)
        case .lock(let isLocked): reply("locked", desk.seal(isLocked ? .locked : .unlocked))
        case .intrusion:
            reply(isSessionOpen ? Self.end : "refusal", LoginMessage.refusal(.noSense).bytes)
            if isSessionOpen { isEndUnheard = true }
            (isSessionOpen, pending, toDesk) = (false, nil, nil)
        case .ignored: break
        }
    }

    private mutating func phoneHears(_ bytes: Data, from sender: String) {
        let before = phone.phase
        switch phone.receive(bytes) {
        case .answer(let reveal):
            (phonesReveal, phonePartner) = (reveal, sender)
            send("reveal", reveal)
        case .askCode, .trusted: phonePartner = sender
        case .entered:
            if !isSessionOpen, !isEndUnheard { faults.append("a session is shown that the desk has not opened") }
            if before != .sent || phonePartner != "desk" {
                faults.append("a session is shown that is \(phonePartner)'s")
            }
        case .shown, .rejected:
            if sender != "desk" { faults.append("the phone obeyed \(sender)") }
        default: break
        }
    }

    private mutating func ownProof() {
        guard let phonesReveal, case .reveal(let key, let nonce)? = LoginMessage(phonesReveal),
            let (channel, _, proof) = try? ownDesk.conclude(ephemeralKey: key, nonce: nonce)
        else { return phoneHears(LoginMessage.proof(Data(count: 32)).bytes, from: "middle") }
        toPhone = channel
        phoneHears(LoginMessage.proof(proof).bytes, from: "middle")
    }

    private mutating func submit() {
        guard let sealed = phone.send(RogueDeskModel.alice, endsWithLink: true) else { return }
        sent += 1
        if phonePartner != "desk" { faults.append("credentials left for \(phonePartner)") }
        if var toPhone, case .sealed(let box)? = LoginMessage(sealed), (try? toPhone.open(box)) != nil {
            faults.append("the middle reads the credentials")
        }
        send("credentials", sealed)
    }

    private mutating func conclude() {
        guard let (check, isRight) = pending else { return }
        pending = nil
        guard desk.conclude(check: check, isRight: isRight) else { return }
        if isRight {
            if deskPartner != "phone" { faults.append("a session opened for \(deskPartner)") }
            (isSessionOpen, isEndUnheard) = (true, false)
            sessions += 1
        }
        reply(isRight ? "accepted" : "rejected", desk.seal(isRight ? .accepted : .rejected(.wrong)))
    }

    private mutating func check() {
        // The phone shows a session only where the desk has opened one with what this phone has sent, and until it hears that
        // it has ended.
        if phone.phase == .inside, !isSessionOpen, !isEndUnheard { faults.append("inside without a session") }
        if desk.phase == .inside, !isSessionOpen { faults.append("the desk is inside without a session") }
    }

    private mutating func send(_ label: String, _ bytes: Data) {
        counts.phone += 1
        forDesk.append((label, bytes))
    }

    private mutating func reply(_ label: String, _ bytes: Data?) {
        guard let bytes else { return }
        counts.desk += 1
        forPhone.append((label, bytes))
    }

    private mutating func sayToDesk(_ message: SealedMessage) {
        guard var channel = toDesk else { return deskHears(LoginMessage.sealed(Data(count: 40)).bytes, from: "middle") }
        let sealed = channel.seal(message)
        toDesk = channel
        counts.toDesk += 1
        deskHears(sealed, from: "middle")
    }

    private mutating func sayToPhone(_ message: SealedMessage) {
        guard var channel = toPhone else {
            return phoneHears(LoginMessage.sealed(Data(count: 40)).bytes, from: "middle")
        }
        let sealed = channel.seal(message)
        toPhone = channel
        counts.toPhone += 1
        phoneHears(sealed, from: "middle")
    }
}
