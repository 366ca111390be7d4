import BluethroatMoneyTerms
import Foundation
import GRDB
import Synchronization
import Testing

@testable import BluethroatMoneyBank

@Suite("The bank's books")
struct LedgerTests {
    private let now = Moment()
    private let ledger: Ledger
    private let desk: BankDesk
    private let anna: BankAccount
    private let ben: BankAccount

    init() throws {
        var settings = BankSettings()
        settings.clock = { [now] in now.seconds.load(ordering: .relaxed) }
        ledger = Ledger(settings: settings)
        desk = BankDesk(ledger)
        anna = try desk.ask(OpenAccount(name: "Anna", currency: .euro))
        ben = try desk.ask(OpenAccount(name: "Ben", currency: .euro))
    }

    private func token(of account: BankAccount) throws -> Data {
        try desk.ask(AskToken(version: 2, photo: nil), as: account).token
    }

    private func order(_ minorUnits: Int64, to account: BankAccount) throws -> OrderTransfer {
        OrderTransfer(id: UUID(), token: try token(of: account), amount: Money(minorUnits: minorUnits, .euro))
    }

    private func balance(_ account: BankAccount) throws -> Int64 {
        try desk.ask(AskBalance(), as: account).balance.minorUnits
    }

    @Test("What the payer has after a transfer comes with its outcome, for each time that is asked")
    func accountWithOutcome() throws {
        let orders = try [30_00, 20_00, 60_00].map { try order($0, to: anna) }
        var left: [Int64?] = []
        for order in orders + orders {
            let answer: OrderTransfer.Answer = try desk.ask(order, as: ben)
            left.append(answer.account?.balance.minorUnits)
        }
        // The third is refused.
        #expect(left == [70_00, 50_00, 50_00, 50_00, 50_00, 50_00])
        // A bank of before says nothing of it.
        let before = Data(#"{"refused":{"because":"noAmount"}}"#.utf8)
        #expect(
            try OrderTransfer.answer(in: before).get()
                == OrderTransfer.Answer(.refused(because: .noAmount), account: nil)
        )
    }

    @Test("A transfer has two entries, moves money once, and its receipt is signed")
    func transfer() throws {
        let order = try order(250, to: anna)
        guard case .done(let bytes, false) = try desk.ask(order, as: ben) else {
            Issue.record("not done")
            return
        }
        let receipt = try Receipt(bytes, from: ledger.publicKey).content
        #expect(receipt.transfer == order.id && receipt.amount == order.amount && receipt.payer == "Ben")
        #expect(try balance(anna) == 10_250 && balance(ben) == 9_750)
        let entries = try ledger.queue.read {
            try Int64.fetchAll($0, sql: "SELECT amount FROM entry ORDER BY transfer DESC, amount LIMIT 2")
        }
        #expect(entries == [-250, 250])
    }

    @Test("The same order again has the same outcome and moves nothing; another order under its ID is refused")
    func idempotence() throws {
        let order = try order(250, to: anna)
        let first = try desk.ask(order, as: ben)
        for _ in 0..<5 { #expect(try desk.ask(order, as: ben) == first) }
        var other = order
        other.amount.minorUnits = 9_000
        #expect(throws: BankFailure.denied("there is another transfer with the ID \(order.id)")) {
            try desk.ask(other, as: ben)
        }
        #expect(throws: BankFailure.self) { try desk.ask(order, as: anna) }
        #expect(try balance(anna) == 10_250 && balance(ben) == 9_750)
    }

    @Test("What was refused once stays refused, also when there is money later")
    func refusalStays() throws {
        let order = try order(10_100, to: anna)
        #expect(try desk.ask(order, as: ben) == .refused(because: .insufficientFunds))
        _ = try desk.ask(self.order(5_000, to: ben), as: anna)
        #expect(try balance(ben) == 15_000)
        #expect(try desk.ask(order, as: ben) == .refused(because: .insufficientFunds))
        #expect(try balance(ben) == 15_000)
    }

    @Test("An account pays everything it has and not a cent more; SQLite itself does not take a debt")
    func neverNegative() throws {
        guard case .done = try desk.ask(order(10_000, to: anna), as: ben) else {
            Issue.record("not done")
            return
        }
        #expect(try balance(ben) == 0)
        #expect(try desk.ask(order(1, to: anna), as: ben) == .refused(because: .insufficientFunds))
        #expect(throws: DatabaseError.self) {
            try ledger.queue.write { try $0.execute(sql: "UPDATE account SET balance = -1") }
        }
        #expect(throws: DatabaseError.self) { try ledger.queue.write { try $0.execute(sql: "DELETE FROM entry") } }
        #expect(throws: DatabaseError.self) {
            try ledger.queue.write { try $0.execute(sql: "UPDATE entry SET amount = 1") }
        }
    }

    @Test("Nothing, less than nothing, oneself, another currency, and whom nobody knows cannot be paid")
    func refusals() throws {
        #expect(try desk.ask(order(0, to: anna), as: ben) == .refused(because: .noAmount))
        #expect(try desk.ask(order(-100, to: anna), as: ben) == .refused(because: .noAmount))
        #expect(try desk.ask(order(100, to: ben), as: ben) == .refused(because: .ownAccount))
        var dollars = try order(100, to: anna)
        dollars.amount.currency = Currency("USD")!
        #expect(try desk.ask(dollars, as: ben) == .refused(because: .otherCurrency))
        var changed = try order(100, to: anna)
        changed.token[20] ^= 1
        #expect(try desk.ask(changed, as: ben) == .refused(because: .unknownToken))
        var elsewhere = try order(100, to: anna)
        elsewhere.token =
            PayeeToken(signing: try PayeeToken(elsewhere.token, from: ledger.publicKey).content, with: BankSigningKey())
            .bytes
        #expect(try desk.ask(elsewhere, as: ben) == .refused(because: .unknownToken))
        #expect(try balance(ben) == 10_000)
    }

    @Test("A token is good for five minutes; an order that was made with it is answered later, too")
    func expiry() throws {
        let order = try order(100, to: anna), late = try self.order(100, to: anna)
        now.seconds.add(300, ordering: .relaxed)
        let outcome = try desk.ask(order, as: ben)
        guard case .done = outcome else {
            Issue.record("\(outcome)")
            return
        }
        now.seconds.add(1, ordering: .relaxed)
        #expect(try desk.ask(late, as: ben) == .refused(because: .expiredToken))
        #expect(try desk.ask(order, as: ben) == outcome)
        now.seconds.add(10_000, ordering: .relaxed)
        _ = try token(of: ben)
        #expect(try desk.ask(order, as: ben) == outcome)
    }

    @Test("A recipient is told of what has come, in order, and of nobody else's")
    func incoming() throws {
        let orders = try [100, 200, 300].map { try order($0, to: anna) }
        for order in orders { _ = try desk.ask(order, as: ben) }
        let all = try desk.ask(AskIncoming(after: 0), as: anna)
        #expect(all.map(\.id) == orders.map(\.id) && all.map(\.amount.minorUnits) == [100, 200, 300])
        #expect(try desk.ask(AskIncoming(after: all[1].number), as: anna) == [all[2]])
        #expect(try desk.ask(AskIncoming(after: 0), as: ben).isEmpty)
        #expect(try desk.ask(CheckIncoming(transfer: orders[0].id), as: anna).transfer == all[0])
        #expect(try desk.ask(CheckIncoming(transfer: orders[0].id), as: ben).transfer == nil)
        _ = try desk.ask(NoteSeen(upTo: all[2].number), as: ben)
        guard case .done(_, false) = try desk.ask(orders[0], as: ben) else {
            Issue.record("seen by the payer")
            return
        }
        _ = try desk.ask(NoteSeen(upTo: all[0].number), as: anna)
        guard case .done(_, true) = try desk.ask(orders[0], as: ben) else {
            Issue.record("not seen")
            return
        }
    }

    @Test("Who does not know an account's secret is told nothing")
    func secrets() throws {
        var stranger = ben
        stranger.credentials.secret = "guessed"
        #expect(throws: BankFailure.denied("the bank does not know this account, or its secret is another")) {
            try desk.ask(AskBalance(), as: stranger)
        }
        #expect(throws: BankFailure.self) { try desk.ask(AskBalance()) }
        for guess in 0..<2_000 {
            stranger.credentials.secret = "\(guess)"
            #expect(throws: BankFailure.self, "\(guess)") { try desk.ask(AskBalance(), as: stranger) }
        }
        let secrets = try ledger.queue.read { try Data.fetchAll($0, sql: "SELECT secretHash FROM account") }
        #expect(!secrets.contains(Data(ben.credentials.secret.utf8)))
    }

    @Test("What is unreadable, unknown or too long is refused with a sentence")
    func denials() throws {
        func ask(_ name: String, _ body: String) -> BankDesk.Denial.Kind? {
            let request = BankRequest(name: name, body: Data(body.utf8), credentials: ben.credentials)
            guard case .failure(let denial) = desk.answer(request) else { return nil }
            #expect(!denial.sentence.isEmpty)
            return denial.kind
        }
        #expect(ask("transfer", "") == .unreadable)
        #expect(ask("transfer", "{\"id\":\"x\"}") == .unreadable)
        #expect(ask("loot", "{}") == .unknownQuestion)
        #expect(ask("open", "{\"currency\":\"euro\",\"name\":\"A\"}") == .unreadable)
        #expect(ask("open", "{\"currency\":\"EUR\",\"name\":\"\"}") == .unreadable)
        #expect(ask("open", "{\"currency\":\"EUR\",\"name\":\"\(String(repeating: "a", count: 65))\"}") == .unreadable)
        #expect(ask("token", "{\"version\":3}") == .unreadable)
        #expect(ask("token", "{\"version\":2,\"photo\":{\"length\":5,\"digest\":\"AAAA\"}}") == .unreadable)
    }

    @Test("The sum of all accounts is that of the beginning, and an entry that is missing shows")
    func audit() throws {
        for amount in [1, 20, 300, 20_000] { _ = try desk.ask(order(Int64(amount), to: anna), as: ben) }
        let audit = try ledger.audit()
        #expect(audit.sums == [Money(minorUnits: Ledger.capital, .euro)])
        // What people have is their first deposits, wherever it is now.
        #expect(audit.held == [Money(minorUnits: 20_000, .euro)])
        #expect(audit.faults.isEmpty && audit.accounts == 2 && audit.transfers == 3 && audit.refusals == 1)
        try ledger.queue.write { try $0.execute(sql: "UPDATE account SET balance = balance + 1 WHERE name = 'Ben'") }
        #expect(try ledger.audit().faults.count == 2)
    }

    @Test("Books in a file are only their owner's to read, and go on where they were")
    func file() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let account: BankAccount
        do {
            let desk = BankDesk(try Ledger(path: path))
            account = try desk.ask(OpenAccount(name: "Anna", currency: Currency("JPY")!))
        }
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let later = BankDesk(try Ledger(path: path))
        #expect(later.ledger.publicKey == account.bankKey)
        #expect(try later.ask(AskBalance(), as: account).balance.description == "100 JPY")
    }

    @Test("When all play money is given away, who comes then is told so, and nothing is half done")
    func treasury() throws {
        var settings = BankSettings()
        settings.deposit = 1_000_000_000
        let desk = BankDesk(Ledger(settings: settings))
        // In the smallest units there are: 100 accounts with 10,000,000,000,000 each.
        for _ in 0..<100 { _ = try desk.ask(OpenAccount(name: "Anna", currency: Currency("CLF")!)) }
        #expect(throws: BankFailure.denied("the bank has given away all its CLF")) {
            try desk.ask(OpenAccount(name: "Ben", currency: Currency("CLF")!))
        }
        let audit = try desk.ledger.audit()
        #expect(audit.accounts == 100 && audit.faults.isEmpty)
    }

    @Test(
        "Amounts at the ends of what a number holds move nothing and trap nothing",
        arguments: [Int64.min, -1, 0, .max]
    )
    func extremes(minorUnits: Int64) throws {
        let outcome = try desk.ask(order(minorUnits, to: anna), as: ben)
        #expect(outcome == .refused(because: minorUnits > 0 ? .insufficientFunds : .noAmount))
        #expect(try balance(anna) == 10_000 && balance(ben) == 10_000)
        #expect(try ledger.audit().faults.isEmpty)
    }

    @Test(
        "An amount that is no whole number of minor units, or that no number holds, is unreadable, and nothing is kept",
        arguments: [
            "1.5", "0.1", "1e-1", "9223372036854775808", "-9223372036854775809", "1e400", "\"1\"", "null", "true",
            "NaN",
        ]
    )
    func noWholeNumber(amount: String) throws {
        let token = try token(of: anna).base64EncodedString()
        let body = #"{"id":"\#(UUID())","token":"\#(token)","amount":{"minorUnits":\#(amount),"currency":"EUR"}}"#
        let request = BankRequest(name: "transfer", body: Data(body.utf8), credentials: ben.credentials)
        guard case .failure(let denial) = desk.answer(request) else { return _ = Issue.record("answered") }
        #expect(denial.kind == .unreadable)
        let audit = try ledger.audit()
        #expect(audit.transfers == 0 && audit.refusals == 0)
    }
}

extension BankDesk {
    func ask<Question: BankQuestion>(_ question: Question, as account: BankAccount? = nil) throws -> Question.Answer {
        let request = BankRequest(question, as: account?.credentials)
        return try Question.answer(in: try answer(request).mapError { BankFailure($0) }.get()).get()
    }

    /// Without what the payer has afterwards.
    func ask(_ order: OrderTransfer, as account: BankAccount?) throws -> TransferOutcome {
        let answer: OrderTransfer.Answer = try ask(order, as: account)
        return answer.outcome
    }
}

/// The bank's clock, as a test sets it.
final class Moment: Sendable {
    let seconds = Atomic<Int64>(1_700_000_000)
}
