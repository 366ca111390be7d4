import BluethroatAppEnvironment
import BluethroatPhoneService
import BluethroatPhones
import BluethroatTesting
import CoreBluetooth
import Foundation
import Testing

@testable import BluethroatOverflowArea

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

    /// A phone in the background that advertises the frames which the test tells it to, of number 1 with session 9.
    private final class PlayedPartner {
        private let air: Air
        private let phone: Phone
        private let manager: CBPeripheralManager

        init(in air: Air) {
            self.air = air
            var settings = PhoneSettings()
            settings.systemVersion = 13
            phone = air.addPhone(named: "played", at: .metres(0, y: 1), settings: settings)
            let app = phone.addApp(named: "played", backgroundModes: .bluetoothPeripheral)
            app.rangesBeacons = true
            manager = app.run { CBPeripheralManager(delegate: nil, queue: nil) }
            air.run(for: .milliseconds(500))
            app.enterBackground()
        }

        /// Has a frame on the air for four seconds, which is long enough for an answer, even if a scan pauses.
        func show(_ content: ConversationFrame.Content, wanted: UInt8 = 0, from sender: UInt8 = 1) throws {
            let frame = ConversationFrame(from: sender, to: 0, content, wanted: wanted)
            let mask = try #require(
                OverflowCode.bch.mask(of: frame.bytes, matchingByte: ~BeaconFrame.usualMatchingByte)
            )
            manager.stopAdvertising()
            manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: mask.services])
            air.run(for: .seconds(4))
            #expect(phone.service.overflowMaskOnAir == mask.bytes(.air))
        }

        func beSilent(for span: Duration) {
            manager.stopAdvertising()
            air.run(for: span)
        }
    }

    @Test("A partner that loses frames, repeats them and breaks their order gets the right answers on the air")
    func badPartner() throws {
        let one = Talker(0, with: 1, session: 7, in: air)
        let partner = PlayedPartner(in: air)
        one.begin([0x51, 0x52, 0x53], in: air)
        func expectOnAir(_ content: ConversationFrame.Content, wanted: UInt8, _ line: Int = #line) throws {
            let air = try #require(one.phone.phone.service.overflowMaskOnAir.flatMap { OverflowMask($0, order: .air) })
            let reading = OverflowCode.bch.read(air, matchingByte: ~BeaconFrame.usualMatchingByte)
            let frame = try #require(reading.flatMap { ConversationFrame($0.payload) })
            #expect((frame.content, frame.wanted) == (content, wanted), "line \(line)")
        }
        air.run(for: .seconds(1))
        try expectOnAir(.opening(own: 7, partner: 0), wanted: 0)
        try partner.show(.piece(0, [9, 9], isLast: true))
        try expectOnAir(.opening(own: 7, partner: 0), wanted: 0)
        try partner.show(.opening(own: 9, partner: 0))
        try expectOnAir(.opening(own: 7, partner: 9), wanted: 0)
        try partner.show(.opening(own: 9, partner: 7))
        try expectOnAir(.quiet(own: 7, partner: 9), wanted: 0)
        // Its old frame once more.
        try partner.show(.opening(own: 9, partner: 0))
        try expectOnAir(.quiet(own: 7, partner: 9), wanted: 0)
        try partner.show(.quiet(own: 9, partner: 7))
        try expectOnAir(.piece(0, [0x51, 0x52], isLast: false), wanted: 0)
        // Its second piece before its first, and an acknowledgement of what was not sent.
        try partner.show(.piece(1, [3], isLast: true), wanted: 5)
        try expectOnAir(.piece(0, [0x51, 0x52], isLast: false), wanted: 0)
        try partner.show(.piece(0, [1, 2], isLast: false))
        try expectOnAir(.piece(0, [0x51, 0x52], isLast: false), wanted: 1)
        partner.beSilent(for: .seconds(40))
        try expectOnAir(.piece(0, [0x51, 0x52], isLast: false), wanted: 1)
        for _ in 0..<2 {
            try partner.show(.piece(0, [1, 2], isLast: false), wanted: 1)
            try expectOnAir(.piece(1, [0x53], isLast: true), wanted: 1)
            // A third phone's frames, with what would be right.
            try partner.show(.piece(1, [0xFF], isLast: true), wanted: 2, from: 5)
            try expectOnAir(.piece(1, [0x53], isLast: true), wanted: 1)
        }
        #expect(one.received.isEmpty && one.delivered.isEmpty)
        try partner.show(.piece(1, [3], isLast: true), wanted: 2)
        try expectOnAir(.quiet(own: 7, partner: 9), wanted: 2)
        try partner.show(.piece(0, [1, 2], isLast: false), wanted: 1)
        try expectOnAir(.quiet(own: 7, partner: 9), wanted: 2)
        #expect(one.received == [[1, 2, 3]] && one.delivered == [[0x51, 0x52, 0x53]] && one.restarts == 0)
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

    @Test("Who is stopped while Bluetooth is off sends nothing when it is on again")
    func stoppedWhileOff() {
        let one = Talker(0, with: 1, session: 7, in: air)
        one.begin(question, in: air)
        air.run(for: .seconds(3))
        let phone = one.phone.phone
        #expect(phone.service.overflowMaskOnAir != nil)
        air.switchPower(false, of: phone)
        air.run(for: .seconds(1))
        one.phone.it.stop()
        air.switchPower(true, of: phone)
        air.run(for: .seconds(2))
        #expect(phone.service.overflowMaskOnAir == nil && !phone.service.misuse.contains { $0.kind == .notPoweredOn })
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
