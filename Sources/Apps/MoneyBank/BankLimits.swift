/// How much a bank keeps for those who ask it. Beyond that it says so and keeps nothing; a client that asks again
/// later is answered then.
public struct BankLimits: Hashable, Sendable {
    /// In total. Anyone may open accounts; this limit bounds the books.
    public var accounts = 10_000
    public var accountsPerHour = 500
    /// New orders of one account, paid or refused.
    public var ordersPerMinute = 600
    /// What one account may send in a day, from 00:00 UTC by the bank's clock, in whole units of its currency; nil for no
    /// limit. What it has sent is in the books, so that a bank which is opened anew knows.
    public var unitsPerDay: Int64?
    /// Tokens of one account that the bank still knows: those that are good, and those that are past by an hour.
    public var tokensPerAccount = 100
    /// Refused orders of one account that are kept. An account costs nothing, so that a limit for all of them together would
    /// let one keep the others' orders from being refused.
    public var refusalsPerAccount = 100
    /// How long a refused order is kept, in seconds: 30 days. After that its token is long past, and it is refused for that.
    public var refusalMemory: Int64 = 30 * 86_400

    public init() {}
}

extension BankDesk.Denial {
    static func tooMany(_ sentence: String) -> Self { Self(kind: .tooMany, sentence: sentence) }
}
