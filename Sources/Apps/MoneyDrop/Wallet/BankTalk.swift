import BluethroatAppEnvironment
import BluethroatMoneyTerms
import Foundation

/// What the app says to its bank: asks until there is an answer, and does with it what is to be done.
final class BankTalk {
    /// Whether the bank has answered last; nil before the first answer.
    private(set) var trouble: String?
    /// The token to give to senders, as long as it is fresh.
    private(set) var token: Data?
    private(set) var balance: Money?
    /// What may still be sent today, as the bank said last.
    private(set) var allowance: DailyAllowance?
    /// Called when one of these has changed.
    var changed: () -> Void = {}
    /// A transfer is paid: its receipt can be delivered.
    var paid: (UUID) -> Void = { _ in }

    private let bank: any BankConnection
    private let keeper: WalletKeeper
    private let clock: AppClock
    private let settings: MoneyDropSettings
    private let photo: PhotoDescription?
    /// Things that are being asked: once each at a time.
    private var asking: Set<String> = []
    private var retries: [String: TimeInterval] = [:]
    private var timers: [String: AppTimer] = [:]
    private var refresh: AppTimer?
    private var isOver = false
    /// How often something has happened after which the balance may be another.
    private var events = 0
    /// Forged receipts that were looked into.
    private var examined = 0

    init(_ bank: any BankConnection, _ keeper: WalletKeeper, _ clock: AppClock, _ settings: MoneyDropSettings) {
        self.bank = bank
        self.keeper = keeper
        self.clock = clock
        self.settings = settings
        photo = settings.version == .first ? nil : settings.photo.map { PhotoFile($0).description }
    }

    var account: BankAccount? { keeper.wallet.account }

    /// Begins, or goes on with what an earlier run of the app has left.
    func begin() {
        for transfer in keeper.wallet.outgoing where transfer.state == .ordered { order(transfer.id) }
        for receipt in keeper.wallet.unconfirmed { confirm(receipt) }
        askForToken()
        askForBalance()
        askForIncoming()
        each(settings.incomingInterval) { [weak self] in self?.askForIncoming() }
    }

    func end() {
        isOver = true
        refresh?.cancel()
        for timer in timers.values { timer.cancel() }
    }

    // MARK: For recipients

    func askForToken() {
        ask("token", AskToken(version: settings.version.rawValue, photo: photo)) { [weak self] answer in
            guard let self else { return }
            token = answer.token
            refresh?.cancel()
            // Halfway, so that its reader has some time left. A bank that gives none is not asked all the time.
            let half = max(TimeInterval(answer.lifetime) / 2, settings.firstRetry)
            refresh = clock.once(after: half) { [weak self] in
                guard let self else { return }
                askForToken()
                refresh = clock.once(after: max(TimeInterval(answer.lifetime) - half, 0)) { [weak self] in
                    self?.token = nil
                    self?.changed()
                }
            }
            changed()
        }
    }

    /// A receipt says that money has come.
    func confirm(_ receipt: Data) {
        guard let claim = try? Receipt.claim(in: receipt) else { return }
        ask("confirm \(claim.transfer)", CheckIncoming(transfer: claim.transfer)) { [weak self] answer in
            self?.close(receipt, claim, answer.transfer)
        }
    }

    private func close(_ receipt: Data, _ claim: Receipt.Content, _ transfer: IncomingTransfer?) {
        guard let transfer else {
            keeper.change { $0.unconfirmed.removeAll { $0 == receipt } }
            return keeper.refuse(.notMine, amount: claim.amount, payer: claim.payer)
        }
        let isChanged = transfer.amount != claim.amount
        if receive([transfer], closing: (receipt, claim.transfer)) { askForIncoming() }
        if isChanged { keeper.refuse(.changedAmount, amount: claim.amount, payer: claim.payer) }
    }

    /// The signature of a receipt is wrong: the bank may know what is.
    func examine(_ claim: Receipt.Content) {
        // Strangers can write any number of them.
        guard asking.count < Self.askingLimit else {
            return keeper.refuse(.forged, amount: claim.amount, payer: claim.payer)
        }
        examined += 1
        ask("examine \(examined)", CheckIncoming(transfer: claim.transfer)) { [weak self] answer in
            guard let self else { return }
            let isChanged = answer.transfer.map { $0.amount != claim.amount } ?? false
            keeper.refuse(isChanged ? .changedAmount : .forged, amount: claim.amount, payer: claim.payer)
            if let transfer = answer.transfer { _ = receive([transfer]) }
        }
    }

    /// Asks what has come. What was once reported to the bank as seen is not asked for again.
    func askForIncoming() {
        ask("incoming", AskIncoming(after: keeper.wallet.lastIncoming)) { [weak self] answer in
            guard let self, let last = answer.last?.number, receive(answer) else { return }
            ask("seen", NoteSeen(upTo: last)) { [weak self] _ in
                guard let self, keeper.change({ $0.lastIncoming = max($0.lastIncoming, last) }) else { return }
                if answer.count >= 100 { askForIncoming() }
            }
        }
    }

    /// Shows what has come, each transfer once, whoever reports it first and however often.
    private func receive(_ transfers: [IncomingTransfer], closing claim: (receipt: Data, transfer: UUID)? = nil) -> Bool
    {
        let isKept = keeper.change { wallet in
            if let claim {
                wallet.unconfirmed.removeAll { $0 == claim.receipt }
                wallet.keep(receipt: claim.receipt, of: claim.transfer)
            }
            for transfer in transfers where wallet.received(transfer.id) == nil {
                if let receipt = transfer.receipt { wallet.keep(receipt: receipt, of: transfer.id) }
                wallet.notices.append(
                    .received(transfer: transfer.id, amount: transfer.amount, payer: transfer.payer)
                )
            }
        }
        if isKept { askForBalance() }
        return isKept
    }

    /// So many things may be asked at once before forged receipts are not looked into any more.
    private static let askingLimit = 64

    // MARK: For senders

    /// Has the bank move the money of a transfer that is in the wallet. As often as it takes: its ID makes it one.
    func order(_ transfer: UUID) {
        guard let outgoing = keeper.outgoing(transfer) else { return }
        ask("transfer \(transfer)", outgoing.order) { [weak self] answer in self?.take(answer, transfer) }
    }

    /// Asks whether the recipient knows by now; the bank may have notified it.
    func askAgain(_ transfer: UUID) { order(transfer) }

    private func take(_ answer: OrderTransfer.Answer, _ transfer: UUID) {
        // What is left has come with the outcome, and is shown with it.
        if let account = answer.account {
            events += 1
            note(account)
        }
        var isKept = true
        switch (answer.outcome, keeper.outgoing(transfer)?.state) {
        case (.refused(let refusal), .ordered): isKept = keeper.set(transfer, .refused(because: refusal))
        case (.done(let receipt, true), .ordered), (.done(let receipt, true), .paid),
            (.done(let receipt, true), .untold):
            isKept = keeper.set(transfer, .told, receipt: receipt)
        case (.done(let receipt, false), .ordered):
            isKept = keeper.set(transfer, .paid(receipt: receipt), receipt: receipt)
            if isKept { paid(transfer) }
        default: break
        }
        // Where there may be room later, the bank says the same again.
        let subject = "keep \(transfer)"
        if isKept { retries[subject] = nil } else { askLater(subject) { [weak self] in self?.order(transfer) } }
        if answer.account == nil { askForBalance() } else { changed() }
    }

    func askForBalance() {
        events += 1
        ask("balance", AskBalance()) { [weak self, events] answer in
            guard let self else { return }
            // The bank may have answered before what has happened meanwhile.
            guard events == self.events else { return askForBalance() }
            note(answer)
            changed()
        }
    }

    private func note(_ account: AskBalance.Answer) {
        balance = account.balance
        allowance = account.allowance
    }

    // MARK: Asking

    /// Asks until there is an answer. What is being asked already is not asked again.
    private func ask<Question: BankQuestion>(
        _ subject: String,
        _ question: Question,
        _ then: @escaping (Question.Answer) -> Void
    ) {
        guard !isOver, let account, asking.insert(subject).inserted else { return }
        bank.ask(question, as: account) { [weak self] result in
            guard let self, !isOver, asking.remove(subject) != nil else { return }
            switch result {
            case .success(let answer):
                retries[subject] = nil
                tell(nil)
                then(answer)
            case .failure(let failure):
                tell(failure.sentence)
                askLater(subject) { [weak self] in self?.ask(subject, question, then) }
            }
        }
    }

    private func askLater(_ subject: String, _ ask: @escaping () -> Void) {
        let delay = retries[subject] ?? settings.firstRetry
        retries[subject] = min(delay * 2, settings.lastRetry)
        timers[subject]?.cancel()
        timers[subject] = clock.once(after: delay, ask)
    }

    private func tell(_ trouble: String?) {
        guard self.trouble != trouble else { return }
        self.trouble = trouble
        changed()
    }

    private func each(_ interval: TimeInterval, _ action: @escaping () -> Void) {
        timers["each"] = clock.each(interval, action)
    }
}
