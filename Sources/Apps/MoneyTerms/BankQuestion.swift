public import Foundation

/// Something that is asked of the bank. Asking twice is the same as asking once, but for `OpenAccount` and `AskToken`.
public protocol BankQuestion: Codable, Sendable {
    associatedtype Answer: Codable & Sendable
    /// Its name in requests to the bank.
    static var name: String { get }
}

/// The client's account, and its secret.
public struct Credentials: Hashable, Sendable, Codable {
    public var account: UUID
    public var secret: String

    public init(account: UUID, secret: String) {
        self.account = account
        self.secret = secret
    }
}

/// What an account's owner keeps.
public struct BankAccount: Hashable, Sendable, Codable {
    public var credentials: Credentials
    public var name: String
    public var currency: Currency
    public var bankKey: BankKey

    public init(credentials: Credentials, name: String, currency: Currency, bankKey: BankKey) {
        self.credentials = credentials
        self.name = name
        self.currency = currency
        self.bankKey = bankKey
    }
}

/// Asks which bank it is. Needs no account.
public struct AskBank: BankQuestion {
    public static let name = "bank"

    public struct Answer: Codable, Hashable, Sendable {
        /// A bank with other books has another one.
        public var bankKey: BankKey
        /// Nil from a bank of before.
        public var encryptionKey: BankEncryptionKey?

        public init(bankKey: BankKey, encryptionKey: BankEncryptionKey? = nil) {
            self.bankKey = bankKey
            self.encryptionKey = encryptionKey
        }
    }

    public init() {}
}

/// Opens an account. Needs no account.
public struct OpenAccount: BankQuestion {
    public static let name = "open"
    public typealias Answer = BankAccount

    public var name: String
    public var currency: Currency

    public init(name: String, currency: Currency) {
        self.name = name
        self.currency = currency
    }
}

/// Asks how much there is.
public struct AskBalance: BankQuestion {
    public static let name = "balance"

    public struct Answer: Codable, Hashable, Sendable {
        public var name: String
        public var balance: Money
        /// Nil where the bank has no limit for a day.
        public var allowance: DailyAllowance?

        public init(name: String, balance: Money, allowance: DailyAllowance? = nil) {
            self.name = name
            self.balance = balance
            self.allowance = allowance
        }
    }

    public init() {}
}

/// Asks for a token to give to a payer.
public struct AskToken: BankQuestion {
    public static let name = "token"

    /// Of the token: 1 or 2.
    public var version: UInt8
    public var photo: PhotoDescription?

    public struct Answer: Codable, Hashable, Sendable {
        public var token: Data
        /// In seconds from now.
        public var lifetime: UInt16

        public init(token: Data, lifetime: UInt16) {
            self.token = token
            self.lifetime = lifetime
        }
    }

    public init(version: UInt8, photo: PhotoDescription?) {
        self.version = version
        self.photo = photo
    }
}

/// Orders a transfer. A repeated order gets the outcome of the first, also if that was refused.
public struct OrderTransfer: BankQuestion, Hashable {
    public static let name = "transfer"

    public struct Answer: Codable, Hashable, Sendable {
        public var outcome: TransferOutcome
        /// How much the payer has after it, and may still send. Nil from a bank of before.
        public var account: AskBalance.Answer?

        public init(_ outcome: TransferOutcome, account: AskBalance.Answer?) {
            self.outcome = outcome
            self.account = account
        }

        /// The outcome's own, and one beside it.
        private enum CodingKeys: CodingKey { case account }

        public init(from decoder: any Decoder) throws {
            outcome = try TransferOutcome(from: decoder)
            account = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(
                AskBalance.Answer.self,
                forKey: .account
            )
        }

        public func encode(to encoder: any Encoder) throws {
            try outcome.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(account, forKey: .account)
        }
    }

    public var id: UUID
    /// Whom to pay.
    public var token: Data
    public var amount: Money

    public init(id: UUID, token: Data, amount: Money) {
        self.id = id
        self.token = token
        self.amount = amount
    }
}

/// The outcome of a transfer, for its payer.
public enum TransferOutcome: Codable, Hashable, Sendable {
    /// `isSeen`: whether the recipient has confirmed to the bank that it knows.
    case done(receipt: Data, isSeen: Bool)
    case refused(because: TransferRefusal)
}

/// Why no money moves.
public enum TransferRefusal: String, Codable, Hashable, Sendable, CaseIterable, Error {
    case insufficientFunds, unknownToken, expiredToken, ownAccount, otherCurrency, noAmount
    /// With it the account would have sent more in a day than it may: `DailyAllowance`.
    case dailyLimit

    /// A sentence for people.
    public var sentence: String {
        switch self {
        case .insufficientFunds: "there is not enough money in the account"
        case .unknownToken: "the bank does not know whom the details are of"
        case .expiredToken: "the details were too old; send again"
        case .ownAccount: "that is one's own account"
        case .otherCurrency: "the recipient's account has another currency"
        case .noAmount: "the amount has to be more than nothing"
        case .dailyLimit: "that is more than this account may send in a day, which begins at 00:00 UTC"
        }
    }
}

/// Asks whether there is such a transfer to this account.
public struct CheckIncoming: BankQuestion {
    public static let name = "check"

    public struct Answer: Codable, Hashable, Sendable {
        /// Nil if this account has got no such transfer.
        public var transfer: IncomingTransfer?

        public init(transfer: IncomingTransfer?) { self.transfer = transfer }
    }

    public var transfer: UUID

    public init(transfer: UUID) { self.transfer = transfer }
}

/// Money that has come to an account.
public struct IncomingTransfer: Codable, Hashable, Sendable {
    /// They count up.
    public var number: Int64
    public var id: UUID
    public var amount: Money
    public var payer: String
    /// The same, signed: `Receipt`. Nil from a bank of before.
    public var receipt: Data?

    public init(number: Int64, id: UUID, amount: Money, payer: String, receipt: Data? = nil) {
        self.number = number
        self.id = id
        self.amount = amount
        self.payer = payer
        self.receipt = receipt
    }
}

/// Asks what has come since, a hundred transfers at most.
public struct AskIncoming: BankQuestion {
    public static let name = "incoming"
    public typealias Answer = [IncomingTransfer]

    /// The number of the last transfer that is known; 0 for none.
    public var after: Int64

    public init(after: Int64) { self.after = after }
}

/// Says that the recipient knows of what has come, up to this transfer.
public struct NoteSeen: BankQuestion {
    public static let name = "seen"

    public struct Answer: Codable, Hashable, Sendable {
        public init() {}
    }

    /// The number of the last one.
    public var upTo: Int64

    public init(upTo: Int64) { self.upTo = upTo }
}
