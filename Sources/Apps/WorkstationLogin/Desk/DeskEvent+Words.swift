// What events are called in the log, and in the JSON of the command.
extension DeskEvent {
    package var word: String {
        switch self {
        case .advertising: "advertising"
        case .codeShown: "code"
        case .codeHidden: "code-hidden"
        case .loggedIn: "logged-in"
        case .rejected: "rejected"
        case .codeRejected: "code-rejected"
        case .unavailable: "unavailable"
        case .locked: "locked"
        case .unlocked: "unlocked"
        case .loggedOut: "logged-out"
        case .refused: "refused"
        case .intrusion: "intrusion"
        case .closed: "closed"
        case .closedFor: "user-closed"
        }
    }
}

extension SessionEnd {
    package var word: String {
        switch self {
        case .requested: "requested"
        case .walkedAway: "walked-away"
        case .atDesk: "at-desk"
        case .linkLost: "link-lost"
        }
    }
}

extension DeskRefusal {
    package var word: String {
        switch self {
        case .otherDesk: "other-desk"
        case .busy: "busy"
        case .wait: "wait"
        case .noSense: "no-sense"
        case .tooSlow: "too-slow"
        }
    }
}
