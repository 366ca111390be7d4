/// A phone's Bluetooth service as one app on that phone sees it.
///
/// The owner of the phone makes one for each app: a test that owns a virtual world, a loop that runs a world in real
/// time, a host on a real controller. The managers of the app do not know which. Everything is one way: commands go
/// in, events come out, and neither side waits, so that no thread can stop another.
public protocol ServicePort: Sendable {
    /// What the app may do with Bluetooth. May be asked before there is a manager.
    var authorization: Authorization { get }

    /// Begins a session for one manager. The first event is the state of the radio, never before `open` has returned.
    ///
    /// `events` is called with the session's events in their order, on the thread that owns the phone, after the machines
    /// there have done their work: it may call `submit` at once.
    func open(
        _ session: SessionDescription,
        events: @escaping @Sendable (_ events: [SessionEvent]) -> Void
    ) -> SessionID

    /// Leaves a command with the service and returns at once. The commands of one thread are carried out in their order.
    func submit(_ command: SessionCommand, from session: SessionID)

    /// Ends a session: its manager is gone, and so is everything it had asked for.
    func close(_ session: SessionID)
}

/// Names one manager's session with the service of its phone.
public struct SessionID: Hashable, Sendable {
    public let number: UInt32

    public init(number: UInt32) { self.number = number }
}

/// What a manager says of itself when its session begins.
public struct SessionDescription: Hashable, Sendable {
    public enum Role: Hashable, Sendable {
        case central
        case peripheral
    }

    public var role: Role
    /// Under which name the manager wants to be restored after the app was terminated; nil if it does not.
    public var restoreIdentifier: String?
    /// Whether the system shows an alert if Bluetooth is off.
    public var showsPowerAlert: Bool

    public init(role: Role, restoreIdentifier: String? = nil, showsPowerAlert: Bool = false) {
        self.role = role
        self.restoreIdentifier = restoreIdentifier
        self.showsPowerAlert = showsPowerAlert
    }
}

/// Whether the radio can be used; the values and their order are those of CoreBluetooth.
public enum RadioState: Int, Hashable, Sendable {
    case unknown = 0
    case resetting = 1
    case unsupported = 2
    case unauthorized = 3
    case poweredOff = 4
    case poweredOn = 5
}

/// What an app may do with Bluetooth; the values are those of CoreBluetooth.
public enum Authorization: Int, Hashable, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case allowedAlways = 3
}
