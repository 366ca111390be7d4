/// An event's number. Core 6.0, Vol 4, Part E, 7.7.
public struct EventCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// All LE events. A second number distinguishes them.
    public static let leMeta = Self(rawValue: 0x3E)
}

/// The number of an event within the LE Meta events. Core 6.0, Vol 4, Part E, 7.7.65.
public struct LESubeventCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// Which event: its number, and for LE Meta events the second one. Each event's file names its own.
public struct EventIdentifier: Hashable, Sendable {
    public let code: EventCode
    /// Nil for all but LE Meta events.
    public let subevent: LESubeventCode?

    @inlinable
    public init(_ code: EventCode, subevent: LESubeventCode? = nil) {
        self.code = code
        self.subevent = subevent
    }

    /// An LE Meta event.
    @inlinable
    public init(le subevent: LESubeventCode) { self.init(.leMeta, subevent: subevent) }
}
