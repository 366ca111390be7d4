/// A device's number in its world, in the order of arrival; never used again for another.
public struct DeviceID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// `device 3`
    public var description: String { "device \(rawValue)" }
}
