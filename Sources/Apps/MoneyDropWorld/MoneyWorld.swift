import BluethroatAppEnvironment
public import BluethroatEvents
public import BluethroatLive
public import BluethroatLiveLoop
import BluethroatMoneyBank
import BluethroatMoneyDrop
public import BluethroatMoneyTerms
import BluethroatPhoneService
import BluethroatPhones
import BluethroatPrivateFiles
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import CoreBluetooth
import Foundation

/// Phones with MoneyDrop in a live world.
public final class MoneyWorld: MoneyDropOwner {
    /// What goes on by itself, besides what people at the panel do.
    public enum Plot: Sendable {
        /// Nothing.
        case none
        /// The first one pays.
        case send(Transfer)
        /// Guests pay each other, now and then.
        case cafe(seed: UInt64, seconds: Double?)
        /// The first one pays each of the others so much, one after the other.
        case evening(Money)
    }

    /// A transfer that the first one is to make, also if it takes more than one run of the process.
    public struct Transfer: Sendable {
        /// Whom to pay, as the bank says it.
        public var to: String
        /// How much.
        public var amount: Money
        /// How long to look for the recipient and to wait for the bank, in seconds.
        public var patience: Double
        /// Whether one that an earlier run has left counts as another one.
        public var isAgain: Bool
        /// Whether it is the one who is heard best, where several have the name.
        public var isNearest: Bool

        /// By default it is given up after 30 s.
        public init(
            to: String,
            amount: Money,
            patience: Double = 30,
            isAgain: Bool = false,
            isNearest: Bool = false
        ) {
            self.to = to
            self.amount = amount
            self.patience = patience
            self.isAgain = isAgain
            self.isNearest = isNearest
        }
    }

    public let session: LiveSession
    let events: EventSink<MoneyDropEvent>
    let ledger: Ledger?
    private(set) var seats: [MoneySeat] = []
    private let plans: [GuestPlan]
    private let plot: Plot
    private let bankURL: String
    private let source: BankSource?
    private let courier = Courier()
    private var singleTransfer: SingleTransfer?
    private var cafe: MoneyCafe?
    private var evening: MoneyEvening?
    private var beginning = Instant.zero

    /// - Parameters:
    ///   - plans: who is in the world.
    ///   - bank: where their accounts are.
    public init(
        _ session: LiveSession,
        _ events: EventSink<MoneyDropEvent>,
        plans: [GuestPlan],
        plot: Plot = .none,
        bank: OpenBank
    ) {
        self.session = session
        self.events = events
        self.plans = plans
        self.plot = plot
        bankURL = bank.url
        ledger = bank.ledger
        source = bank.source
    }

    var guests: [MoneyGuest] {
        seats.map { MoneyGuest(phone: $0.phone, app: $0.drop, photo: $0.plan.isOlder ? nil : $0.plan.photo) }
    }

    public func begin() {
        beginning = present
        events.emit(.bank(bankURL, at: world.now))
        if case .send(let plan) = plot { singleTransfer = SingleTransfer(plan, self) }
        for plan in plans { enter(plan) }
        switch plot {
        case .none: break
        case .send(let plan):
            let patience = TimeSpan(money: plan.patience)
            world.schedule(at: world.now + patience) { [unowned self] _ in
                singleTransfer?.giveUp(seats.first?.drop, after: patience)
            }
        case .cafe(let seed, let seconds):
            let cafe = MoneyCafe(self)
            self.cafe = cafe
            cafe.open(seed: seed, seconds: seconds)
        case .evening(let amount):
            let evening = MoneyEvening(amount, self)
            self.evening = evening
            evening.begin()
        }
        settle()
    }

    /// The command ends when all earlier output is written.
    func end(_ failure: OperationFailure?) {
        var failure = failure
        failure?.time = world.now
        events.end(failure)
    }

    /// A café closes first: who has begun to pay comes to an end. A single payment is given up.
    public func close(then end: @escaping (OperationFailure?) -> Void) {
        if let cafe { return cafe.close() }
        if let evening { return evening.close() }
        if let singleTransfer { return singleTransfer.giveUp(seats.first?.drop, after: present - beginning) }
        end(nil)
    }

    public func end() { singleTransfer?.close(seats.first?.drop) }

    /// Takes what comes from the bank to the thread of the loop. To be called when it is live.
    public static func deliverAnswers(to live: LiveLoop<MoneyWorld>) {
        live.post { world in
            // The loop has the world, which is not to keep it.
            world.courier.begin { [weak live] work in
                live?.post { world in
                    work()
                    world.settle()
                }
            }
        }
    }

    // MARK: Wallets and accounts

    private func enter(_ plan: GuestPlan) {
        let phone = session.addPhone(named: plan.name, at: plan.position, settings: plan.device.settings)
        let seat = MoneySeat(plan, phone)
        seats.append(seat)
        switch plan.wallet {
        case .forgotten: open(seat)
        case .file(let path):
            seat.keep(in: WalletFile(path: path))
            open(seat)
        case .usual: openUsual(seat)
        }
    }

    private func openUsual(_ seat: MoneySeat) {
        let transfer: Transfer? = if case .send(let transfer) = plot { transfer } else { nil }
        askBank(AskBank()) { [unowned self] result in
            do {
                if let bank = try? result.get(),
                    let wallet = try UsualWallets.wallet(of: seat.plan.name, at: bank.bankKey, for: transfer)
                {
                    seat.keep(in: wallet)
                } else {
                    events.warn(
                        "there is nowhere to keep a wallet, so it is forgotten with this command; see --wallet"
                    )
                }
            } catch {
                return end(OperationFailure("\(error)", .wrongUsage))
            }
            open(seat)
        }
    }

    private func open(_ seat: MoneySeat) {
        do {
            guard let account = try seat.wallet.load()?.account else { return openAccount(of: seat) }
            install(seat)
            if case .file(let path) = seat.plan.wallet { compare(account, with: path) }
        } catch {
            end(OperationFailure("\(error)", .wrongUsage))
        }
    }

    /// Everything that such a wallet has signed looks forged, and the reason would not be visible.
    private func compare(_ account: BankAccount, with path: String) {
        askBank(AskBank()) { [unowned self] result in
            guard let bank = try? result.get(), bank.bankKey != account.bankKey else { return }
            end(
                OperationFailure(
                    "the wallet \(path) is of another bank than the one at \(bankURL); name that bank, or another file",
                    .wrongUsage
                )
            )
        }
    }

    private func openAccount(of seat: MoneySeat) {
        untilAnswered { bank, then in
            MoneyDropApp.openAccount(
                named: seat.plan.name,
                in: seat.plan.currency,
                at: bank,
                wallet: seat.wallet,
                then: then
            )
        } then: { [unowned self] result in
            switch result {
            case .success: install(seat)
            case .failure(let failure): end(OperationFailure(failure.sentence))
            }
        }
    }

    // MARK: The bank

    private func askBank<Question: BankQuestion>(
        _ question: Question,
        then: @escaping (Result<Question.Answer, BankFailure>) -> Void
    ) {
        untilAnswered({ bank, then in bank.ask(question, as: nil, then: then) }, then: then)
    }

    /// Asks the bank until it has answered something.
    private func untilAnswered<Answer>(
        isWarned: Bool = false,
        _ ask: @escaping (any BankConnection, @escaping (Result<Answer, BankFailure>) -> Void) -> Void,
        then: @escaping (Result<Answer, BankFailure>) -> Void
    ) {
        ask(counter) { [unowned self] result in
            guard case .failure(.unreachable(let why)) = result else { return then(result) }
            if !isWarned { events.warn(why) }
            world.schedule(at: world.now + .seconds(1)) { [unowned self] _ in
                untilAnswered(isWarned: true, ask, then: then)
                settle()
            }
        }
    }

    /// The way to the bank for what comes before an account.
    private lazy var counter = bank(for: nil)

    /// The way to the bank for one run of an app. After its end there are no callbacks.
    private func bank(for clock: AppClock?) -> any BankConnection {
        if isVirtual, let ledger {
            let bank = LocalBank(BankDesk(ledger), clock: clock ?? .of(world))
            return source.map { WorldBank(bank, $0, in: world) } ?? bank
        }
        // As OpenSSL's programs take it.
        let certificates = ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        guard
            let bank = HTTPBank(bankURL, certificates: certificates, deliver: { [courier] in courier.deliver($0) })
        else {
            preconditionFailure("the options have been checked")
        }
        return bank
    }

    // MARK: The app

    private func install(_ seat: MoneySeat) {
        var settings = MoneyDropSettings()
        settings.photo = seat.plan.photo
        settings.photos = seat.photos
        if seat.plan.isOlder { settings.version = .first }
        settings.encryptsChannel = seat.plan.encryptsChannel
        if let makeID = source?.makeID { settings.makeID = makeID }
        let app = seat.phone.install(
            named: "MoneyDrop",
            backgroundModes: [.bluetoothCentral, .bluetoothPeripheral]
        ) { [unowned self] _ in
            guard let app = seat.app else { return nil }
            let clock = AppClock.of(world, for: app)
            let drop: MoneyDropApp
            do {
                drop = try MoneyDropApp(
                    wallet: seat.wallet,
                    bank: bank(for: clock),
                    settings: settings,
                    clock: clock
                )
            } catch {
                end(OperationFailure("\(error)", .wrongUsage))
                return nil
            }
            drop.changed = { [unowned self, unowned seat] in changed(seat) }
            return drop
        }
        seat.app = app
        app.launch()
        if case .send = plot { seat.drop?.look(true) }
        changed(seat)
        settle()
    }

    private func changed(_ seat: MoneySeat) {
        guard let drop = seat.drop else { return }
        for event in seat.told.events(drop, of: seat.plan.name, at: world.now) {
            events.emit(event)
            if let transfer = event.paidTransfer, seat.plan.receipts != nil { seat.receipts.add(transfer) }
        }
        for seat in seats {
            guard let drop = seat.drop else { continue }
            for transfer in seat.receipts.waiting { printReceipt(of: transfer, for: seat, drop) }
        }
        singleTransfer?.look(drop, of: seat.plan.name)
        evening?.look()
    }

    /// Tries it; with the next change again, if it is not printed.
    private func printReceipt(of transfer: UUID, for seat: MoneySeat, _ drop: MoneyDropApp) {
        guard let file = seat.plan.receipts else { return }
        guard let receipt = drop.receipt(of: transfer) else {
            return isUnprinted(transfer, for: seat, "there is none here that the bank has signed")
        }
        do throws(PrivateFiles.Failure) {
            let path = try file.write(receipt)
            seat.receipts.isDone(transfer)
            events.emit(.receipt(of: seat.plan.name, transfer: transfer, file: path, at: world.now))
        } catch {
            isUnprinted(transfer, for: seat, "\(error)")
        }
    }

    private func isUnprinted(_ transfer: UUID, for seat: MoneySeat, _ why: String) {
        guard seat.receipts.hasFailed(transfer) else { return }
        // For who pays, of what a command was there for, it is the end; one that goes on for hours goes on.
        if seat === seats.first {
            let end = "the money was sent, but its receipt is not printed: \(why)"
            if let singleTransfer { return singleTransfer.fail(end) }
            if let evening { return evening.fail(end) }
        }
        events.warn("a receipt is not printed: \(why)")
    }
}
