#if canImport(Phones)
    import AppTime
    import CoreBluetooth
    import Foundation
    import LiveLoop
    import MoneyBank
    import MoneyDrop
    import MoneyTerms
    import Phones
    import PhoneService
    import Simulation
    import Stage
    import VirtualTime

    /// Phones with MoneyDrop in a live world.
    final class MoneyWorld: MoneyDropOwner {
        /// What goes on by itself, besides what people at the panel do.
        enum Plot: Sendable {
            /// Nothing.
            case none
            /// The first one pays.
            case send(MoneyErrand.Plan)
            /// Everybody pays everybody, now and then.
            case cafe(seed: UInt64, seconds: Double?)
        }

        let scene: LiveScene
        let voice: SceneVoice<MoneyNews>
        let ledger: Ledger?
        private(set) var seats: [MoneySeat] = []
        private let plans: [GuestPlan]
        private let plot: Plot
        private let bankURL: String
        private let courier: Courier
        private var errand: MoneyErrand?
        private var cafe: MoneyCafe?

        init(
            _ scene: LiveScene,
            _ voice: SceneVoice<MoneyNews>,
            plans: [GuestPlan],
            plot: Plot,
            bank: OpenBank,
            courier: Courier
        ) {
            self.scene = scene
            self.voice = voice
            self.plans = plans
            self.plot = plot
            self.courier = courier
            bankURL = bank.url
            ledger = bank.ledger
        }

        var guests: [MoneyGuest] {
            seats.map { MoneyGuest(phone: $0.phone, app: $0.drop, photo: $0.plan.isOlder ? nil : $0.plan.photo) }
        }

        func begin() {
            voice.tell(.bank(bankURL, at: world.now))
            if case .send(let plan) = plot { errand = MoneyErrand(plan, self) }
            for plan in plans { enter(plan) }
            switch plot {
            case .none: break
            case .send(let plan):
                world.schedule(at: world.now + TimeSpan(money: plan.patience)) { [unowned self] _ in
                    errand?.giveUp(seats.first?.drop)
                }
            case .cafe(let seed, let seconds):
                let cafe = MoneyCafe(self)
                self.cafe = cafe
                cafe.open(seed: seed, seconds: seconds)
            }
            settle()
        }

        /// The command ends when what was told before is written.
        func end(_ failure: CommandFailure?) {
            var failure = failure
            failure?.time = world.now
            voice.end(failure)
        }

        func end() { errand?.close(seats.first?.drop) }

        // MARK: Wallets and accounts

        private func enter(_ plan: GuestPlan) {
            let seat = MoneySeat(plan, scene.addPhone(named: plan.name, at: plan.position))
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
            askBank(AskBank()) { [unowned self] result in
                do {
                    if let bank = try? result.get(),
                        let wallet = try UsualWallets.wallet(of: seat.plan.name, at: bank.bankKey)
                    {
                        seat.keep(in: wallet)
                    } else {
                        voice.warn(
                            "there is nowhere to keep a wallet, so it is forgotten with this command; see --wallet"
                        )
                    }
                } catch {
                    return end(CommandFailure("\(error)", .wrongUsage))
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
                end(CommandFailure("\(error)", .wrongUsage))
            }
        }

        /// Everything that such a wallet has signed looks forged, and nobody would know why.
        private func compare(_ account: BankAccount, with path: String) {
            askBank(AskBank()) { [unowned self] result in
                guard let bank = try? result.get(), bank.bankKey != account.bankKey else { return }
                end(
                    CommandFailure(
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
                case .failure(let failure): end(CommandFailure(failure.sentence))
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
                if !isWarned { voice.warn(why) }
                world.schedule(at: world.now + .seconds(1)) { [unowned self] _ in
                    untilAnswered(isWarned: true, ask, then: then)
                    settle()
                }
            }
        }

        /// The way to the bank for what comes before an account.
        private lazy var counter = bank(for: nil)

        /// The way to the bank for one run of an app, which is told nothing after its end.
        private func bank(for clock: AppClock?) -> any BankConnection {
            if isVirtual, let ledger { return LocalBank(BankDesk(ledger), clock: clock ?? .of(world)) }
            guard let bank = HTTPBank(bankURL, deliver: { [courier] in courier.deliver($0) }) else {
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
                    end(CommandFailure("\(error)", .wrongUsage))
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
            for news in seat.told.news(drop.screen, of: seat.plan.name, at: world.now) { voice.tell(news) }
            errand?.look(drop, of: seat.plan.name)
        }
    }
#endif
