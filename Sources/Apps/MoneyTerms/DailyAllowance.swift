/// What an account may send in a day of its bank, which begins at 00:00 UTC.
public struct DailyAllowance: Codable, Hashable, Sendable {
    /// In all.
    public var limit: Money
    /// What is left of it today, 0 or more.
    public var left: Money

    public init(limit: Money, left: Money) {
        self.limit = limit
        self.left = left
    }
}
