import BluethroatAppEnvironment
import BluethroatOverflowArea
import BluethroatPhoneService
import BluethroatPhones
import BluethroatTesting
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("Two phones with the demonstration", .air)
struct OverflowDemoTests {
    private let air = Air.current
    private static let payloads: [[UInt8]] = [[1, 2, 3, 4], [0xCA, 0xFE, 0x00, 0x7F]]

    /// Two phones whose apps have gone to the background.
    private func two(
        versions: [Int] = [13, 13],
        positions: BeaconFrame.Positions = .halves,
        cycle: ScanCycle = .quick.withoutNotifications
    ) -> [OverflowPhone<OverflowDemo>] {
        let phones = (0..<2).map { number in
            OverflowPhone.demo(
                "phone \(number)",
                in: air,
                version: versions[number],
                payload: Self.payloads[number],
                positions: positions,
                cycle: cycle
            )
        }
        air.run(for: .seconds(1))
        for phone in phones { phone.app.enterBackground() }
        return phones
    }

    @Test("Both in the background with lit screens, each logs the other's payload, and nothing else")
    func bothInBackground() throws {
        let phones = two()
        try air.run(until: phones.allSatisfy { !$0.readings.isEmpty }, within: .seconds(600))
        air.run(for: .seconds(120))
        for (phone, other) in zip(phones, phones.reversed()) {
            #expect(phone.readings.allSatisfy { $0.payload == other.it.payload })
            #expect(phone.texts.contains("I just read beacon bytes: \(other.it.payload.map(Int.init))"))
            #expect(phone.it.state.neighbours.map(\.payload) == [other.it.payload])
            #expect(phone.app.state == .background && phone.app.overflowObstacle == nil)
        }
    }

    @Test("Who is stopped while Bluetooth is off sends nothing when it is on again")
    func stoppedWhileOff() {
        let phone = OverflowPhone.demo("phone", in: air)
        air.run(for: .seconds(1))
        phone.app.enterBackground()
        air.run(for: .seconds(1))
        #expect(phone.phone.service.overflowMaskOnAir != nil)
        air.switchPower(false, of: phone.phone)
        air.run(for: .seconds(1))
        phone.it.stop()
        air.switchPower(true, of: phone.phone)
        air.run(for: .seconds(2))
        #expect(
            phone.phone.service.overflowMaskOnAir == nil
                && !phone.phone.service.misuse.contains { $0.kind == .notPoweredOn }
        )
        phone.it.start()
        air.run(for: .seconds(1))
        #expect(phone.phone.service.overflowMaskOnAir != nil)
    }

    @Test(
        "With dark screens neither hears anything, however long it takes; with one dark screen only the other one does"
    )
    func dark() throws {
        let phones = two()
        for phone in phones { phone.phone.isScreenOn = false }
        let before = phones.map { $0.it.state.neighbours.map(\.sightings) }
        air.run(for: .seconds(1_800))
        #expect(phones.allSatisfy { $0.readings.isEmpty })
        #expect(phones.map { $0.it.state.neighbours.map(\.sightings) } == before)
        #expect(phones[0].app.overflowObstacle == .darkScreen)
        phones[0].phone.isScreenOn = true
        try air.run(until: !phones[0].readings.isEmpty, within: .seconds(600))
        #expect(phones[1].readings.isEmpty)
    }

    @Test("Without ranging beacons an app in the background hears nothing; the other one still does")
    func noRanging() {
        let phones = two()
        phones[0].app.rangesBeacons = false
        air.run(for: .seconds(4))
        #expect(phones[0].app.overflowObstacle == .noRanging)
        air.run(for: .seconds(600))
        #expect(phones[0].readings.isEmpty && !phones[1].readings.isEmpty)
    }

    @Test("On the screen every advertisement counts: the payload comes one rotation after the first contact")
    func onScreen() throws {
        let payload = Self.payloads[1]
        let sender = OverflowPhone.demo("sender", in: air, payload: payload)
        sender.app.enterBackground()
        air.run(for: .seconds(2))
        let phone = OverflowPhone.demo("receiver", in: air, cycle: .quick.withoutNotifications)
        try air.run(until: !phone.readings.isEmpty, within: .seconds(12))
        let heard = phone.lines.filter { !$0.text.hasPrefix("emitting") && !$0.text.hasPrefix("warning") }
        #expect(
            heard[0].text
                == "searching for pattern match in overflow area advertisement AACAFE007F0000000000000000000000"
        )
        #expect(heard[1].text == "position 0 has not been seen empty yet; ignoring what is there")
        #expect(
            heard.suffix(2).map(\.text) == [
                "searching for pattern match in overflow area advertisement 0000000000000000AACAFE007F000000",
                "I just read beacon bytes: [202, 254, 0, 127]",
            ]
        )
        #expect(heard[heard.count - 1].time - heard[0].time < .seconds(6.1))
        air.run(for: .seconds(60))
        #expect(phone.readings.count > 30)
        #expect(phone.readings.allSatisfy { $0.payload == payload })
        // On the screen a phone puts one of the services into the advertisement itself, so its matching byte is not whole.
        sender.app.enterForeground()
        air.run(for: .seconds(1))
        let before = phone.readings.count
        air.run(for: .seconds(60))
        #expect(phone.readings.count == before)
        #expect(phone.it.state.neighbours.map(\.verdict) == [.notFound])
    }

    @Test("What is sent: the first position first, then one after the other every five seconds, with the exact bytes")
    func rotation() throws {
        let listener = AirListener(in: air.world)
        let phone = OverflowPhone.demo("phone", in: air)
        phone.app.enterBackground()
        air.run(for: .seconds(31))
        let sent = phone.lines.filter { $0.text.hasPrefix("emitting overflow area advertisement ") }
        #expect(
            sent.map { $0.text.suffix(32) }
                == (0..<7).map {
                    $0 % 2 == 0 ? "AA010203040000000000000000000000" : "0000000000000000AA01020304000000"
                }
        )
        #expect(zip(sent.dropFirst(2), sent.dropFirst()).allSatisfy { $0.time - $1.time == .seconds(5) })
        let heard = listener.reports.filter { $0.time > .zero + .seconds(6) }
        #expect(heard.count > 15)
        for (report, time) in heard {
            let position = Int(Double(time.nanoseconds) / 5e9) % 2
            let expected = ["558040C0200000000000000000000000", "0000000000000000558040C020000000"][position]
            #expect(report.data == hex("02 01 1A 14 FF 4C 00 01") + hex(expected), "at \(time)")
        }
    }

    @Test("From iOS 14 on the payload stays where it was when the app left the screen, and is never believed")
    func version14() throws {
        let phones = two(versions: [14, 13])
        air.run(for: .seconds(4))
        let onAir = phones[0].phone.service.overflowMaskOnAir
        #expect(onAir == phones[0].it.beacon.frame?.mask(at: 0).bytes(.air))
        for _ in 0..<30 {
            air.run(for: .seconds(10))
            #expect(phones[0].phone.service.overflowMaskOnAir == onAir)
        }
        #expect(phones[1].readings.isEmpty)
        #expect(phones[1].it.state.neighbours.map(\.readings) == [0])
        #expect(!phones[0].readings.isEmpty, "it still reads those that can change what they send")
        // On the screen and back: what was wanted last.
        phones[0].app.enterForeground()
        air.run(for: .seconds(4))
        let wanted = phones[0].it.state.sent?.bytes(.air)
        phones[0].app.enterBackground()
        air.run(for: .seconds(10))
        #expect(phones[0].phone.service.overflowMaskOnAir == wanted)
    }

    @Test("A bit that another app sets spoils one bank, and the payload is read from the other")
    func pollution() throws {
        let phones = (0..<2).map {
            OverflowPhone.demo("phone \($0)", in: air, payload: Self.payloads[$0], cycle: .quick.withoutNotifications)
        }
        // In the payload of the second position.
        phones[0].pollute(8 * 9 + 7)
        for phone in phones { phone.app.enterBackground() }
        phones[1].app.enterForeground()
        air.run(for: .seconds(60))
        #expect(!phones[1].readings.isEmpty)
        #expect(phones[1].readings.allSatisfy { $0.payload == [1, 2, 3, 4] })
        let neighbour = try #require(phones[1].it.state.neighbours.first)
        #expect(neighbour.statuses == [.unpolluted, .polluted])
        #expect(phones[1].texts.contains { $0.contains("position 1 is polluted") })
    }

    @Test(
        "That a payload uses the watch's bit is said; positions that spare watches work as well, without it on the air"
    )
    func watches() throws {
        let usual = OverflowPhone.demo("usual", in: air)
        #expect(usual.texts.count { $0.hasPrefix("warning: bit 69") } == 1)
        usual.it.stop()
        let listener = AirListener(in: air.world)
        let phones = two(positions: .sparingWatches)
        #expect(phones.allSatisfy { phone in !phone.texts.contains { $0.hasPrefix("warning") } })
        try air.run(until: phones.allSatisfy { !$0.readings.isEmpty }, within: .seconds(600))
        let masks = listener.reports.compactMap { OverflowMask(advertisement: $0.report.data) }
        #expect(masks.count > 5 && masks.allSatisfy { !$0.contains(.watchSetup) })
    }
}

@Suite("A beacon is started and stopped", .air)
struct BeaconManagerTests {
    private let air = Air.current

    @Test("To stop ends everything at once, and nothing is sent again by an old timer")
    func stop() {
        let phone = OverflowPhone.demo("phone", in: air)
        air.run(for: .seconds(2))
        phone.it.beacon.stopAdvertising()
        air.run(for: .milliseconds(100))
        #expect(!phone.it.beacon.peripheralManager.isAdvertising && phone.it.state.sent == nil)
        let count = phone.lines.count
        air.run(for: .seconds(20))
        #expect(!phone.it.beacon.peripheralManager.isAdvertising)
        #expect(phone.texts.dropFirst(count).allSatisfy { !$0.hasPrefix("emitting") })
    }

    @Test("A new start replaces what is sent, in all positions, and begins with the first one, five seconds long")
    func restart() {
        let phone = OverflowPhone.demo("phone", in: air)
        air.run(for: .seconds(7))
        let count = phone.lines.count
        phone.it.beacon.startAdvertising(beaconBytes: [9, 9, 9, 9])
        air.run(for: .seconds(11))
        let sent = phone.lines.dropFirst(count).filter { $0.text.hasPrefix("emitting") }
        #expect(
            sent.map { String($0.text.suffix(32)) } == [
                "AA090909090000000000000000000000", "0000000000000000AA09090909000000",
                "AA090909090000000000000000000000",
            ]
        )
        #expect(sent.map(\.time) == [.seconds(7), .seconds(12), .seconds(17)])
    }

    @Test("Without rotation the payload stays in the first position")
    func noRotation() {
        let phone = OverflowPhone.demo("phone", in: air)
        air.run(for: .seconds(1))
        phone.it.beacon.startAdvertising(beaconBytes: [9], rotate: false)
        let count = phone.lines.count
        air.run(for: .seconds(30))
        #expect(phone.it.beacon.position == 0 && phone.texts.dropFirst(count).allSatisfy { !$0.hasPrefix("emitting") })
    }

    @Test("A payload that is too long, and a matching byte of zero, are refused with a reason")
    func refused() {
        let phone = OverflowPhone.demo("phone", in: air)
        #expect(!phone.it.beacon.startAdvertising(beaconBytes: [UInt8](repeating: 1, count: 8)))
        #expect(phone.texts.last == "cannot send 8 bytes: there is room for 7")
        #expect(phone.it.beacon.frame?.payload == [1, 2, 3, 4], "what is sent goes on")
        phone.it.beacon.matchingByte = 0
        #expect(!phone.it.beacon.startAdvertising(beaconBytes: [1]))
        #expect(phone.texts.last == "cannot send: the matching byte must not be zero")
    }

    @Test("Switching Bluetooth off and on again, the payload is sent and looked for again")
    func power() throws {
        let phones = (0..<2).map { OverflowPhone.demo("phone \($0)", in: air, cycle: .quick.withoutNotifications) }
        air.run(for: .seconds(2))
        air.switchPower(false, of: phones[0].phone)
        air.run(for: .seconds(8))
        #expect(!phones[0].it.state.isScanning)
        air.switchPower(true, of: phones[0].phone)
        phones[1].app.enterBackground()
        try air.run(until: !phones[0].readings.isEmpty, within: .seconds(30))
        #expect(phones[0].it.state.isScanning && phones[0].it.beacon.peripheralManager.isAdvertising)
    }
}
