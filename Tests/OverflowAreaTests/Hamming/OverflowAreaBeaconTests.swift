import BluethroatAppEnvironment
import BluethroatOverflowArea
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatTesting
import BluethroatVirtualTime
import CoreBluetooth
import Foundation
import Testing

@Suite("Beacons with a code word", .air)
struct OverflowAreaBeaconTests {
    private let air = Air.current

    private final class Ear: OverflowAreaBeaconDelegate {
        var heard: [(major: UInt16, minor: UInt16, distance: Double, type: String)] = []

        func didDetectBeacon(
            type: String,
            major: UInt16,
            minor: UInt16,
            rssi: Int,
            proximityUuid: UUID,
            distance: Double
        ) {
            heard.append((major, minor, distance, type))
        }
    }

    private func beacon(_ minor: UInt16, version: Int = 16, at place: Place = .immediate) -> OverflowPhone<
        OverflowAreaBeacon
    > {
        let phone = OverflowPhone("phone \(minor)", in: air, at: place, version: version) { clock, surroundings in
            OverflowAreaBeacon(minor: minor, cycle: .quick, clock: clock, surroundings: surroundings)
        }
        phone.it.log = { [unowned phone] in phone.say($0) }
        return phone
    }

    @Test("Who is stopped while Bluetooth is off sends nothing when it is on again, on the screen and off it")
    func stoppedWhileOff() throws {
        for isOnScreen in [true, false] {
            let phone = beacon(isOnScreen ? 1 : 2)
            air.run(for: .seconds(1))
            #expect(phone.it.startTx())
            air.run(for: .seconds(1))
            if !isOnScreen { phone.app.enterBackground() }
            let listener = AirListener(in: air.world)
            var count = 0
            listener.heard = { report, _ in
                if report.address == air.world.publicAddress(of: phone.phone.device) { count += 1 }
            }
            air.run(for: .seconds(5))
            #expect(count > 0)
            air.switchPower(false, of: phone.phone)
            air.run(for: .seconds(1))
            #expect(phone.it.stopTx())
            air.switchPower(true, of: phone.phone)
            air.run(for: .seconds(1))
            count = 0
            air.run(for: .seconds(5))
            #expect(count == 0 && !phone.phone.service.misuse.contains { $0.kind == .notPoweredOn })
        }
    }

    @Test("In the background of today's iOS they find each other, though another app sets a bit in the code word")
    func background() throws {
        let phones = [beacon(1234), beacon(4321, at: .metres(0, y: 1))]
        let ears = [Ear(), Ear()]
        phones[0].pollute(66)
        air.run(for: .seconds(1))
        for (phone, ear) in zip(phones, ears) {
            #expect(phone.it.startTx() && phone.it.startScanning(delegate: ear))
        }
        air.run(for: .seconds(1))
        for phone in phones { phone.app.enterBackground() }
        try air.run(until: ears.allSatisfy { !$0.heard.isEmpty }, within: .seconds(120))
        air.run(for: .seconds(120))
        #expect(ears[0].heard.allSatisfy { ($0.major, $0.minor, $0.type) == (1, 4321, "OverflowArea") })
        #expect(ears[1].heard.allSatisfy { ($0.major, $0.minor) == (1, 1234) && (0.02...1).contains($0.distance) })
        #expect(
            phones[0].it.screen.prefix(3) == [
                "This device major: 1 minor: 1234", "Error condition: None known", "I detect 1 beacons",
            ]
        )
        #expect(phones[0].it.screen[3].hasPrefix("major: 1, minor:4321, rssi: -"))
        #expect(phones[0].it.screen[3].hasSuffix(" (OverflowArea)"))
        #expect(phones[1].it.state.neighbours.map(\.payload) == [[0, 1, 4, 210]])
        #expect(phones[0].app.notifications.last?.title == "Scanning OverflowArea beacons")
    }

    @Test("With a BCH code word they find each other in spite of fourteen bits that another app sets")
    func manyForeignBits() throws {
        let phones = [UInt16(1234), 4321].map { minor in
            OverflowPhone("phone \(minor)", in: air, version: 16) { clock, surroundings in
                OverflowAreaBeacon(minor: minor, code: .bch, cycle: .quick, clock: clock, surroundings: surroundings)
            }
        }
        let ears = [Ear(), Ear()]
        let sent = try #require(OverflowCode.bch.mask(of: [0, 1, 4, 210]))
        let foreign = (0..<128).compactMap { OverflowBit(index: $0) }.filter { !sent.contains($0) }.suffix(14)
        phones[0].pollute(foreign.map(\.index))
        air.run(for: .seconds(1))
        for (phone, ear) in zip(phones, ears) {
            #expect(phone.it.startTx() && phone.it.startScanning(delegate: ear))
        }
        air.run(for: .seconds(1))
        for phone in phones { phone.app.enterBackground() }
        try air.run(until: ears.allSatisfy { !$0.heard.isEmpty }, within: .seconds(120))
        air.run(for: .seconds(120))
        #expect(ears[0].heard.allSatisfy { ($0.major, $0.minor) == (1, 4321) })
        #expect(ears[1].heard.allSatisfy { ($0.major, $0.minor) == (1, 1234) })
        #expect(phones[1].it.state.neighbours.map(\.payload) == [[0, 1, 4, 210]])
        #expect(
            phones[1].it.state.neighbours[0].mask == sent.union(foreign.reduce(into: OverflowMask()) { $0.insert($1) })
        )
    }

    @Test("On the screen it is an iBeacon, a tenth of a second later; its code word is then behind that, and is read")
    func foreground() throws {
        let listener = AirListener(in: air.world)
        let phones = [beacon(7), beacon(8, at: .near)]
        let ear = Ear()
        air.run(for: .seconds(1))
        #expect(air.now == .seconds(1))
        #expect(phones[0].it.startTx() && phones[1].it.startScanning(delegate: ear))
        try air.run(until: ear.heard.contains { $0.minor == 7 }, within: .seconds(10))
        air.run(for: .seconds(5))
        let iBeacon =
            hex("02 01 1A 1A FF 4C 00 02 15 2F234454CF6D4A0FADF2F4911BA9FFA6") + [0, 1, 0, 7, UInt8(bitPattern: -59)]
        let sent = listener.reports.filter { $0.report.data == iBeacon }
        #expect(sent.count > 20 && sent.allSatisfy { $0.time.sinceStart >= .milliseconds(1_100) })
        #expect(phones[1].it.state.neighbours[0].verdict == .believed)
        #expect(phones[0].it.stopTx() && !phones[0].it.stopTx())
        phones[1].it.stopScanning()
        air.run(for: .seconds(1))
        let count = listener.reports.count
        air.run(for: .seconds(3))
        #expect(listener.reports.count == count && !phones[1].it.state.isScanning)
    }

    @Test(
        "On the screen and without an iBeacon the first service stands in the advertisement itself, and is not missed"
    )
    func filler() throws {
        let frame = try #require(HammingFrame([0, 1, 0, 7]))
        var mask = frame.mask
        let first = try #require(mask.bits.first)
        #expect(first.index == 0)
        mask.remove(first)
        #expect(HammingFrame.read(mask) == .payload([0, 1, 0, 7], corrected: nil))
    }

    @Test("It can be made somebody else, at once")
    func configure() throws {
        let phone = beacon(7)
        air.run(for: .seconds(1))
        #expect(phone.it.startTx())
        phone.it.configure(
            iBeaconUuid: UUID(),
            overflowMatchingByte: 0x5A,
            major: 0x1234,
            minor: 0xFFFF,
            measuredPower: -50
        )
        let sent = try #require(phone.it.state.sent)
        #expect(HammingFrame.read(sent, matchingByte: 0x5A) == .payload([0x12, 0x34, 0xFF, 0xFF], corrected: nil))
        #expect(HammingFrame.read(sent) == .notFound)
    }

    @Test("What stands against it is said")
    func conditions() {
        let phone = beacon(7)
        #expect(phone.it.errorCondition == .bluetoothOff && !phone.it.startTx())
        air.run(for: .seconds(1))
        #expect(phone.it.errorCondition == nil)
        phone.app.permissions = [.location, .locationAlways]
        #expect(phone.it.errorCondition?.rawValue == "Notification permission denied")
        phone.app.permissions = [.location, .notifications]
        #expect(phone.it.errorCondition?.rawValue == "Location permission not set to always")
        phone.app.permissions = []
        #expect(phone.it.errorCondition?.rawValue == "Location disabled in settings")
        #expect(!phone.it.startTx() && !phone.it.startScanning(delegate: Ear()))
        #expect(phone.it.screen[1] == "Error condition: Location disabled in settings")
        phone.app.permissions = .all
        air.switchPower(false, of: phone.phone)
        air.run(for: .seconds(1))
        #expect(phone.it.errorCondition?.rawValue == "Bluetooth off")
        air.switchPower(true, of: phone.phone)
        phone.app.authorization = .denied
        air.run(for: .seconds(1))
        #expect(phone.it.errorCondition?.rawValue == "Bluetooth permission denied")
    }
}
