/// What a desk's monitor shows.
public struct DeskScreen: Equatable, Sendable {
    /// Who is logged in.
    public struct Session: Equatable, Sendable {
        public var user: String
        public var isLocked = false
    }

    public let identifier: DeskIdentifier
    /// The digits that have to be typed on the phone at the moment: six, or six and six with a space between.
    public internal(set) var code: String?
    public internal(set) var session: Session?
    /// Why nothing is taken at the moment, or what happened last.
    public internal(set) var notice: String?
    public internal(set) var isAdvertising = false
}

/// What happened at a desk, for its operator.
public enum DeskEvent: Equatable, Sendable {
    /// The radio is on and the desk can be found, or is not any more.
    case advertising(Bool)
    /// A phone is there that has to show a code, or does not any more.
    case codeShown(String)
    case codeHidden
    case loggedIn(user: String)
    case rejected(user: String)
    /// The digits that came with credentials were not those that the desk has drawn.
    case codeRejected
    /// The credentials could not be checked, and why.
    case unavailable(String)
    case locked(user: String)
    case unlocked(user: String)
    case loggedOut(user: String, SessionEnd)
    /// A phone was not talked to.
    case refused(DeskRefusal)
    /// Something did not decrypt, or came out of turn.
    case intrusion
    /// So much has gone wrong that for so many seconds no phone is accepted.
    case closed(seconds: Int)
    /// A user's credentials were wrong so often that for so many seconds they are not looked at.
    case closedFor(user: String, seconds: Int)
}
