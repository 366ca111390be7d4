public import BluethroatMoneyTerms
public import Foundation

/// What a bank is like.
public struct BankSettings: Sendable {
    /// What a new account gets from the bank's own, in whole units of its currency. It is play money.
    public var deposit: Int64 = 100
    /// How long a payee token is good for, in seconds.
    public var tokenLifetime: UInt16 = 300
    public var limits = BankLimits()
    /// Seconds since 1970.
    public var clock: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
    /// Makes names for accounts and tokens.
    public var makeID: @Sendable () -> UUID = { UUID() }
    /// Makes a secret of an account, which only its owner may know.
    public var makeSecret: @Sendable () -> String = {
        (0..<32).map { _ in String(UInt16.random(in: 0x100...0x1FF), radix: 16).dropFirst() }.joined()
    }
    /// The key of a new bank.
    public var makeKey: @Sendable () -> BankSigningKey = { BankSigningKey() }
    /// Whether what was answered survives a loss of power, too, and not just the end of the process.
    public var survivesPowerLoss = true

    public init() {}
}
