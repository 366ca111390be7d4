/// What a desk does with each message of a phone, and with what happens meanwhile, in each phase: the table that
/// `DeskConversation` obeys and docs/workstation.md shows.
enum DeskProtocol {
    enum Phase: String, CaseIterable {
        case idle, offered, agreed, checking, inside
    }

    enum Input: String, CaseIterable {
        // From the phone.
        case hello, reveal, credentials, end, lock = "lock, unlock"
        /// Sealed, while there are no keys, or none any more.
        case unopened = "sealed without keys"
        /// All else: no message, one that does not open, one that only a desk sends.
        case foreign = "anything else"
        // At the desk.
        case verdict, time = "time is up", leave = "session ends here", keyboard = "login at the keyboard",
            link = "link lost"
    }

    enum Reaction: String, CaseIterable {
        case offer, agree, check, conclude, end, lock, tooSlow = "too slow", cannotCheck = "cannot check", busy, forget,
            ignore = "–", intrusion

        /// What it does, and which phase it leads to.
        var meaning: String {
            switch self {
            case .offer: "sends offer: offered; a refusal if it has other digits, is taken or closed: idle"
            case .agree: "sends proof, shows digits: agreed; an intrusion if the promise was not kept"
            case .check:
                "has the credentials checked: checking; agreed if the digits that it has drawn are not in them; idle where "
                    + "it, or the name, is closed"
            case .conclude:
                "right: **the session opens**: inside; wrong, or the login cannot be logged: agreed, or idle where it closes"
            case .end: "ends the session, says so: idle"
            case .lock: "locks the session, or unlocks it, says so"
            case .tooSlow: "refuses, counts the time: idle"
            case .cannotCheck: "says that it cannot check: agreed; a verdict that comes later opens nothing"
            case .busy: "refuses because someone else is logged in: idle"
            case .forget: "forgets the keys: idle; a session is locked, and ends after a while, or ends now"
            case .ignore: "nothing"
            case .intrusion: "refuses, counts a failure, ends a session: idle; nothing in idle while the desk is closed"
            }
        }
    }

    static func reaction(in phase: Phase, to input: Input) -> Reaction {
        switch (phase, input) {
        case (.idle, .hello): .offer
        case (.offered, .reveal): .agree
        case (.agreed, .credentials): .check
        case (.checking, .verdict): .conclude
        case (.inside, .end), (.inside, .leave): .end
        case (.inside, .lock): .lock
        case (.offered, .time), (.agreed, .time): .tooSlow
        case (.checking, .time): .cannotCheck
        case (.offered, .keyboard), (.agreed, .keyboard), (.checking, .keyboard): .busy
        case (.offered, .link), (.agreed, .link), (.checking, .link), (.inside, .link): .forget
        case (_, .verdict), (_, .time), (_, .leave), (_, .keyboard), (_, .link): .ignore
        // The phone may not have heard yet that it is over.
        case (.idle, .unopened): .ignore
        default: .intrusion
        }
    }
}
