public import BluethroatAppEnvironment
public import BluethroatMoneyTerms
public import CoreBluetooth
import Foundation

/// MoneyDrop on a phone: its owner is found by others and gets money, and finds others and sends some.
///
/// It lives on one queue or thread: that on which its managers and its bank call it, its clock calls it, and its owner's
/// fingers reach it. In a world of virtual time that is the thread that runs the world.
public final class MoneyDropApp {
    /// What its owner sees now.
    public var screen: MoneyScreen { MoneyScreen(keeper: keeper, talk: talk, recipient: recipient, sender: sender) }
    /// Called after something on the screen has changed.
    public var changed: (() -> Void)?

    private let keeper: WalletKeeper
    private let talk: BankTalk
    let recipient: Recipient
    private let sender: Sender
    private let settings: MoneyDropSettings
    private let clock: AppClock
    private var askTimer: AppTimer?
    private var askDelay: TimeInterval
    private var quietTimer: AppTimer?
    /// Since when the air is left to photos, and how much of them had moved by then; nil while it is not.
    private var quiet: (since: TimeInterval, bytes: UInt64)?
    /// When it may be left to them next.
    private var mayBeQuiet: TimeInterval = 0

    /// An app whose owner has an account in the wallet, as `openAccount` puts it there.
    ///
    /// - Throws: what the store throws if there is a wallet that cannot be read.
    public init(
        wallet store: any WalletStore,
        bank: any BankConnection,
        settings: MoneyDropSettings = MoneyDropSettings(),
        queue: DispatchQueue? = nil,
        clock: AppClock
    ) throws {
        self.settings = settings
        self.clock = clock
        askDelay = settings.firstSeenCheck
        let signal = ChangeSignal()
        keeper = try WalletKeeper(store) { signal.changed() }
        talk = BankTalk(bank, keeper, clock, settings)
        let photos = PhotoService(settings.photo.map { PhotoFile($0) }, clock, settings)
        recipient = Recipient(photos: photos, settings: settings, queue: queue)
        sender = Sender(keeper, clock: clock, settings: settings, queue: queue)
        signal.changed = { [weak self] in self?.changed?() }
        photos.changed = { [weak self] in
            self?.shareAir()
            signal.changed()
        }
        recipient.changed = { signal.changed() }
        sender.changed = { [weak self] in
            self?.shareAir()
            signal.changed()
        }
        recipient.take = { [weak self] bytes in
            guard let self else { return .busy }
            return take(bytes)
        }
        talk.changed = { [weak self] in
            guard let self else { return }
            if recipient.details != talk.token { recipient.details = talk.token }
            signal.changed()
        }
        talk.paid = { [weak self] _ in
            guard let self else { return }
            askDelay = self.settings.firstSeenCheck
            deliver()
        }
        talk.begin()
        deliver()
    }

    /// The app ends, as far as it knows: nothing is called any more.
    public func end() {
        talk.end()
        askTimer?.cancel()
        quietTimer?.cancel()
        recipient.end()
        sender.end()
    }

    /// Opens an account and puts it into an empty wallet, which an app can then have.
    public static func openAccount(
        named name: String,
        in currency: Currency,
        at bank: any BankConnection,
        wallet store: any WalletStore,
        then: @escaping (Result<BankAccount, BankFailure>) -> Void
    ) {
        bank.ask(OpenAccount(name: name, currency: currency), as: nil) { result in
            then(
                result.flatMap { account in
                    var wallet = Wallet()
                    wallet.account = account
                    do {
                        try store.save(wallet)
                        return .success(account)
                    } catch {
                        return .failure(.denied("\(error)"))
                    }
                }
            )
        }
    }

    // MARK: What its owner does

    /// Looks around for people, or no longer.
    public func look(_ isLooking: Bool) { sender.look(isLooking) }

    /// Sends money to a person who was found. It is sent once, or not at all, whatever happens from here on.
    ///
    /// - Parameter isAwaited: whether the wallet is to remember, until `noteShown`, that the outcome has not been
    ///   shown. A command that is ended before finds it there in its next run, and need not send again.
    @discardableResult
    public func send(_ amount: Money, to person: Person.ID, isAwaited: Bool = false) throws(SendError) -> UUID {
        guard let encounter = sender.encounters.first(where: { $0.person.id == person }) else { throw .nobody }
        if let change = encounter.changeOfFace { throw .impossible(change) }
        if !encounter.person.canStillBePaid, let problem = encounter.person.problem { throw .impossible(problem) }
        guard let token = encounter.token, let account = keeper.wallet.account else { throw .noDetails }
        guard encounter.isTokenFresh else { throw .oldDetails }
        guard amount.minorUnits > 0 else { throw .noAmount }
        guard amount.currency == token.content.currency, amount.currency == account.currency else {
            throw .otherCurrency(token.content.currency)
        }
        let order = OrderTransfer(id: settings.makeID(), token: token.bytes, amount: amount)
        let outgoing = OutgoingTransfer(
            order: order,
            recipient: token.content.name,
            peripheral: person,
            state: .ordered,
            isAwaited: isAwaited
        )
        guard keeper.change({ $0.outgoing.append(outgoing) }) else { throw .notKept(keeper.problem ?? "") }
        talk.order(order.id)
        return order.id
    }

    /// The outcome of an awaited transfer has been shown.
    public func noteShown(_ transfer: UUID) {
        keeper.change { wallet in
            guard let index = wallet.outgoing.lastIndex(where: { $0.id == transfer }) else { return }
            wallet.outgoing[index].isAwaited = false
        }
    }

    /// Why nothing is sent.
    public enum SendError: Error, Hashable, CustomStringConvertible {
        case nobody, noDetails, oldDetails, noAmount
        case otherCurrency(Currency)
        case impossible(String)
        case notKept(String)

        public var description: String {
            switch self {
            case .nobody: "there is nobody like that around; look around first"
            case .noDetails: "the details are still to be read; wait a moment"
            case .oldDetails: "the details are too old; come near again"
            case .noAmount: "an amount is more than nothing"
            case .otherCurrency(let currency):
                "both accounts have to have the same currency; the recipient's is in \(currency)"
            case .impossible(let why): why
            case .notKept(let why): "nothing was sent, since it could not be noted: \(why)"
            }
        }
    }

    /// The receipt of a transfer that was sent from here or has come, to be printed; nil while the bank has given none,
    /// where what it has given is not signed by it or of another transfer, and where there were `Wallet.receiptLimit` later
    /// ones.
    public func receipt(of transfer: UUID) -> PrintedReceipt? {
        guard let account = keeper.wallet.account, let bytes = keeper.wallet.receipt(of: transfer) else { return nil }
        let recipient = keeper.outgoing(transfer)?.recipient ?? account.name
        let printed = try? PrintedReceipt(bytes, to: recipient, from: account.bankKey)
        return printed?.receipt.content.transfer == transfer ? printed : nil
    }

    /// The photo of a person, once it is there.
    public func photo(of person: Person.ID) -> Data? {
        sender.encounters.first { $0.person.id == person }?.token?.content.photo.flatMap { sender.photo($0) }
    }

    /// The path of the file with a person's photo, or with what there is of it; nil where photos are kept in memory only.
    public func photoFile(of person: Person.ID) -> String? {
        sender.encounters.first { $0.person.id == person }?.token?.content.photo.flatMap {
            settings.photos.location(of: $0)
        }
    }

    // MARK: What follows

    /// While a long photo is under way this phone neither scans nor advertises, for half a minute at a time: together
    /// they would take a twelfth of the air. If hardly any bytes moved in that time, it scans and advertises for as long before it is
    /// quiet again: a peer that reads slowly, or not at all, must not keep this phone from being found.
    private func shareAir() {
        guard recipient.photos.isSendingLong || sender.encounters.contains(where: \.isFetchingLong) else {
            quietTimer?.cancel()
            quietTimer = nil
            return endQuiet()
        }
        guard quietTimer == nil else { return }
        let wait = mayBeQuiet - clock.now
        if wait <= 0 {
            quiet = (since: clock.now, bytes: longBytesMoved)
            setQuiet(true)
        }
        quietTimer = clock.once(after: wait > 0 ? wait : Self.quietTime) { [weak self] in
            self?.quietTimer = nil
            self?.endQuiet()
            self?.shareAir()
        }
    }

    private func endQuiet() {
        guard let before = quiet else { return }
        quiet = nil
        setQuiet(false)
        let rate = Double(longBytesMoved - before.bytes) / max(clock.now - before.since, 1)
        mayBeQuiet = clock.now + (rate >= Self.leastForQuiet ? 1 : Self.quietTime)
    }

    /// In seconds, and how many bytes a second have to come, or to be handed over, in it.
    private static let quietTime: TimeInterval = 30
    private static let leastForQuiet = 8_000.0

    private var longBytesMoved: UInt64 { recipient.photos.longBytesSent + sender.longBytesFetched }

    private func setQuiet(_ isQuiet: Bool) {
        recipient.isQuiet = isQuiet
        sender.isQuiet = isQuiet
    }

    /// Delivers receipts to those who have been paid. The bank may notify them first.
    private func deliver() {
        sender.deliver()
        askTimer?.cancel()
        let open = keeper.wallet.outgoing.filter(\.isOpen)
        guard !open.isEmpty else { return }
        askTimer = clock.once(after: askDelay) { [weak self] in
            guard let self else { return }
            for outgoing in open { talk.askAgain(outgoing.id) }
            askDelay = min(askDelay * 2, settings.lastRetry)
            deliver()
        }
    }

    /// A receipt was written to this phone.
    private func take(_ bytes: Data) -> MessageError? {
        guard let key = keeper.wallet.account?.bankKey else { return .busy }
        do throws(TermsError) {
            let receipt = try Receipt(bytes, from: key)
            if keeper.wallet.received(receipt.content.transfer) != nil || keeper.wallet.unconfirmed.contains(bytes) {
                keeper.refuse(.replayed, amount: receipt.content.amount, payer: receipt.content.payer)
                return .replayed
            }
            guard keeper.wallet.unconfirmed.count < Self.unconfirmedLimit else { return .busy }
            guard keeper.change({ $0.unconfirmed.append(bytes) }) else { return .busy }
            talk.confirm(bytes)
            return nil
        } catch {
            switch error {
            case .malformed:
                keeper.refuse(.malformed)
                return .malformed
            case .unknownVersion:
                keeper.refuse(.unknownVersion)
                return .unknownVersion
            case .forged:
                if let claim = try? Receipt.claim(in: bytes) { talk.examine(claim) }
                return .forged
            }
        }
    }

    /// So many receipts may wait for the bank.
    private static let unconfirmedLimit = 64
}

/// Lets the parts of an app say that something has changed before the app is complete.
private final class ChangeSignal {
    var changed: () -> Void = {}
}
