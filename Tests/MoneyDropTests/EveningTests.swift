import BluethroatMoneyBank
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatTesting
import Foundation
import Testing

@Suite("Several recipients in one evening")
struct EveningTests {
    @Test("One pays four in turn, up to the day's limit; after midnight by the bank's clock there is more")
    func limit() throws {
        // 40 s before midnight.
        let scene = MoneyScene(dailyLimit: 30, begins: 1_700_006_400 - 40)
        let ben = scene.add("Ben")
        let others = ["Anna", "Carol", "David", "Emma"].map { scene.add($0) }
        ben.drop.look(true)
        try scene.air.run(within: .seconds(20)) { others.allSatisfy { ben.sees($0)?.canBePaid == true } }
        #expect(ben.screen.allowance == DailyAllowance(limit: Money(minorUnits: 3_000, .euro), left: euros(30_00)))
        for other in others[..<2] {
            try ben.send(12_50, to: other)
            try scene.air.run(until: ben.screen.outgoing.last?.state == .told, within: .seconds(5))
        }
        try scene.air.run(until: ben.screen.allowance?.left == euros(5_00), within: .seconds(2))
        try ben.send(12_50, to: others[2])
        let refused = OutgoingTransfer.State.refused(because: .dailyLimit)
        try scene.air.run(until: ben.screen.outgoing.last?.state == refused, within: .seconds(5))
        // Less goes, and what somebody gets does not count.
        try ben.send(5_00, to: others[2])
        try scene.air.run(until: ben.screen.outgoing.last?.state == .told, within: .seconds(5))
        #expect(try scene.balance(ben) == 100_00 - 30_00 && scene.balance(others[2]) == 105_00)
        scene.air.run(for: .seconds(40))
        try ben.send(12_50, to: others[3])
        try scene.air.run(until: ben.screen.outgoing.last?.state == .told, within: .seconds(5))
        #expect(ben.screen.outgoing.map(\.state) == [.told, .told, refused, .told, .told])
        #expect(try scene.ledger.audit().faults.isEmpty)
    }

    private func euros(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, .euro) }
}
