import BluethroatAppEnvironment
import BluethroatOverflowArea
import BluethroatPhoneService
import BluethroatPhones
import BluethroatTesting
import CoreBluetooth
import Foundation
import Testing

/// Phones in the background, with real advertisements in a world.
@Suite("A conversation in the overflow area", .air)
struct OverflowConversationTests {
    private let air = Air.current

    private final class Talker {
        let phone: OverflowPhone<OverflowConversation>
        var received: [[UInt8]] = []
        var delivered: [[UInt8]] = []
        var restarts = 0

        init(
            _ number: UInt8,
            with partner: UInt8,
            session: UInt8,
            in air: Air,
            at place: Place = .immediate,
            version: Int = 13
        ) {
            phone = OverflowPhone("number \(number)", in: air, at: place, version: version) { clock, surroundings in
                OverflowConversation(
                    Conversation(number, with: partner, session: session),
                    cycle: .quick,
                    clock: clock,
                    surroundings: surroundings
                )
            }
            phone.it.happened = { [unowned self] event, _ in
                switch event {
                case .received(let message): received.append(message)
                case .delivered(let message): delivered.append(message)
                case .restarted: restarts += 1
                case .opened, .silent: break
                }
            }
        }

        /// Its app begins, and is left for the background.
        func begin(_ message: [UInt8], in air: Air) {
            phone.it.send(message)
            phone.it.start()
            air.run(for: .milliseconds(300))
            phone.app.enterBackground()
        }
    }

    private let question = Array("Is there any milk left in the fridge?".utf8)
    private let answer = Array("None. Bring two bottles, and some bread.".utf8)

    @Test("Two phones in the background exchange messages of forty bytes, a piece a second")
    func exchange() throws {
        let one = Talker(0, with: 1, session: 7, in: air),
            two = Talker(1, with: 0, session: 8, in: air, at: .metres(0, y: 1))
        one.begin(question, in: air)
        two.begin(answer, in: air)
        try air.run(until: one.delivered.count + two.delivered.count == 2, within: .seconds(180))
        #expect(one.received == [answer] && two.received == [question])
        #expect(one.phone.app.state == .background && two.phone.app.state == .background)
        // Two bytes a piece, each a change at least; and not more than one a second.
        #expect(one.phone.it.changeCount >= question.count / 2)
        #expect(Double(one.phone.it.changeCount) <= air.now / .seconds(1) + 2)
        #expect(one.phone.it.conversation.deliveredCount == question.count)
        two.phone.it.send([1, 2, 3])
        try air.run(until: one.received.count == 2, within: .seconds(60))
        #expect(one.received == [answer, [1, 2, 3]])
    }

    @Test("A third phone in between that talks to one of them changes nothing, nor do fourteen foreign bits")
    func third() throws {
        let one = Talker(0, with: 1, session: 7, in: air),
            two = Talker(1, with: 0, session: 8, in: air, at: .metres(0, y: 2))
        let third = Talker(2, with: 0, session: 9, in: air, at: .metres(0, y: 1))
        third.begin([0xFF, 0xFF], in: air)
        one.phone.pollute(Array(3..<17))
        one.begin(question, in: air)
        two.begin(answer, in: air)
        try air.run(until: one.delivered.count + two.delivered.count == 2, within: .seconds(180))
        #expect(one.received == [answer] && two.received == [question])
        #expect(third.received.isEmpty && third.delivered.isEmpty)
    }

    @Test("A third phone in between that has the partner's number is not listened to while the partner is there")
    func copy() throws {
        let one = Talker(0, with: 1, session: 7, in: air),
            two = Talker(1, with: 0, session: 8, in: air, at: .metres(0, y: 2))
        one.begin(question, in: air)
        two.begin(answer, in: air)
        try air.run(
            until: two.phone.it.conversation.deliveredCount + one.phone.it.changeCount > 8,
            within: .seconds(60)
        )
        let copy = Talker(1, with: 0, session: 99, in: air, at: .metres(0, y: 1))
        copy.begin([0xFF, 0xFF], in: air)
        try air.run(until: one.delivered.count + two.delivered.count == 2, within: .seconds(180))
        #expect(one.received == [answer] && two.received == [question] && one.restarts == 0)
    }

    @Test("Bluetooth that was off in between costs time, and nothing else")
    func power() throws {
        let one = Talker(0, with: 1, session: 7, in: air),
            two = Talker(1, with: 0, session: 8, in: air, at: .metres(0, y: 1))
        one.begin(question, in: air)
        two.begin(answer, in: air)
        air.run(for: .seconds(8))
        #expect(two.received.isEmpty)
        air.switchPower(false, of: one.phone.phone)
        air.run(for: .seconds(20))
        air.switchPower(true, of: one.phone.phone)
        try air.run(until: one.delivered.count + two.delivered.count == 2, within: .seconds(240))
        #expect(one.received == [answer] && two.received == [question])
    }

    @Test("From iOS 14 on what the background sends does not change, and nothing arrives")
    func frozen() {
        let one = Talker(0, with: 1, session: 7, in: air, version: 14)
        let two = Talker(1, with: 0, session: 8, in: air, at: .metres(0, y: 1), version: 14)
        one.begin(question, in: air)
        two.begin(answer, in: air)
        air.run(for: .seconds(120))
        #expect(one.received.isEmpty && two.received.isEmpty && one.delivered.isEmpty)
    }
}
