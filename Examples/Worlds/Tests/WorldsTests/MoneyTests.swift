#if os(Linux)
    import BluethroatAppEnvironment
    import BluethroatEvents
    import BluethroatLive
    import BluethroatMoneyBank
    import BluethroatMoneyDrop
    import BluethroatMoneyDropWorld
    import BluethroatMoneyTerms
    import BluethroatTesting
    import Foundation
    import Live
    import Testing

    @Suite("MoneyDrop and its bank")
    struct MoneyTests {
        private let folder: Folder

        init() throws { folder = try Folder() }

        @Test("In virtual time: Anna pays Ben, and both balances are right, on the screens and in the books", .air)
        func virtualTime() throws {
            let air = Air.current
            let clock = AppClock.of(air.world)
            var settings = BankSettings()
            settings.clock = { 1_700_000_000 + Int64(clock.now) }
            let ledger = try Ledger(path: folder.path("bank.sqlite"), settings: settings)
            let bank = BankDesk(ledger)
            let anna = Owner("Anna", on: air.phone, at: bank, clock)
            let ben = Owner("Ben", on: air.addPhone(named: "Ben's phone", at: .near), at: bank, clock)
            try air.run(until: anna.app != nil && ben.app?.screen.isFindable == true, within: .seconds(10))

            let app = try #require(anna.app)
            app.look(true)
            try air.run(until: app.screen.people.contains { $0.canBePaid }, within: .seconds(20))
            let person = try #require(app.screen.people.first { $0.name == "Ben" })
            let transfer = try app.send(Money("12.50", usual: .euro), to: person.id)
            try air.run(
                until: app.screen.outgoing.first?.state == .told && ben.app?.screen.balance?.number == "112.50",
                within: .seconds(20)
            )
            try air.run(until: app.screen.balance?.number == "87.50", within: .seconds(60))
            #expect(try anna.balance(at: bank) == Money(minorUnits: 87_50, .euro))
            #expect(try ben.balance(at: bank) == Money(minorUnits: 112_50, .euro))
            let received = Notice.received(transfer: transfer, amount: Money(minorUnits: 12_50, .euro), payer: "Anna")
            #expect(ben.app?.screen.notices == [received])
            #expect(try ledger.audit().faults == [])
        }

        @Test("The first MoneyDrop, which expects another way of writing: one line in the console, then silence")
        func consoleThenSilence() throws {
            var texts: [String] = []
            try Pitfall.writeType.reenact(seed: 1) { texts.append($0.text) }
            let warning = try #require(texts.firstIndex { $0.hasSuffix("CoreBluetooth [WARNING] Unknown error: 124") })
            #expect(texts.dropFirst(warning + 1).first?.contains("no answer and no delegate call") == true)
        }

        @Test("In real time: the same over HTTP, with a bank whose port was free", .timeLimit(.minutes(2)))
        func realTime() async throws {
            let ledger = try Ledger(path: folder.path("bank.sqlite"))
            let bank = try await OpenBank(ledger, port: 0)
            let payment = MoneyWorld.Transfer(to: "Ben", amount: Money(minorUnits: 12_50, .euro))
            let runner = LiveSessionRunner<MoneyWorld, MoneyDropEvent>(.realTime)
            let lines = try await runner.run { session, events in
                let plans = ["Anna", "Ben"].map { GuestPlan(name: $0) }
                return MoneyWorld(session, events, plans: plans, plot: .send(payment), bank: bank)
            } during: { open in
                MoneyWorld.deliverAnswers(to: open.loop)
                // They end when the payment is made and Ben knows.
                return await open.events.reduce(into: [String]()) { lines, event in
                    if let line = event.line { lines.append(line) }
                }
            }
            await bank.server?.stop()
            #expect(lines.contains("Ben has 100.00 EUR"))
            #expect(lines.contains("Anna has sent 12.50 EUR to Ben, and Ben knows"))
            #expect(try ledger.audit().faults == [])
        }
    }

    /// Somebody with MoneyDrop on a phone, once there is an account.
    private final class Owner {
        private(set) var app: MoneyDropApp?
        private let wallet = MemoryWallet()

        init(_ name: String, on phone: Phone, at bank: BankDesk, _ clock: AppClock) {
            let line = LocalBank(bank, clock: clock)
            let place = phone.addApp(named: "MoneyDrop", backgroundModes: [.bluetoothCentral, .bluetoothPeripheral])
            MoneyDropApp.openAccount(named: name, in: .euro, at: line, wallet: wallet) { [wallet] _ in
                self.app = try? place.run { try MoneyDropApp(wallet: wallet, bank: line, clock: clock) }
            }
        }

        /// What the bank says.
        func balance(at bank: BankDesk) throws -> Money {
            let request = BankRequest(AskBalance(), as: wallet.wallet?.account?.credentials)
            return try AskBalance.answer(in: bank.answer(request).get()).get().balance
        }
    }

    /// A folder for the bank's books, which is gone with the test.
    private final class Folder {
        private let url = FileManager.default.temporaryDirectory.appending(path: "money-\(UUID())")

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }

        func path(_ name: String) -> String { url.appending(path: name).path }
    }
#endif
