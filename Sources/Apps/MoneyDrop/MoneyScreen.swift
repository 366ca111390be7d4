public import BluethroatMoneyTerms
public import CoreBluetooth
import Foundation

/// What the owner of a MoneyDrop sees.
public struct MoneyScreen: Hashable, Sendable {
    /// A peer that is fetching this phone's photo.
    public struct PhotoSending: Hashable, Sendable {
        public let peer: UUID
        public let sent: UInt64
        public let length: UInt64
    }

    /// That of the account.
    public var name: String?
    /// As last reported by the bank.
    public var balance: Money?
    /// What may still be sent today, as last reported by the bank; nil where it has no limit.
    public var allowance: DailyAllowance?
    public var bluetooth: CBManagerState
    /// Whether others can find this phone.
    public var isFindable: Bool
    public var isLooking: Bool
    public var people: [Person]
    /// What was sent, in order.
    public var outgoing: [OutgoingTransfer]
    /// Receipts that the bank is being asked about.
    public var unconfirmedCount: Int
    /// What was shown, in order.
    public var notices: [Notice]
    public var photosBeingSent: [PhotoSending]
    /// What is wrong with the bank, or with the wallet; nil if nothing is.
    public var problem: String?

    init(keeper: WalletKeeper, talk: BankTalk, recipient: Recipient, sender: Sender) {
        name = keeper.wallet.account?.name
        balance = talk.balance
        allowance = talk.allowance
        bluetooth = recipient.state
        isFindable = recipient.isAdvertising
        isLooking = sender.isLooking
        people = sender.encounters.map(\.person)
        outgoing = keeper.wallet.outgoing
        unconfirmedCount = keeper.wallet.unconfirmed.count
        notices = keeper.wallet.notices
        photosBeingSent = recipient.photos.progress.map {
            PhotoSending(peer: $0.peer, sent: $0.sent, length: $0.length)
        }
        problem = keeper.problem ?? talk.trouble
    }
}
