import BluethroatMoneyBank
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatTesting
import Foundation
import Testing

@Suite("Money to whoever is near")
struct TransferTests {
    @Test("A sender finds the recipient, sees the name, sends; the recipient is shown what came and from whom")
    func thinPath() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna")
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(5))
        let transfer = try ben.send(1250, to: anna)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(5))
        try scene.air.run(until: !anna.screen.notices.isEmpty, within: .seconds(1))
        let amount = Money(minorUnits: 1250, .euro)
        #expect(anna.screen.notices == [.received(transfer: transfer, amount: amount, payer: "Ben")])
        #expect(try scene.balance(ben) == 8750 && scene.balance(anna) == 11250)
        #expect(try scene.ledger.audit().faults.isEmpty)
        #expect(scene.air.misuse.isEmpty)
    }

    @Test("What is left is known with the payment, however slowly the bank says a balance")
    func balanceWithOutcome() throws {
        let scene = MoneyScene(dailyLimit: 50)
        let ben = scene.add("Ben"), anna = scene.add("Anna")
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true && ben.screen.balance != nil, within: .seconds(5))
        ben.bank.delay = { $0.name == AskBalance.name ? 3_600 : 0.01 }
        try ben.send(1250, to: anna)
        let told = { ben.screen.outgoing.map(\.state) == [.told] }
        try scene.air.run(until: told(), within: .seconds(5))
        #expect(ben.screen.balance == Money(minorUnits: 8750, .euro))
        #expect(ben.screen.allowance?.left == Money(minorUnits: 3750, .euro))
    }

    @Test("A balance that the bank has said before a payment, and that comes behind it, is not shown")
    func lateBalance() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna")
        ben.drop.look(true)
        // Ben is paid, so that his balance is asked for, and pays before it has come.
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true && ben.screen.balance != nil, within: .seconds(5))
        anna.drop.look(true)
        try scene.air.run(until: anna.sees(ben)?.canBePaid == true, within: .seconds(5))
        var late = true
        ben.bank.delay = { request in
            guard request.name == AskBalance.name, late else { return 0.01 }
            late = false
            return 20
        }
        try anna.send(100, to: ben)
        try scene.air.run(until: !late, within: .seconds(30))
        try ben.send(1250, to: anna)
        let isPaid = { ben.screen.balance == Money(minorUnits: 8850, .euro) }
        try scene.air.run(until: isPaid(), within: .seconds(10))
        for _ in 0..<300 {
            scene.air.run(for: .milliseconds(100))
            #expect(isPaid(), "\(String(describing: ben.screen.balance))")
        }
        #expect(try scene.balance(ben) == 8850)
    }

    @Test("A name is found in whatever case it is asked for; who is called exactly so comes first")
    func names() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben")
        scene.add("Anna")
        ben.drop.look(true)
        try scene.air.run(until: ben.screen.people.contains { $0.canBePaid }, within: .seconds(5))
        #expect(ben.screen.people(called: "anna").map(\.name) == ["Anna"])
        #expect(ben.screen.people(called: "ann").isEmpty)
        scene.add("ANNA")
        try scene.air.run(until: ben.screen.people.filter(\.canBePaid).count == 2, within: .seconds(10))
        #expect(ben.screen.people(called: "ANNA").map(\.name) == ["ANNA"])
        #expect(ben.screen.people(called: "anna").compactMap(\.name).sorted() == ["ANNA", "Anna"])
    }

    @Test("A transfer whose outcome was not shown is found again by the name in another case, until it is shown")
    func awaitedTransfer() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna")
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(5))
        let amount = Money(minorUnits: 1250, .euro), id = try #require(ben.sees(anna)?.id)
        let transfer = try ben.drop.send(amount, to: id, isAwaited: true)
        #expect(ben.screen.awaitedTransfer(of: amount, to: "anna")?.id == transfer)
        #expect(ben.screen.awaitedTransfer(of: amount, to: "ann") == nil)
        #expect(ben.screen.awaitedTransfer(of: Money(minorUnits: 1251, .euro), to: "Anna") == nil)
        ben.drop.noteShown(transfer)
        #expect(ben.screen.awaitedTransfer(of: amount, to: "Anna") == nil)
    }

    @Test("After a payment both sides have one receipt to print, with both names, the amount and the bank's signature")
    func receipts() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna")
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(5))
        let transfer = try ben.send(1250, to: anna)
        #expect(ben.drop.receipt(of: transfer) == nil)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(5))
        try scene.air.run(until: !anna.screen.notices.isEmpty, within: .seconds(1))
        let sent = try #require(ben.drop.receipt(of: transfer)), got = try #require(anna.drop.receipt(of: transfer))
        #expect(sent == got && sent.text == got.text && sent.svg == got.svg)
        let content = sent.receipt.content
        #expect((content.payer, sent.recipient, content.amount.minorUnits) == ("Ben", "Anna", 1250))
        #expect(content.transfer == transfer && (1_700_000_000...1_700_000_010).contains(content.time))
        #expect(anna.drop.receipt(of: UUID()) == nil)
        // They survive the app.
        anna.app.forceQuit()
        anna.app.launch()
        #expect(anna.drop.receipt(of: transfer) == got)
    }

    @Test("Who hears of a payment from the bank only has the receipt all the same")
    func receiptFromTheBank() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna") { $0.incomingInterval = 5 }
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(5))
        scene.air.cut(ben.phone, from: anna.phone)
        let transfer = try ben.send(300, to: anna)
        try scene.air.run(until: anna.wallet.wallet.received(transfer) != nil, within: .seconds(20))
        #expect(anna.drop.receipt(of: transfer)?.receipt.content.payer == "Ben")
    }
}
