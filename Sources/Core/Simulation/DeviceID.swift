import BluethroatVirtualTime

/// A device's number in its world, in the order of arrival. It never names another device, also after this one has left.
///
/// What a world keeps of a device it gives back when the device leaves; the number is not used again (before 2³²
/// arrivals), so that addresses and random streams made of it are not, either.
public struct DeviceID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    let arrival: Arrival

    /// 0 for the first device of a world, 1 for the next.
    public var rawValue: UInt32 { arrival.number }

    public init(rawValue: UInt32) { arrival = Arrival(number: rawValue) }

    init(_ arrival: Arrival) { self.arrival = arrival }

    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// `device 3`
    public var description: String { "device \(rawValue)" }
}
