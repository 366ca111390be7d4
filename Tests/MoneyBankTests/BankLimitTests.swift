import BluethroatMoneyTerms
import Foundation
import GRDB
import Synchronization
import Testing

@testable import BluethroatMoneyBank

@Suite("What a bank keeps for strangers")
struct BankLimitTests {
    private let now = Moment()

    private func desk(_ change: (inout BankLimits) -> Void = { _ in }) -> BankDesk {
        var settings = BankSettings()
        settings.clock = { [now] in now.seconds.load(ordering: .relaxed) }
        change(&settings.limits)
        return BankDesk(Ledger(settings: settings))
    }

    /// Bytes of all pages that hold something.
    private func size(_ desk: BankDesk) throws -> Int {
        try desk.ledger.queue.read { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            return (pages - free) * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
    }

    private func kind<Question: BankQuestion>(_ desk: BankDesk, _ question: Question, as account: BankAccount? = nil)
        -> BankDesk.Denial.Kind?
    {
        guard case .failure(let denial) = desk.answer(BankRequest(question, as: account?.credentials)) else {
            return nil
        }
        return denial.kind
    }

    private let anna = OpenAccount(name: "Anna", currency: .euro)

    @Test("68 accounts a second for a minute: after 500 no more are opened in that hour, and 500 in the next one")
    func accountsByTheHour() throws {
        let desk = desk()
        func attack() -> Int {
            var opened = 0
            for _ in 0..<60 {
                for _ in 0..<68 {
                    switch kind(desk, anna) {
                    case nil: opened += 1
                    case .tooMany: break
                    case let kind?: Issue.record("\(kind)")
                    }
                }
                now.seconds.add(1, ordering: .relaxed)
            }
            return opened
        }
        #expect(attack() == 500)
        let size = try size(desk)
        #expect(attack() == 0)
        #expect(try self.size(desk) == size)
        now.seconds.add(3_600, ordering: .relaxed)
        #expect(attack() == 500)
        #expect(try desk.ledger.audit().faults.isEmpty)
    }

    @Test("There are never more accounts than there may be, whatever their currency, and those that are there go on")
    func accountsInTotal() throws {
        let desk = desk { $0.accounts = 3 }
        let accounts = try ["EUR", "USD", "JPY"].map {
            try desk.ask(OpenAccount(name: "Anna", currency: Currency($0)!))
        }
        for code in ["EUR", "AAA", "ZZZ"] {
            now.seconds.add(7_200, ordering: .relaxed)
            #expect(kind(desk, OpenAccount(name: "Ben", currency: Currency(code)!)) == .tooMany)
        }
        let currencies = try desk.ledger.queue.read {
            try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM account WHERE secretHash = x''")
        }
        #expect(currencies == 3, "a currency without accounts takes no place")
        for account in accounts { #expect(try desk.ask(AskBalance(), as: account).name == "Anna") }
    }

    @Test("An order that can never be made leaves nothing behind, be it of 11 kB, and is answered the same again")
    func nothingKept() throws {
        let desk = desk()
        let anna = try desk.ask(anna), ben = try desk.ask(OpenAccount(name: "Ben", currency: .euro))
        let token = try desk.ask(AskToken(version: 2, photo: nil), as: anna).token
        let one = Money(minorUnits: 1, .euro)
        let hopeless: [(OrderTransfer, TransferRefusal)] = [
            (OrderTransfer(id: UUID(), token: Data(repeating: 7, count: 8_000), amount: one), .unknownToken),
            (OrderTransfer(id: UUID(), token: Data(), amount: one), .unknownToken),
            (OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: 0, .euro)), .noAmount),
            (OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: -5, .euro)), .noAmount),
            (OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: 1, Currency("USD")!)), .otherCurrency),
        ]
        let size = try size(desk)
        for round in 0..<200 {
            for (order, refusal) in hopeless {
                #expect(try desk.ask(order, as: ben) == .refused(because: refusal))
                var other = order
                other.id = UUID()
                #expect(try desk.ask(other, as: ben) == .refused(because: refusal), "\(round)")
            }
        }
        #expect(try self.size(desk) == size)
        #expect(try desk.ledger.audit().refusals == 0)
    }

    @Test("Of a refused order that is kept there is a digest and not the order; asked again it has the same answer")
    func digest() throws {
        let desk = desk()
        let anna = try desk.ask(anna), ben = try desk.ask(OpenAccount(name: "Ben", currency: .euro))
        let token = try desk.ask(AskToken(version: 2, photo: nil), as: anna).token
        let order = OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: 99_999, .euro))
        for _ in 0..<3 { #expect(try desk.ask(order, as: ben) == .refused(because: .insufficientFunds)) }
        let row = try desk.ledger.queue.read {
            try Row.fetchOne($0, sql: "SELECT * FROM transfer WHERE refusal IS NOT NULL")
        }
        #expect((row?["digest"] as Data?)?.count == 32 && row?["receipt"] as Data? == nil)
        // Another order under its ID, and another account's, are told apart by the digest.
        var other = order
        other.amount.minorUnits = 1
        #expect(kind(desk, other, as: ben) == .conflict)
        #expect(kind(desk, order, as: anna) == .conflict)
        #expect(try desk.ledger.audit().refusals == 1)
    }

    @Test("A refused order stays refused until its token is past, and after that it is refused for that")
    func forgotten() throws {
        let desk = desk()
        let anna = try desk.ask(anna), ben = try desk.ask(OpenAccount(name: "Ben", currency: .euro))
        let token = try desk.ask(AskToken(version: 2, photo: nil), as: anna).token
        let order = OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: 10_001, .euro))
        #expect(try desk.ask(order, as: ben) == .refused(because: .insufficientFunds))
        // Ben has the money now.
        let back = try desk.ask(AskToken(version: 2, photo: nil), as: ben).token
        _ = try desk.ask(OrderTransfer(id: UUID(), token: back, amount: Money(minorUnits: 5_000, .euro)), as: anna)
        for seconds in [1, 298, 3_600, 29 * 86_400] as [Int64] {
            now.seconds.add(seconds, ordering: .relaxed)
            #expect(try desk.ask(order, as: ben) == .refused(because: .insufficientFunds), "after \(seconds) s more")
        }
        now.seconds.add(2 * 86_400, ordering: .relaxed)
        // Another refusal clears those that are old.
        let fresh = try desk.ask(AskToken(version: 2, photo: nil), as: anna).token
        _ = try desk.ask(OrderTransfer(id: UUID(), token: fresh, amount: Money(minorUnits: 99_999, .euro)), as: ben)
        #expect(try desk.ask(order, as: ben) == .refused(because: .expiredToken))
        #expect(try desk.ask(AskBalance(), as: ben).balance.minorUnits == 15_000)
    }

    @Test(
        "An account orders so much a minute; more is not decided and not kept, what was decided is answered, others go on"
    )
    func ordersByTheMinute() throws {
        let desk = desk { $0.ordersPerMinute = 10 }
        let anna = try desk.ask(anna), ben = try desk.ask(OpenAccount(name: "Ben", currency: .euro))
        let token = try desk.ask(AskToken(version: 2, photo: nil), as: anna).token
        let orders = (0..<15).map { _ in OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: 1, .euro)) }
        let first = orders.map { try? desk.ask($0, as: ben) }
        #expect(first.compactMap(\.self).count == 10 && kind(desk, orders[12], as: ben) == .tooMany)
        #expect(try desk.ask(AskBalance(), as: ben).balance.minorUnits == 9_990)
        #expect(try desk.ask(orders[3], as: ben) == first[3])
        let back = try desk.ask(AskToken(version: 2, photo: nil), as: ben).token
        #expect(
            kind(desk, OrderTransfer(id: UUID(), token: back, amount: Money(minorUnits: 1, .euro)), as: anna) == nil
        )
        now.seconds.add(60, ordering: .relaxed)
        // The same order, asked again, is made now, once.
        for _ in 0..<2 { _ = try desk.ask(orders[12], as: ben) }
        #expect(try desk.ask(AskBalance(), as: ben).balance.minorUnits == 9_990)
        #expect(try desk.ledger.audit().transfers == 12)
    }

    @Test(
        "Of an account so many refusals are kept; more of its orders are not decided, and nobody else notices"
    )
    func refusalsOfAnAccount() throws {
        let desk = desk { $0.refusalsPerAccount = 5 }
        let anna = try desk.ask(anna), ben = try desk.ask(OpenAccount(name: "Ben", currency: .euro))
        let token = try desk.ask(AskToken(version: 2, photo: nil), as: anna).token
        func tooLarge() -> OrderTransfer {
            OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: 10_001, .euro))
        }
        let orders = (0..<8).map { _ in tooLarge() }
        let kinds = orders.map { kind(desk, $0, as: ben) }
        #expect(kinds == [nil, nil, nil, nil, nil, .tooMany, .tooMany, .tooMany])
        #expect(try desk.ledger.audit().refusals == 5)
        // What was decided stays so, and what can be paid is paid.
        #expect(try desk.ask(orders[0], as: ben) == .refused(because: .insufficientFunds))
        let good = OrderTransfer(id: UUID(), token: token, amount: Money(minorUnits: 1, .euro))
        guard case .done = try desk.ask(good, as: ben) else { return _ = Issue.record("not done") }
        // Others' orders are refused as ever.
        let carl = try desk.ask(OpenAccount(name: "Carl", currency: .euro))
        #expect(try desk.ask(tooLarge(), as: carl) == .refused(because: .insufficientFunds))
        // And Ben's again when the old ones are forgotten, with a token that is good then.
        now.seconds.add(30 * 86_400 + 1, ordering: .relaxed)
        let late = try desk.ask(AskToken(version: 2, photo: nil), as: anna).token
        let order = OrderTransfer(id: UUID(), token: late, amount: Money(minorUnits: 10_001, .euro))
        #expect(try desk.ask(order, as: ben) == .refused(because: .insufficientFunds))
    }

    @Test("An account has so many tokens, and gets new ones when the older are past")
    func tokens() throws {
        let desk = desk()
        let anna = try desk.ask(anna)
        let wanted = AskToken(version: 2, photo: nil)
        for _ in 0..<100 { _ = try desk.ask(wanted, as: anna) }
        #expect(kind(desk, wanted, as: anna) == .tooMany)
        #expect(kind(desk, wanted, as: try desk.ask(OpenAccount(name: "Ben", currency: .euro))) == nil)
        now.seconds.add(300 + 3_601, ordering: .relaxed)
        #expect(kind(desk, wanted, as: anna) == nil)
        let count = try desk.ledger.queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM token") }
        #expect(count == 1)
    }

    @Test("A clock that is set back shuts no client out")
    func clockSetBack() throws {
        let desk = desk { ($0.accountsPerHour, $0.ordersPerMinute) = (3, 3) }
        now.seconds.add(400_000_000, ordering: .relaxed)
        for _ in 0..<3 { _ = try desk.ask(anna) }
        #expect(kind(desk, anna) == .tooMany)
        now.seconds.add(-400_000_000, ordering: .relaxed)
        #expect(kind(desk, anna) == nil)
    }
}
