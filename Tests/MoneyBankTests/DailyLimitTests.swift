import BluethroatMoneyTerms
import Foundation
import Synchronization
import Testing

@testable import BluethroatMoneyBank

@Suite("What an account may send in a day")
struct DailyLimitTests {
    private let now = Moment()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "limits-\(UUID())").path

    private func run(_ body: (String) throws -> Void) throws {
        mkdir(folder, 0o700)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder + "/bank.sqlite")
    }

    private func settings(_ units: Int64?) -> BankSettings {
        var settings = BankSettings()
        settings.limits.unitsPerDay = units
        settings.clock = { [now] in now.seconds.load(ordering: .relaxed) }
        return settings
    }

    private func order(_ minorUnits: Int64, to account: BankAccount, at desk: BankDesk) throws -> OrderTransfer {
        let token = try desk.ask(AskToken(version: 2, photo: nil), as: account).token
        return OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: minorUnits, .euro))
    }

    private func isDone(_ outcome: TransferOutcome) -> Bool { if case .done = outcome { true } else { false } }

    private func left(_ account: BankAccount, at desk: BankDesk) throws -> Int64? {
        try desk.ask(AskBalance(), as: account).allowance?.left.minorUnits
    }

    @Test("Up to the limit it is paid, above it refused for that; a refusal uses nothing up, and stays one")
    func limit() throws {
        let desk = BankDesk(Ledger(settings: settings(50)))
        let anna = try desk.ask(OpenAccount(name: "Anna", currency: .euro))
        let ben = try desk.ask(OpenAccount(name: "Ben", currency: .euro))
        #expect(try left(ben, at: desk) == 50_00)
        #expect(isDone(try desk.ask(try order(30_00, to: anna, at: desk), as: ben)))
        let tooMuch = try order(20_01, to: anna, at: desk)
        #expect(try desk.ask(tooMuch, as: ben) == .refused(because: .dailyLimit))
        #expect(try left(ben, at: desk) == 20_00)
        #expect(isDone(try desk.ask(try order(20_00, to: anna, at: desk), as: ben)))
        #expect(try desk.ask(try order(1, to: anna, at: desk), as: ben) == .refused(because: .dailyLimit))
        // Each account has its own; what came to it does not count.
        #expect(try left(anna, at: desk) == 50_00)
        #expect(isDone(try desk.ask(try order(50_00, to: ben, at: desk), as: anna)))
        // Without money there is no other reason.
        #expect(try desk.ask(try order(200_00, to: ben, at: desk), as: anna) == .refused(because: .insufficientFunds))
        now.seconds.add(86_400, ordering: .relaxed)
        #expect(try desk.ask(tooMuch, as: ben) == .refused(because: .dailyLimit))
        #expect(try desk.ledger.audit().faults == [])
    }

    @Test("A bank without a limit says nothing of one")
    func none() throws {
        let desk = BankDesk(Ledger(settings: settings(nil)))
        let ben = try desk.ask(OpenAccount(name: "Ben", currency: .euro))
        #expect(try desk.ask(AskBalance(), as: ben).allowance == nil)
    }

    @Test("A day ends at midnight UTC by the bank's clock, also in a bank that was opened anew meanwhile")
    func days() throws {
        try run { path in
            func open() throws -> BankDesk { BankDesk(try Ledger(path: path, settings: settings(50))) }
            var desk = try open()
            let anna = try desk.ask(OpenAccount(name: "Anna", currency: .euro))
            let ben = try desk.ask(OpenAccount(name: "Ben", currency: .euro))
            // One second before midnight.
            now.seconds.store(1_700_006_399, ordering: .relaxed)
            #expect(isDone(try desk.ask(try order(40_00, to: anna, at: desk), as: ben)))
            desk = try open()
            #expect(try left(ben, at: desk) == 10_00)
            #expect(try desk.ask(try order(10_01, to: anna, at: desk), as: ben) == .refused(because: .dailyLimit))
            now.seconds.store(1_700_006_400, ordering: .relaxed)
            #expect(try left(ben, at: desk) == 50_00)
            #expect(isDone(try desk.ask(try order(50_00, to: anna, at: desk), as: ben)))
            desk = try open()
            #expect(try left(ben, at: desk) == 0)
            #expect(MoneyDate.text(1_700_006_400) == "2023-11-15 00:00:00 UTC")
        }
    }

    @Test("Of many payments at once, by two banks with one set of books, so many are made as the limit allows")
    func race() throws {
        try run { path in
            let first = BankDesk(try Ledger(path: path, settings: settings(50)))
            let second = BankDesk(try Ledger(path: path, settings: settings(50)))
            let anna = try first.ask(OpenAccount(name: "Anna", currency: .euro))
            let ben = try first.ask(OpenAccount(name: "Ben", currency: .euro))
            let orders = try (0..<12).map { _ in try order(20_00, to: anna, at: first) }
            let outcomes = Mutex<[TransferOutcome?]>([])
            DispatchQueue.concurrentPerform(iterations: 12) { number in
                let outcome = try? (number % 2 == 0 ? first : second).ask(orders[number], as: ben)
                outcomes.withLock { $0.append(outcome) }
            }
            let all = outcomes.withLock(\.self)
            #expect(all.count { $0.map(isDone) == true } == 2)
            #expect(all.count { $0 == .refused(because: .dailyLimit) } == 10)
            #expect(try left(ben, at: second) == 10_00)
            #expect(try first.ask(AskBalance(), as: anna).balance.minorUnits == 140_00)
            #expect(try second.ledger.audit().faults == [])
        }
    }
}
