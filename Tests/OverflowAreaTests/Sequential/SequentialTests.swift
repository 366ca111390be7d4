import BluethroatAppEnvironment
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatOverflowAnalyser
import BluethroatOverflowArea
import BluethroatPhones
import BluethroatTesting
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("Every service, one after the other", .air)
struct SequentialTests {
    private let air = Air.current

    private func sequential(
        _ name: String,
        at place: Place = .immediate,
        version: Int = 13,
        from first: ServiceCounter = ServiceCounter()
    ) -> OverflowPhone<SequentialAdvertiser> {
        let phone = OverflowPhone(name, in: air, at: place, version: version) { clock, surroundings in
            SequentialAdvertiser(from: first, clock: clock, surroundings: surroundings)
        }
        phone.it.log = { [unowned phone] in phone.say($0) }
        phone.it.start()
        return phone
    }

    /// What is learnt from everything that a host hears.
    private func analyse() -> (
        listener: AirListener, analyser: () -> OverflowAnalyser, findings: () -> [OverflowAnalyser.Finding]
    ) {
        let listener = AirListener(in: air.world)
        final class Box {
            var analyser = OverflowAnalyser()
            var findings: [OverflowAnalyser.Finding] = []
        }
        let box = Box()
        listener.heard = { report, time in
            box.findings += box.analyser.hear(
                report.data,
                from: report.address.description,
                rssi: report.signalStrength.map { Int($0.dBm) },
                at: Double(time.nanoseconds) / 1e9
            )
        }
        return (listener, { box.analyser }, { box.findings })
    }

    @Test("Who is stopped while Bluetooth is off sends nothing when it is on again")
    func stoppedWhileOff() {
        let phone = sequential("phone")
        phone.app.enterBackground()
        air.run(for: .seconds(5))
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
    }

    @Test("One a second from zero, only in the background, with nothing else")
    func seconds() {
        let phone = sequential("phone")
        air.run(for: .seconds(10))
        #expect(phone.lines.isEmpty && phone.it.current == nil)
        phone.app.enterBackground()
        air.run(for: .seconds(12))
        #expect(
            phone.texts
                == (0..<12).map {
                    "Advertising 00000000-0000-0000-0000-0000000000" + ($0 < 16 ? "0" : "")
                        + String($0, radix: 16, uppercase: true)
                }
        )
        #expect(zip(phone.lines.dropFirst(), phone.lines).allSatisfy { $0.time - $1.time == .seconds(1) })
        phone.app.enterForeground()
        air.run(for: .seconds(5))
        #expect(phone.lines.count == 12)
        phone.app.enterBackground()
        air.run(for: .seconds(3))
        #expect(phone.texts.last == "Advertising 00000000-0000-0000-0000-00000000000E")
        air.switchPower(false, of: phone.phone)
        air.run(for: .seconds(5))
        #expect(phone.lines.count == 15)
        phone.it.stop()
        air.switchPower(true, of: phone.phone)
        air.run(for: .seconds(5))
        #expect(phone.lines.count == 15 && phone.it.state.sent == nil)
    }

    @Test("The count carries from byte to byte, and goes from the last to zero")
    func wrap() {
        for (before, after) in [
            ("00000000-0000-0000-0000-0000000000FF", "00000000-0000-0000-0000-000000000100"),
            ("00000000-0000-00FF-FFFF-FFFFFFFFFFFF", "00000000-0000-0100-0000-000000000000"),
            ("FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "00000000-0000-0000-0000-000000000000"),
            ("00000000-0000-0000-0000-000000000009", "00000000-0000-0000-0000-00000000000A"),
        ] {
            var counter = ServiceCounter(from: CBUUID(string: before))
            counter.advance()
            #expect(counter.service.uuidString == after)
        }
        let last = ServiceCounter(from: CBUUID(string: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"))
        let phone = sequential("phone", from: last)
        phone.app.enterBackground()
        air.run(for: .seconds(2))
        #expect(
            phone.texts == [
                "Advertising FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "Advertising 00000000-0000-0000-0000-000000000000",
            ]
        )
    }

    @Test("From the air alone 128 of 128 are found, of two phones at once, and it is the table that everybody knows")
    func twoPhones() throws {
        let it = analyse()
        let one = sequential("one", at: .metres(0.4))
        air.run(for: .milliseconds(400))
        let two = sequential("two", at: .metres(0, y: 0.3))
        one.app.enterBackground()
        air.run(for: .milliseconds(1_300))
        two.app.enterBackground()
        try air.run(until: it.analyser().isComplete(senders: 2), within: .seconds(400))
        for sender in it.analyser().senders {
            #expect(sender.table.map(\.uuid) == OverflowRow.all.map(\.service))
            #expect(sender.alignment == .asCounted)
        }
        let complete = it.findings().filter { if case .complete = $0 { true } else { false } }
        #expect(complete.count == 2)
    }

    @Test("The same with phones that count in step, and with one packet in five lost")
    func losses() throws {
        let it = analyse()
        air.setLossEverywhere(0.2)
        let phones = [sequential("one", at: .metres(0.4)), sequential("two", at: .metres(0, y: 0.3))]
        for phone in phones { phone.app.enterBackground() }
        try air.run(until: it.analyser().isComplete(senders: 2), within: .seconds(1_200))
        // What was missed at first is found with a later service that has the same bit.
        for sender in it.analyser().senders {
            for entry in sender.table {
                #expect(OverflowBit(of: CBUUID(string: entry.uuid)).index == entry.index)
            }
        }
        #expect(it.findings().contains { if case .missingChange = $0 { true } else { false } })
    }

    @Test("A phone from iOS 14 on does not change what it sends, and phones that are too far away do not count")
    func nothing() {
        let it = analyse()
        let stuck = sequential("stuck", version: 14), far = sequential("far", at: .near)
        for phone in [stuck, far] { phone.app.enterBackground() }
        air.run(for: .seconds(30))
        #expect(it.analyser().senders.count == 1 && it.analyser().senders[0].entries.count == 1)
        #expect(it.analyser().weakCount > 10)
        #expect(it.findings().count == 2)
        if case .missingChange(let seconds, 0)? = it.findings().last {
            #expect(seconds < 3)
        } else {
            Issue.record("\(it.findings())")
        }
    }
}
