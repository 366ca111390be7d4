/// What some apps ask of their phone besides Bluetooth and the time: where they are, to say something to its person, and
/// to range beacons so that they stay awake.
///
/// A phone in a world answers with `AppSurroundings.of(app)`; an app on a device makes one of what its system offers.
public struct AppSurroundings {
    /// Something that a phone shows to its person.
    public struct Notification: Hashable, Sendable {
        public var title: String
        public var body: String
        public var category: String
        public var hasSound: Bool

        public init(title: String, body: String = "", category: String = "", hasSound: Bool = false) {
            self.title = title
            self.body = body
            self.category = category
            self.hasSound = hasSound
        }
    }

    /// What the phone's person has to allow.
    public struct Permissions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        /// Location is switched on in the settings.
        public static let location = Self(rawValue: 1)
        /// The app may use the location at any time.
        public static let locationAlways = Self(rawValue: 2)
        public static let notifications = Self(rawValue: 4)
        public static let all: Self = [.location, .locationAlways, .notifications]

        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    private let background: () -> Bool
    private let allowed: () -> Permissions
    private let show: (Notification) -> Void
    private let range: (Bool) -> Void

    /// - Parameters:
    ///   - isInBackground: whether the app runs, and is not on the screen.
    ///   - permissions: what is allowed at the moment.
    ///   - notify: shows a notification instead of those that the app has shown before.
    ///   - rangeBeacons: begins to range beacons, or ends it.
    public init(
        isInBackground: @escaping () -> Bool,
        permissions: @escaping () -> Permissions = { .all },
        notify: @escaping (Notification) -> Void,
        rangeBeacons: @escaping (Bool) -> Void
    ) {
        background = isInBackground
        allowed = permissions
        show = notify
        range = rangeBeacons
    }

    /// Whether the app runs, and is not on the screen.
    public var isInBackground: Bool { background() }
    public var permissions: Permissions { allowed() }

    /// Shows a notification instead of those that the app has shown before.
    public func notify(_ notification: Notification) { show(notification) }

    /// Begins to range beacons, which keeps the app awake, or ends it.
    public func rangeBeacons(_ isOn: Bool) { range(isOn) }
}
