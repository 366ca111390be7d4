/// What the phone shows.
public struct LoginScreen: Equatable, Sendable {
    public enum Page: Equatable, Sendable {
        /// The PIN is asked for.
        case locked
        /// A field for four digits, and a button for each desk that was used.
        case start
        /// A desk was not in the registry, and is looked for.
        case searching(DeskIdentifier)
        case notFound(DeskIdentifier)
        /// User name and password are asked for; what was wrong with those before.
        case credentials(DeskIdentifier, fault: String?)
        case connecting(DeskIdentifier)
        /// So many digits on the desk's monitor are asked for, 6 or 12; what was wrong with those before.
        case code(DeskIdentifier, digits: Int, fault: String?)
        /// A device has the desk's digits and not its key. Nothing was sent.
        case otherKey(DeskIdentifier)
        case connected(Connected)
    }

    public struct Connected: Equatable, Sendable {
        public var desk: DeskIdentifier
        public var user: String
        public var isLocked = false
        /// Whether the dialog is there that asks whether to end the session.
        public var asksToEnd = false
    }

    public internal(set) var page = Page.start
    /// The desks that were used, the latest first.
    public internal(set) var buttons: [DeskIdentifier] = []
    /// What has happened, or was wrong; gone with the next touch.
    public internal(set) var notice: String?
    /// Whether the registry is being filled.
    public internal(set) var isScanning = false
    /// The desks that were found, in the order of their digits.
    public internal(set) var registry: [DeskIdentifier] = []
    public internal(set) var isBluetoothOn = false
    public internal(set) var hasPIN = false
    public internal(set) var triesLeft = CredentialVault.tries
    public internal(set) var settings = LoginSettings()
}
