import Foundation

/// A desk's side of a conversation with one phone: it receives messages, and answers with what follows.
struct DeskConversation {
    /// What has come of a message.
    enum Outcome: Equatable {
        /// A phone begins; `offer` goes on, if the desk wants to.
        case hello(LoginMessage.Hello)
        /// The proof, for the phone, and the digits to be shown, if there are any.
        case agreed(proof: Data, shown: String?)
        /// Credentials to be checked; `conclude` wants the number of the check.
        case credentials(Credentials, endsWithLink: Bool, check: UInt64)
        /// The digits were wrong; nothing else was checked. These are shown now.
        case wrongCode(shown: String)
        case end(walkedAway: Bool)
        case lock(Bool)
        case ignored
        case intrusion
    }

    private enum State {
        case idle
        case offered(DeskHandshake)
        case agreed(SealedChannel, drawn: String?)
        case checking(SealedChannel, drawn: String?, check: UInt64)
        case inside(SealedChannel)
    }

    private let random: RandomBytes
    private var state = State.idle
    private var checks: UInt64 = 0

    init(random: RandomBytes) { self.random = random }

    var phase: DeskProtocol.Phase {
        switch state {
        case .idle: .idle
        case .offered: .offered
        case .agreed: .agreed
        case .checking: .checking
        case .inside: .inside
        }
    }
}

// What the phone says.
extension DeskConversation {
    mutating func receive(_ bytes: Data) -> Outcome {
        let heard = open(bytes)
        switch (DeskProtocol.reaction(in: phase, to: heard.input), heard, state) {
        case (.ignore, _, _): return .ignored
        case (.offer, .clear(.hello(let hello)), _): return .hello(hello)
        case (.agree, .clear(.reveal(let key, let nonce)), .offered(let handshake)):
            return agree(handshake, key, nonce)
        case (
            .check, .sealed(.credentials(let credentials, let code, let endsWithLink)), .agreed(let channel, let drawn)
        ):
            return check(credentials, code, endsWithLink, channel, drawn)
        case (.end, .sealed(.end(let walkedAway)), _): return .end(walkedAway: walkedAway)
        case (.lock, .sealed(let message), _): return .lock(message == .lock)
        default:
            state = .idle
            return .intrusion
        }
    }

    private enum Heard {
        case clear(LoginMessage)
        case sealed(SealedMessage)
        case unopened
        case nothing

        var input: DeskProtocol.Input {
            switch self {
            case .clear(.hello): .hello
            case .clear(.reveal): .reveal
            case .sealed(.credentials): .credentials
            case .sealed(.end): .end
            case .sealed(.lock), .sealed(.unlock): .lock
            case .unopened: .unopened
            default: .foreign
            }
        }
    }

    private mutating func open(_ bytes: Data) -> Heard {
        guard let message = LoginMessage(bytes) else { return .nothing }
        guard case .sealed(let box) = message else { return .clear(message) }
        guard let inner = withChannel({ try? $0.open(box) }) else { return .unopened }
        return inner.map { .sealed($0) } ?? .nothing
    }

    /// Nil if there is no channel.
    private mutating func withChannel<Result>(_ body: (inout SealedChannel) -> Result) -> Result? {
        switch state {
        case .idle, .offered: return nil
        case .agreed(var channel, let drawn):
            defer { state = .agreed(channel, drawn: drawn) }
            return body(&channel)
        case .checking(var channel, let drawn, let check):
            defer { state = .checking(channel, drawn: drawn, check: check) }
            return body(&channel)
        case .inside(var channel):
            defer { state = .inside(channel) }
            return body(&channel)
        }
    }

    private mutating func agree(_ handshake: DeskHandshake, _ key: Data, _ nonce: Data) -> Outcome {
        guard let (channel, code, proof) = try? handshake.conclude(ephemeralKey: key, nonce: nonce) else {
            state = .idle
            return .intrusion
        }
        let drawn = handshake.demandsCode ? draw() : nil
        state = .agreed(channel, drawn: drawn)
        let shown = [handshake.hello.wantsCode ? code : nil, drawn].compactMap(\.self)
        return .agreed(proof: proof, shown: shown.isEmpty ? nil : shown.joined(separator: " "))
    }

    private mutating func check(
        _ credentials: Credentials,
        _ code: String?,
        _ endsWithLink: Bool,
        _ channel: SealedChannel,
        _ drawn: String?
    ) -> Outcome {
        guard (code == nil) == (drawn == nil) else {
            state = .idle
            return .intrusion
        }
        if let code, let drawn, !Array(code.utf8).isEqualInConstantTime(to: Array(drawn.utf8)) {
            let next = draw()
            state = .agreed(channel, drawn: next)
            return .wrongCode(shown: next)
        }
        checks += 1
        state = .checking(channel, drawn: drawn, check: checks)
        return .credentials(credentials, endsWithLink: endsWithLink, check: checks)
    }

    /// Six digits that nothing which was said has to do with.
    private func draw() -> String { DeskCode.digits(of: random(8)) }
}

// What the desk does.
extension DeskConversation {
    /// Goes on with a phone that has begun; the offer, for the phone.
    mutating func offer(to hello: LoginMessage.Hello, _ key: DeskKey, demandsCode: Bool) -> Data {
        let handshake = DeskHandshake(hello, deskKey: key, demandsCode: demandsCode, random: random)
        state = .offered(handshake)
        return handshake.offer
    }

    /// Whether the credentials of this check are being checked.
    func isChecking(_ check: UInt64) -> Bool {
        if case .checking(_, _, check) = state { true } else { false }
    }

    /// A check has ended, and the session is there if the credentials are right. False if it is not the check that is waited
    /// for: its credentials are of an earlier visit, or were given up.
    mutating func conclude(check: UInt64, isRight: Bool) -> Bool {
        guard DeskProtocol.reaction(in: phase, to: .verdict) == .conclude,
            case .checking(let channel, let drawn, check) = state
        else { return false }
        state = isRight ? .inside(channel) : .agreed(channel, drawn: drawn)
        return true
    }

    /// Something has happened at the desk: what it does about that. What it says over the keys it has to say before, since
    /// they may end here.
    @discardableResult
    mutating func happened(_ input: DeskProtocol.Input) -> DeskProtocol.Reaction {
        let reaction = DeskProtocol.reaction(in: phase, to: input)
        switch (reaction, state) {
        case (.cannotCheck, .checking(let channel, let drawn, _)): state = .agreed(channel, drawn: drawn)
        case (.tooSlow, _), (.busy, _), (.end, _), (.forget, _): state = .idle
        default: break
        }
        return reaction
    }

    /// What is sent to the phone; nil if there are no keys.
    mutating func seal(_ message: SealedMessage) -> Data? { withChannel { $0.seal(message) } }

    /// The phone was told that it has to wait: nothing of what was agreed counts any more; a hello begins anew.
    mutating func reset() { state = .idle }
}
