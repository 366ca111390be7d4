public import Foundation

/// How long a scan for overflow areas lasts, and when the screen is lit in between: a phone learns nothing of them while
/// it is dark, and a notification lights it for some ten seconds.
public struct ScanCycle: Hashable, Sendable {
    public enum Lighting: Hashable, Sendable {
        /// No notification.
        case never
        /// After each scan.
        case always
        /// After a scan, if none that ended within so many seconds has found anything. While other beacons are heard the
        /// screen is obviously lit.
        case whenQuiet(for: TimeInterval)
    }

    /// Seconds.
    public var scan: TimeInterval
    /// Seconds from the end of a scan to the next.
    public var pause: TimeInterval
    public var lighting: Lighting

    public init(scan: TimeInterval, pause: TimeInterval, lighting: Lighting) {
        precondition(scan > 0 && pause >= 0, "a scan takes some time")
        self.scan = scan
        self.pause = pause
        self.lighting = lighting
    }

    /// A notification every 60 s.
    public static let documented = Self(scan: 59, pause: 1, lighting: .always)
    /// A notification every 31 s: scans of 30 s with a pause of a second.
    public static let quick = Self(scan: 30, pause: 1, lighting: .always)
    /// A notification every 30 s, as the successor with its code word has it.
    public static let halfMinute = Self(scan: 29, pause: 1, lighting: .always)
    /// Scans of 30 s with a pause of a second, and a notification only if the last one has found nothing.
    public static let sparing = Self(scan: 30, pause: 1, lighting: .whenQuiet(for: 30))

    /// The same scans without notifications.
    public var withoutNotifications: Self { Self(scan: scan, pause: pause, lighting: .never) }
}
