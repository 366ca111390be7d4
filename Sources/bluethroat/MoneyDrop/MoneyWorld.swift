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
    import RadioMedium
    import Simulation
    import Stage
    import VirtualTime

    /// Somebody who is to have a phone with MoneyDrop.
    struct GuestPlan: Sendable {
        var name: String
        var photo: Data?
        /// Without one the wallet is forgotten with the command.
        var walletPath: String?
        var currency = Currency.euro
        var position: Position?
        var isOlder = false
    }

    /// Phones with MoneyDrop in a live world.
    final class MoneyWorld: MoneyDropOwner {
        /// What goes on by itself, besides what people at the panel do.
        enum Plot: Sendable {
            /// Nothing.
            case none
            /// The first one pays.
            case send(to: String, Money, patience: Double)
            /// Everybody pays everybody, now and then.
            case cafe(seed: UInt64, seconds: Double?)
        }

        let scene: LiveScene
        private let voice: SceneVoice<MoneyNews>
        private let plans: [GuestPlan]
        private let plot: Plot
        private let bankURL: String
        private let courier: Courier
        private let ledger: Ledger?
        private var seats: [Seat] = []

        private final class Seat {
            let plan: GuestPlan
            let phone: Phone
            let wallet: any WalletStore
            var app: PhoneApp?
            var told = MoneyTold()

            init(_ plan: GuestPlan, _ phone: Phone, _ wallet: any WalletStore) {
                self.plan = plan
                self.phone = phone
                self.wallet = wallet
            }

            var drop: MoneyDropApp? { app?.root(as: MoneyDropApp.self) }
        }

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
            for plan in plans { enter(plan) }
            switch plot {
            case .none: break
            case .send(let name, _, let patience):
                world.schedule(at: world.now + TimeSpan(money: patience)) { [unowned self] _ in giveUp(name, patience) }
            case .cafe(let seed, let seconds):
                var random = SeededRandom(seed: seed, purpose: "café")
                for seat in seats { visit(seat, &random) }
                if let seconds {
                    world.schedule(at: world.now + TimeSpan(money: seconds)) { [unowned self] _ in close() }
                }
            }
            settle()
        }

        private func enter(_ plan: GuestPlan) {
            let phone = scene.addPhone(named: plan.name, at: plan.position)
            let wallet: any WalletStore = plan.walletPath.map { WalletFile(path: $0) } ?? MemoryWallet()
            let seat = Seat(plan, phone, wallet)
            seats.append(seat)
            do {
                guard try wallet.load()?.account == nil else { return install(seat) }
            } catch {
                return voice.end(CommandFailure("\(error)", .wrongUsage))
            }
            openAccount(of: seat)
        }

        /// Asks the bank for an account until there is one.
        private func openAccount(of seat: Seat, warned: Bool = false) {
            let bank = bank(for: nil)
            MoneyDropApp.openAccount(named: seat.plan.name, in: seat.plan.currency, at: bank, wallet: seat.wallet) {
                [unowned self] result in
                // Kept until there is an answer.
                _ = bank
                switch result {
                case .success: install(seat)
                case .failure(.denied(let why)): voice.end(CommandFailure(why))
                case .failure(.unreachable(let why)):
                    if !warned { voice.warn(why) }
                    world.schedule(at: world.now + .seconds(1)) { [unowned self] _ in
                        openAccount(of: seat, warned: true)
                        settle()
                    }
                }
            }
        }

        private func install(_ seat: Seat) {
            var settings = MoneyDropSettings()
            settings.photo = seat.plan.photo
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
                    voice.end(CommandFailure("\(error)", .wrongUsage))
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

        /// The way to the bank for one run of an app, which is told nothing after its end.
        private func bank(for clock: AppClock?) -> any BankConnection {
            if isVirtual, let ledger { return LocalBank(BankDesk(ledger), clock: clock ?? .of(world)) }
            guard let bank = HTTPBank(bankURL, deliver: { [courier] in courier.deliver($0) }) else {
                preconditionFailure("the options have been checked")
            }
            return bank
        }

        // MARK: News

        private func changed(_ seat: Seat) {
            guard let screen = seat.drop?.screen else { return }
            for news in seat.told.news(screen, of: seat.plan.name, at: world.now) { voice.tell(news) }
            if case .send(let name, let amount, _) = plot { pay(seat, screen, name, amount) }
        }

        // MARK: Sending

        private var sent: UUID?
        /// What is sent shows on the screen before it is known here what it is.
        private var isOrdering = false
        private var hasEnded = false

        private func pay(_ seat: Seat, _ screen: MoneyScreen, _ name: String, _ amount: Money) {
            guard let sent else {
                let called = screen.people.filter { $0.name == name || $0.id.uuidString == name }
                guard let person = called.first, !hasEnded, !isOrdering else { return }
                if let problem = person.problem { return end(CommandFailure(problem)) }
                guard person.canBePaid else { return }
                isOrdering = true
                do throws(MoneyDropApp.SendError) {
                    self.sent = try seat.drop?.send(amount, to: person.id)
                } catch {
                    end(CommandFailure("\(error)"))
                }
                return
            }
            switch screen.outgoing.first(where: { $0.id == sent })?.state {
            case .told: end(nil)
            case .refused(let why): end(CommandFailure("no money was sent: \(why.sentence)"))
            case .untold(let why):
                end(CommandFailure("the money was sent, and \(name) will hear of it by the bank: \(why)"))
            case .ordered, .paid, nil: break
            }
        }

        private func giveUp(_ name: String, _ patience: Double) {
            guard !hasEnded else { return }
            let seconds = patience == patience.rounded() ? "\(Int(patience))" : "\(patience)"
            guard let sent, let state = seats.first?.drop?.screen.outgoing.first(where: { $0.id == sent })?.state else {
                return end(
                    CommandFailure(
                        "nobody called \(name) was found in \(seconds) s; is MoneyDrop running there, and on the screen?",
                        .nothingFound
                    )
                )
            }
            if case .paid = state {
                end(
                    CommandFailure(
                        "the money was sent, but \(name)'s phone was not there to be told; the bank tells it"
                    )
                )
            } else {
                end(
                    CommandFailure(
                        "the bank has not answered in \(seconds) s; with --wallet the transfer is finished later, by the "
                            + "same command"
                    )
                )
            }
        }

        private func end(_ failure: CommandFailure?) {
            guard !hasEnded else { return }
            hasEnded = true
            var failure = failure
            failure?.time = world.now
            voice.end(failure)
        }

        // MARK: The café

        /// Somebody looks around for a while, and pays somebody.
        private func visit(_ seat: Seat, _ random: inout SeededRandom) {
            let first = Double.random(in: 0.5...8, using: &random)
            let seed = random.next()
            world.schedule(at: world.now + TimeSpan(money: first)) { [unowned self] _ in
                var random = SeededRandom(seed: seed, purpose: "guest")
                lookAround(seat, &random)
            }
        }

        private func lookAround(_ seat: Seat, _ random: inout SeededRandom) {
            guard !isClosing else { return }
            seat.drop?.look(true)
            settleSoon()
            let seed = random.next()
            world.schedule(at: world.now + .seconds(6)) { [unowned self] _ in
                var random = SeededRandom(seed: seed, purpose: "guest")
                let people = seat.drop?.screen.people.filter { $0.canBePaid && $0.isConnected } ?? []
                if !isClosing, let person = people.randomElement(using: &random), let currency = person.currency {
                    let amount = Money(minorUnits: Int64.random(in: 50...1_500, using: &random), currency)
                    _ = try? seat.drop?.send(amount, to: person.id)
                }
                let pause = Double.random(in: 2...12, using: &random)
                world.schedule(at: world.now + .seconds(4)) { [unowned self] _ in
                    seat.drop?.look(false)
                    settleSoon()
                }
                let next = random.next()
                world.schedule(at: world.now + TimeSpan(money: 4 + pause)) { [unowned self] _ in
                    var random = SeededRandom(seed: next, purpose: "guest")
                    lookAround(seat, &random)
                }
                settleSoon()
            }
        }

        private func settleSoon() { world.doErrands() }

        private var isClosing = false

        /// No more is sent; what is under way ends.
        private func close() {
            isClosing = true
            world.schedule(at: world.now + .seconds(40)) { [unowned self] _ in
                let outgoing = seats.flatMap { $0.drop?.screen.outgoing ?? [] }
                let received = seats.flatMap { $0.drop?.screen.notices ?? [] }.filter {
                    if case .received = $0 { true } else { false }
                }
                let told = outgoing.filter { $0.state == .told }.count
                let audit = try? ledger?.audit()
                voice.tell(.closed(sent: told, received: received.count, audit: audit, at: world.now))
                let faults = audit?.faults ?? []
                end(
                    faults.isEmpty
                        ? nil : CommandFailure("the bank's books are wrong: \(faults.joined(separator: "; "))")
                )
            }
        }
    }

    extension TimeSpan {
        /// Seconds of somebody's patience.
        fileprivate init(money seconds: Double) { self = .milliseconds(Int64((seconds * 1_000).rounded())) }
    }
#endif
