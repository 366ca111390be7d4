public import BluethroatVirtualTime

/// Where an app is in its life.
public enum AppState: Hashable, Sendable {
    /// Installed, and not launched yet.
    case notRunning
    /// On the screen.
    case foreground
    /// It runs, but not on the screen: it has just left it, or was woken.
    case background
    /// In memory, but none of its code runs. What happens waits for it.
    case suspended
    /// The system has ended it, or it has crashed. What it wanted to be restored goes on without it.
    case terminated
    /// Its person has ended it, and with it everything that it wanted.
    case forceQuit

    /// Whether its code runs.
    public var executes: Bool { self == .foreground || self == .background }

    /// Whether it is in memory.
    public var isRunning: Bool { executes || self == .suspended }
}

/// What an app may do with Bluetooth while it is not on the screen: the values of `UIBackgroundModes`.
public struct BackgroundModes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `bluetooth-central`: it goes on to scan, with restrictions, and is woken for the events of central managers.
    public static let bluetoothCentral = Self(rawValue: 1)
    /// `bluetooth-peripheral`: it goes on to advertise, with restrictions, and is woken for what centrals want.
    public static let bluetoothPeripheral = Self(rawValue: 2)

    /// The modes in a list such as that of an `Info.plist`; others than these two have nothing to do with Bluetooth.
    public init(_ names: [String]) {
        self = []
        if names.contains("bluetooth-central") { insert(.bluetoothCentral) }
        if names.contains("bluetooth-peripheral") { insert(.bluetoothPeripheral) }
    }
}

/// How the system launches an app that it has ended, since there is something for managers to be restored.
public struct Relaunch: Hashable, Sendable {
    public let app: AppID
    /// The restore identifiers of central managers, in the order in which these were made.
    public let centrals: [String]
    /// The restore identifiers of peripheral managers.
    public let peripherals: [String]
}

/// What the system shows to the phone's person on behalf of an app that cannot do it itself.
public struct SystemAlert: Hashable, Sendable {
    public enum Occasion: Hashable, Sendable {
        /// `CBConnectPeripheralOptionNotifyOnConnectionKey`.
        case connected(PeerID, name: String?)
        /// `CBConnectPeripheralOptionNotifyOnDisconnectionKey`.
        case disconnected(PeerID, name: String?)
        /// `CBConnectPeripheralOptionNotifyOnNotificationKey`.
        case notification(PeerID, name: String?)
        /// A manager that wants it (`ShowPowerAlert`) was made while Bluetooth was off.
        case bluetoothIsOff
    }

    public let app: AppID
    public let time: Instant
    public let occasion: Occasion
}
