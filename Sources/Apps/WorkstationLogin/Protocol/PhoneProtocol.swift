/// What a phone does with each message and each touch, in each phase of a visit: the table that `PhoneConversation` obeys
/// and docs/workstation.md shows.
enum PhoneProtocol {
    enum Phase: String, CaseIterable {
        case greeting, revealing, awaitingCode = "awaiting code", trusted, sent, inside, ending, over
    }

    enum Input: String, CaseIterable {
        // From the desk.
        case offer, proof, refusal, accepted, rejected, ended, locked, unlocked
        /// All else: no message, one that does not open, one that only a phone sends.
        case foreign = "anything else"
        // From the phone's person.
        case code = "code typed", credentials = "credentials typed", end = "end wanted", lock = "lock, unlock wanted"
    }

    enum Reaction: String, CaseIterable {
        case answer, verify, compare, send, enter, again, show, order, leave, giveUp = "give up", ignore = "–",
            intrusion

        /// What it does, and which phase it leads to.
        var meaning: String {
            switch self {
            case .answer: "sends reveal: revealing; over where the phone knows the desk by another key"
            case .verify:
                "awaiting code; trusted where the phone knows the desk and it draws no digits; over if it is wrong"
            case .compare: "trusted; at the third wrong code over"
            case .send: "**the credentials leave the phone**: sent"
            case .enter: "shows the session: inside"
            case .again: "trusted; awaiting code if the digits were wrong; over if the desk is closed"
            case .show: "shows whether the session is locked"
            case .order: "sends it; after the end: ending"
            case .leave: "shows no session any more: over"
            case .giveUp: "says why: over"
            case .ignore: "nothing"
            case .intrusion: "says that something came out of order, shows no session, sends nothing: over"
            }
        }
    }

    static func reaction(in phase: Phase, to input: Input) -> Reaction {
        switch (phase, input) {
        case (.over, _): .ignore
        case (.greeting, .offer): .answer
        case (.revealing, .proof): .verify
        case (.awaitingCode, .code): .compare
        // The only place where credentials leave.
        case (.trusted, .credentials): .send
        case (.sent, .accepted): .enter
        case (.sent, .rejected): .again
        case (.inside, .locked), (.inside, .unlocked): .show
        case (.inside, .end), (.inside, .lock): .order
        case (.inside, .ended), (.ending, .ended), (.inside, .refusal), (.ending, .refusal): .leave
        // It was under way when the phone said the end.
        case (.ending, .locked), (.ending, .unlocked): .ignore
        case (_, .refusal): .giveUp
        case (_, .code), (_, .credentials), (_, .end), (_, .lock): .ignore
        default: .intrusion
        }
    }
}
