/// How strictly a bonded peer's privacy is taken, if it has private addresses. Core 6.0, Vol 6, Part B, 6.
public enum PrivacyMode: UInt8, Hashable, Sendable {
    /// The peer uses private addresses only; a device that shows its identity address is taken for another, and is
    /// not answered. Core 6.0, Vol 4, Part E, 7.8.77.
    case network = 0
    /// The peer may show its identity address too.
    case device = 1
}
