public import BluethroatBluetoothValues

/// What kind of device a phone is: what its system lets apps do with Bluetooth, and how fast its connections are.
///
/// Apple, WWDC 2017, session 712, and the article about MoneyDrop: watchOS and tvOS have the central's role only, two
/// connections at a time, intervals of 30 ms or more, and no restoration.
public enum PhoneKind: String, CaseIterable, Hashable, Sendable {
    /// Both roles, any number of connections, background modes, restoration.
    case phone
    /// Peripheral managers are unsupported. Connections of an app, and what it looks for, end when it is suspended.
    case watch
    /// Peripheral managers are unsupported. Connections of an app, and what it looks for, end when it leaves the screen.
    case television

    /// Whether peripheral managers of apps are unsupported.
    public var isCentralOnly: Bool { self != .phone }

    /// How many connections apps have at a time, all together; nil for as many as the controller takes.
    public var connectionLimit: Int? { self == .phone ? nil : 2 }

    /// Whether apps with a background mode go on off the screen, are woken, and are restored.
    public var hasBackgroundModes: Bool { self == .phone }

    /// The shortest interval of connections that the device makes, or grants to a peripheral that asks; nil for any.
    public var shortestInterval: ConnectionInterval? { self == .phone ? nil : ConnectionInterval(steps: 24) }
}
