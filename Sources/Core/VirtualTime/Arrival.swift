/// What names one value of an `ArrivalTable`: its number in the order of arrival, and the place where the table keeps it.
///
/// Places are used again, numbers are not (before 2³² arrivals): the number is what generations are elsewhere. Two
/// arrivals are equal if their numbers are.
public struct Arrival: Hashable, Comparable, Sendable {
    /// 0 for the first value of a table, 1 for the next.
    public let number: UInt32
    /// Where the table keeps the value.
    public let place: UInt32

    @inlinable
    public init(number: UInt32, place: UInt32) {
        self.number = number
        self.place = place
    }

    /// An arrival of which only the number is known. Its place is that of the number in a table that nothing has left.
    @inlinable
    public init(number: UInt32) { self.init(number: number, place: number) }

    @inlinable
    public static func == (left: Self, right: Self) -> Bool { left.number == right.number }
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
