public import BluethroatMoneyTerms
public import Foundation

/// What has to survive the end of the app.
public struct Wallet: Codable, Hashable, Sendable {
    /// Nil before the first talk with the bank.
    public var account: BankAccount?
    /// What was sent from this phone, in order.
    public var outgoing: [OutgoingTransfer] = []
    /// Receipts that the bank has not yet confirmed.
    public var unconfirmed: [Data] = []
    /// What was shown to the phone's owner, in order.
    public var notices: [Notice] = []
    /// The number of the last transfer to this account that is known.
    public var lastIncoming: Int64 = 0
    /// The latest receipts of what was sent and of what has come, the oldest first. Nil in a wallet of before.
    var receipts: [KeptReceipt]?

    /// So many receipts are kept: older payments cannot be printed from here any more.
    public static let receiptLimit = 1_000

    public init() {}

    /// The bank's receipt of a transfer, as it was signed; nil if there is none here, or none any more.
    public func receipt(of transfer: UUID) -> Data? { receipts?.first { $0.transfer == transfer }?.bytes }

    /// Keeps a receipt; once, however often it comes.
    mutating func keep(receipt: Data, of transfer: UUID) {
        guard self.receipt(of: transfer) == nil else { return }
        let all = (receipts ?? []) + [KeptReceipt(transfer: transfer, bytes: receipt)]
        receipts = all.suffix(Self.receiptLimit)
    }

    /// The notice of a transfer that has come.
    public func received(_ transfer: UUID) -> Notice? {
        notices.first { if case .received(transfer, _, _) = $0 { true } else { false } }
    }
}

/// Something that appears on the screen of a recipient.
public enum Notice: Codable, Hashable, Sendable {
    /// Money has come; the bank has confirmed it.
    case received(transfer: UUID, amount: Money, payer: String)
    /// A receipt was written that is not true.
    case refused(because: ReceiptRefusal, amount: Money?, payer: String?)
}

/// Why a receipt does not count.
public enum ReceiptRefusal: String, Codable, Hashable, Sendable, CaseIterable {
    case malformed, unknownVersion, forged, replayed
    /// The bank knows the transfer, with another amount.
    case changedAmount
    /// It is real, and of another recipient.
    case notMine

    /// A sentence for people.
    public var sentence: String {
        switch self {
        case .malformed: "what was written is no receipt"
        case .unknownVersion: "the receipt is of a newer version of MoneyDrop"
        case .forged: "the bank has not signed this receipt"
        case .replayed: "this receipt was here before; it counts once"
        case .changedAmount: "the receipt names another amount than the bank"
        case .notMine: "the receipt is of a transfer to somebody else"
        }
    }
}

/// Money that was sent, or is about to be.
public struct OutgoingTransfer: Codable, Hashable, Sendable {
    public enum State: Codable, Hashable, Sendable {
        /// The bank is being asked.
        case ordered
        /// The bank has moved the money; the recipient does not know yet.
        case paid(receipt: Data)
        /// The recipient knows.
        case told
        /// The money has moved; the recipient's phone refuses the receipt, and the bank will notify it.
        case untold(because: String)
        /// No money has moved, and none will.
        case refused(because: TransferRefusal)
    }

    public var order: OrderTransfer
    public var recipient: String
    /// The recipient's phone, as this one knows it.
    public var peripheral: UUID
    public var state: State
    /// Whether the outcome is still to be shown: `MoneyDropApp.send` and `noteShown`.
    public var isAwaited = false

    public var id: UUID { order.id }

    /// Whether the money has moved and its recipient may not know.
    var isOpen: Bool {
        switch state {
        case .paid, .untold: true
        case .ordered, .told, .refused: false
        }
    }

    /// Whether this phone has something left to do for it.
    public var isUnderWay: Bool {
        switch state {
        case .ordered, .paid: true
        case .untold, .told, .refused: false
        }
    }
}

/// Keeps a wallet.
public protocol WalletStore: AnyObject {
    /// Nil if there is none.
    func load() throws -> Wallet?
    /// Returns when it would survive the end of the process.
    func save(_ wallet: Wallet) throws
}

extension [OutgoingTransfer] {
    /// The latest transfer of this amount that awaits its outcome, to the one who is meant by a name: exactly so, or but
    /// for its case where there is none.
    func awaitedTransfer(of amount: Money, to name: String) -> OutgoingTransfer? {
        let awaited = filter { $0.isAwaited && $0.order.amount == amount }
        return awaited.last { $0.recipient == name }
            ?? awaited.last { $0.recipient.lowercased() == name.lowercased() }
    }
}

extension Wallet {
    /// To whom a transfer of this amount, to the one of this name, may have been sent from here without its sender knowing yet
    /// what has come of it; nil if there is none.
    public func recipient(ofAwaited amount: Money, to name: String) -> String? {
        guard let transfer = outgoing.awaitedTransfer(of: amount, to: name) else { return nil }
        if case .refused = transfer.state { return nil }
        return transfer.recipient
    }
}
