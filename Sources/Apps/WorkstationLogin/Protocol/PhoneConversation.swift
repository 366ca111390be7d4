import Foundation

/// A phone's side of one visit to a desk: it receives messages and what its user did, and answers with what follows.
///
/// Keys are inside, and nowhere else: what leaves sealed leaves through here, credentials through `send` alone.
struct PhoneConversation {
    /// What has come of a message.
    enum Outcome: Equatable {
        /// The reveal, for the desk.
        case answer(Data)
        /// The desk has another key than the known one, or none that it can show.
        case otherKey
        /// So many digits on the monitor are asked for.
        case askCode(digits: Int)
        /// Credentials may be sent.
        case trusted
        case entered(user: String)
        case rejected(CredentialRejection)
        case shown(isLocked: Bool)
        case ended(SessionEnd)
        /// A session is over without the desk's word for it.
        case brokenOff
        case refused(DeskRefusal)
        case ignored
        case intrusion
    }

    /// What has come of a code.
    enum CodeAnswer: Equatable {
        /// Credentials may be sent; the key of a desk that is known from now on.
        case trusted(newKey: Data?)
        /// It has so many digits.
        case wrongLength(Int)
        case wrong
        /// That was the last try.
        case exhausted
        case notAsked
    }

    /// The digits that are asked for.
    private struct Asked {
        /// Those that follow from what was said, and the desk's key that they vouch for.
        var vouching: (code: String, key: Data)?
        /// Whether the desk has drawn digits besides, which the phone cannot know.
        let isDrawn: Bool
        var tries = 0

        var count: Int { DeskCode.length * ((vouching == nil ? 0 : 1) + (isDrawn ? 1 : 0)) }
    }

    private enum Agreed {
        case awaitingCode(Asked)
        case trusted(drawn: String?)
        case sent(user: String, drawn: String?)
        case inside
        case ending
    }

    private enum State {
        case greeting(PhoneHandshake)
        case revealing(PhoneHandshake, LoginMessage.Offer)
        case agreed(SealedChannel, Agreed)
        case over
    }

    /// The first message.
    let hello: Data
    /// Whether credentials were sent.
    private(set) var hasSent = false
    private let knownKey: Data?
    private var state: State

    init(_ identifier: DeskIdentifier, knownKey: Data?, random: RandomBytes) {
        let handshake = PhoneHandshake(identifier, wantsCode: knownKey == nil, random: random)
        self.knownKey = knownKey
        hello = handshake.hello
        state = .greeting(handshake)
    }

    var phase: PhoneProtocol.Phase {
        switch state {
        case .greeting: .greeting
        case .revealing: .revealing
        case .agreed(_, .awaitingCode): .awaitingCode
        case .agreed(_, .trusted): .trusted
        case .agreed(_, .sent): .sent
        case .agreed(_, .inside): .inside
        case .agreed(_, .ending): .ending
        case .over: .over
        }
    }
}

// What the desk says.
extension PhoneConversation {
    mutating func receive(_ bytes: Data) -> Outcome {
        let heard = open(bytes)
        switch (PhoneProtocol.reaction(in: phase, to: input(heard)), heard, state) {
        case (.ignore, _, _): return .ignored
        case (.answer, .clear(.offer(let offer)), .greeting(let handshake)): return answer(offer, handshake)
        case (.verify, .clear(.proof(let proof)), .revealing(let handshake, let offer)):
            return verify(proof, offer, handshake)
        case (.enter, _, .agreed(let channel, .sent(let user, _))):
            state = .agreed(channel, .inside)
            return .entered(user: user)
        case (.again, .sealed(.rejected(let rejection)), .agreed(let channel, .sent(_, let drawn))):
            return again(rejection, channel, drawn)
        case (.show, .sealed(let message), _): return .shown(isLocked: message == .locked)
        case (.leave, .sealed(.ended(let end)), _):
            state = .over
            return .ended(end)
        case (.leave, _, _):
            state = .over
            return .brokenOff
        case (.giveUp, .clear(.refusal(let refusal)), _):
            state = .over
            return .refused(refusal)
        default:
            state = .over
            return .intrusion
        }
    }

    private enum Heard {
        case clear(LoginMessage)
        case sealed(SealedMessage)
        case nothing
    }

    private mutating func open(_ bytes: Data) -> Heard {
        guard let message = LoginMessage(bytes) else { return .nothing }
        guard case .sealed(let box) = message else { return .clear(message) }
        guard case .agreed(var channel, let agreed) = state, let inner = try? channel.open(box) else { return .nothing }
        state = .agreed(channel, agreed)
        return .sealed(inner)
    }

    private func input(_ heard: Heard) -> PhoneProtocol.Input {
        switch heard {
        case .clear(.offer): .offer
        case .clear(.proof): .proof
        case .clear(.refusal): .refusal
        case .sealed(.accepted): .accepted
        // The digits of a desk that has drawn none cannot be wrong.
        case .sealed(.rejected(.wrongCode)) where !hasDrawn: .foreign
        case .sealed(.rejected): .rejected
        case .sealed(.ended): .ended
        case .sealed(.locked): .locked
        case .sealed(.unlocked): .unlocked
        default: .foreign
        }
    }

    private var hasDrawn: Bool {
        if case .agreed(_, .sent(_, let drawn)) = state { drawn != nil } else { false }
    }

    private mutating func answer(_ offer: LoginMessage.Offer, _ handshake: PhoneHandshake) -> Outcome {
        guard knownKey == nil || knownKey == offer.deskKey else {
            state = .over
            return .otherKey
        }
        var handshake = handshake
        handshake.take(offer)
        state = .revealing(handshake, offer)
        return .answer(handshake.reveal)
    }

    private mutating func verify(_ proof: Data, _ offer: LoginMessage.Offer, _ handshake: PhoneHandshake) -> Outcome {
        guard let (channel, code) = try? handshake.conclude(proof) else {
            state = .over
            return .otherKey
        }
        let vouching = knownKey == nil ? (code, offer.deskKey) : nil
        let asked = Asked(vouching: vouching, isDrawn: offer.demandsCode)
        state = .agreed(channel, asked.count > 0 ? .awaitingCode(asked) : .trusted(drawn: nil))
        return asked.count > 0 ? .askCode(digits: asked.count) : .trusted
    }

    private mutating func again(
        _ rejection: CredentialRejection,
        _ channel: SealedChannel,
        _ drawn: String?
    ) -> Outcome {
        switch rejection {
        case .wrong, .unavailable: state = .agreed(channel, .trusted(drawn: drawn))
        case .wrongCode: state = .agreed(channel, .awaitingCode(Asked(vouching: nil, isDrawn: true)))
        case .wait: state = .over
        }
        return .rejected(rejection)
    }
}

// What its person does.
extension PhoneConversation {
    /// How often a code may be mistyped that the phone can check.
    private static let codeTries = 3

    /// The digits on the monitor, without spaces: those that vouch for the desk, and those that it has drawn.
    mutating func enter(code: String) -> CodeAnswer {
        guard PhoneProtocol.reaction(in: phase, to: .code) == .compare,
            case .agreed(let channel, .awaitingCode(var asked)) = state
        else { return .notAsked }
        guard code.utf8.count == asked.count, code.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return .wrongLength(asked.count)
        }
        let first = asked.vouching.map { String(code.prefix($0.code.count)) }
        guard first == asked.vouching?.code else {
            asked.tries += 1
            guard asked.tries < Self.codeTries else {
                state = .over
                return .exhausted
            }
            state = .agreed(channel, .awaitingCode(asked))
            return .wrong
        }
        let drawn = asked.isDrawn ? String(code.suffix(DeskCode.length)) : nil
        state = .agreed(channel, .trusted(drawn: drawn))
        return .trusted(newKey: asked.vouching?.key)
    }

    /// Credentials, sealed for the desk: the only way by which they leave the phone. Nil unless the desk is trusted, by its
    /// key or by its code, and no others are under way.
    mutating func send(_ credentials: Credentials, endsWithLink: Bool) -> Data? {
        guard PhoneProtocol.reaction(in: phase, to: .credentials) == .send,
            case .agreed(var channel, .trusted(let drawn)) = state
        else { return nil }
        let sealed = channel.seal(.credentials(credentials, code: drawn, endsWithLink: endsWithLink))
        state = .agreed(channel, .sent(user: credentials.user, drawn: drawn))
        hasSent = true
        return sealed
    }

    /// The end of the session; nil where there is none.
    mutating func end(walkedAway: Bool) -> Data? {
        guard PhoneProtocol.reaction(in: phase, to: .end) == .order, case .agreed(var channel, _) = state else {
            return nil
        }
        let sealed = channel.seal(.end(walkedAway: walkedAway))
        state = .agreed(channel, .ending)
        return sealed
    }

    /// Locks the session or unlocks it; nil where there is none.
    mutating func lock(_ isLocked: Bool) -> Data? {
        guard PhoneProtocol.reaction(in: phase, to: .lock) == .order, case .agreed(var channel, let agreed) = state
        else { return nil }
        let sealed = channel.seal(isLocked ? .lock : .unlock)
        state = .agreed(channel, agreed)
        return sealed
    }
}
