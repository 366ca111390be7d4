import BluethroatMoneyBank
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatPhoneService
import BluethroatTesting
import Testing

/// A watch and a television have two connections, however many people there are.
@Suite("MoneyDrop with fewer connections than people")
struct TurnsTests {
    private func scene(_ kind: PhoneSettings, _ people: Int, photo: Int = 0) -> (MoneyScene, payer: Owner, [Owner]) {
        let scene = MoneyScene()
        let payer = scene.add("Ben", phone: kind)
        let others = (1...people).map { scene.add("Guest \($0)", photo: photo > 0 ? picture(photo) : nil) }
        return (scene, payer, others)
    }

    private func connections(_ owner: Owner) -> Int { owner.screen.people.count { $0.isConnected } }

    @Test("Of six people it sees each with their photo, and pays each", arguments: [PhoneSettings.watch, .television])
    func everybody(kind: PhoneSettings) throws {
        let (scene, ben, others) = scene(kind, 6, photo: 3_000)
        ben.drop.look(true)
        for other in others {
            try scene.air.run(until: ben.sees(other)?.photo == .complete(3_000), within: .seconds(60))
            #expect(connections(ben) <= 2)
        }
        // Whom it pays need not be connected at the moment.
        for other in others { _ = try ben.send(100, to: other) }
        try scene.air.run(
            until: ben.screen.outgoing.map(\.state) == Array(repeating: .told, count: 6),
            within: .seconds(60)
        )
        try scene.air.run(until: others.allSatisfy { $0.screen.notices.count == 1 }, within: .seconds(5))
        #expect(ben.phone.misuse.isEmpty)
        #expect(try others.map(scene.balance) == Array(repeating: 10_100, count: 6))
    }

    @Test("Each has a turn again, in the same order, and one who has gone keeps nobody waiting")
    func turns() throws {
        let (scene, ben, others) = scene(.watch, 4)
        ben.drop.look(true)
        var order: [String] = []
        for _ in 0..<600 {
            scene.air.run(for: .milliseconds(100))
            for person in ben.screen.people where person.isConnected {
                if let name = person.name, order.suffix(2).contains(name) == false { order.append(name) }
            }
            #expect(connections(ben) <= 2)
        }
        for other in others { #expect(order.count { $0 == other.name } >= 4, "\(order)") }
        scene.air.move(others[0].phone, to: .metres(5_000))
        scene.air.run(for: .seconds(20))
        order = []
        for _ in 0..<300 {
            scene.air.run(for: .milliseconds(100))
            for person in ben.screen.people where person.isConnected {
                if let name = person.name, order.suffix(2).contains(name) == false { order.append(name) }
            }
        }
        for other in others.dropFirst() { #expect(order.contains(other.name), "\(order)") }
        #expect(!order.contains(others[0].name))
    }

    @Test("A phone has as many connections as there are people, and nobody gives way")
    func phones() throws {
        let (scene, ben, others) = scene(PhoneSettings(), 6)
        ben.drop.look(true)
        try scene.air.run(until: connections(ben) == 6, within: .seconds(20))
        scene.air.run(for: .seconds(30))
        #expect(connections(ben) == 6 && others.allSatisfy { $0.phone.misuse.isEmpty })
    }
}
