import BluethroatVirtualTime

/// An app as the service treats it.
struct AppRecord {
    let id: AppID
    var state = AppState.foreground
    var modes: BackgroundModes = []
    var authorization = Authorization.allowedAlways
    var rangesBeacons = false
    /// Grows with each time that an app comes to the foreground: the largest is the app that was there last.
    var lastForeground: UInt64 = 0
    /// When it is suspended; nil if it is not in the background, or stays awake there.
    var suspension: Instant?
    /// When what it has not taken back after a launch is given up.
    var discard: Instant?
    /// Something has happened for which it is to be woken.
    var isToBeWoken = false
    /// A manager was made before its person was asked.
    var wantsPrompt = false

    init(id: AppID) { self.id = id }

    /// Whether a manager in this role goes on at the moment: the app is in the foreground, or may do it elsewhere.
    func isActive(_ role: SessionDescription.Role) -> Bool {
        state == .foreground || modes.contains(BackgroundModes(of: role))
    }

    /// An app stays awake for as long as the latest reason says, or until it ranges no more.
    mutating func stayAwake(until end: Instant) {
        suspension = rangesBeacons ? nil : max(end, suspension ?? end)
    }
}

extension BackgroundModes {
    /// The mode in which a manager goes on in the background.
    init(of role: SessionDescription.Role) { self = role == .central ? .bluetoothCentral : .bluetoothPeripheral }
}

extension SessionEvent {
    /// Whether a delegate hears of it, so that an app is woken.
    var wakesApps: Bool {
        switch self {
        case .central(.peerKnown), .central(.peerForgotten), .central(.restored), .central(.peer(_, _, .limitsChanged)):
            false
        case .peripheral(.updateWindow), .peripheral(.restored), .peripheral(.limitsChanged): false
        case .channel(_, .echo): false
        default: true
        }
    }
}
