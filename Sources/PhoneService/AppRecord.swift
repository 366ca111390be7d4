import VirtualTime

/// An app as the service treats it.
struct AppRecord {
    let id: AppID
    var state = AppState.foreground
    var modes: BackgroundModes = []
    var authorization = Authorization.allowedAlways
    var rangesBeacons = false
    /// Grows with each time that an app comes to the foreground; tells who was there last.
    var lastForeground: UInt64 = 0
    /// When it is suspended; nil if it is not in the background, or stays awake there.
    var suspension: Instant?
    /// When what it has not taken back after a launch is given up.
    var discard: Instant?
    /// Something has happened for which it is to be woken.
    var isCalled = false
    /// A manager was made before its person was asked.
    var wantsPrompt = false

    init(id: AppID) { self.id = id }
}

extension BackgroundModes {
    /// The mode in which a manager goes on in the background.
    init(of role: SessionDescription.Role) { self = role == .central ? .bluetoothCentral : .bluetoothPeripheral }
}

extension SessionEvent {
    /// Whether a delegate hears of it, so that an app is woken.
    var wakes: Bool {
        switch self {
        case .central(.peerKnown), .central(.restored), .central(.peer(_, _, .limitsChanged)): false
        case .peripheral(.updateWindow), .peripheral(.restored), .peripheral(.limitsChanged): false
        case .channel(_, .echo): false
        default: true
        }
    }
}
