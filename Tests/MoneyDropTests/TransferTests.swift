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
}
