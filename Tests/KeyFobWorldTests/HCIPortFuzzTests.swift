import BluethroatByteCoding
import BluethroatHCI
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatKeyFobWorld
@testable import BluethroatLive

/// Hosts that have lost their minds, on the air of a key fob: whatever they send, the world goes on, and the next host
/// is served.
@Suite("Fuzz: the HCI port")
struct HCIPortFuzzTests {
    private static let inputs =
        ProcessInfo.processInfo.environment["BLUETHROAT_FUZZ_INPUTS"].flatMap(Int.init) ?? 20_000

    /// What a host in its right mind sends, so that what follows finds advertising, scans and connections to disturb.
    private static let sane: [[UInt8]] = [
        "01 03 0C 00", "01 01 0C 08 FF FF FF FF FF FF FF 3F", "01 01 20 08 FF FF FF FF 00 00 00 00",
        "01 06 20 0F A0 00 A0 00 00 00 00 00 00 00 00 00 00 07 00", "01 0A 20 01 01", "01 0A 20 01 00",
        "01 05 20 06 01 02 03 04 05 C6", "01 0B 20 07 01 10 00 10 00 00 00", "01 0C 20 02 01 00", "01 0C 20 02 00 00",
        "01 0D 20 19 10 00 10 00 00 00 0D 76 9B E5 C5 78 00 18 00 28 00 00 00 48 00 00 00 00 00", "01 0E 20 00",
        "01 13 20 0E 00 00 0A 00 20 00 00 00 64 00 00 00 00 00", "01 16 20 02 00 00", "01 1D 04 02 00 00",
        "01 22 20 06 00 00 FB 00 48 08", "01 06 04 03 00 00 13", "01 35 0C 05 01 00 00 01 00",
        "02 00 00 07 00 03 00 04 00 0A 03 00", "02 00 00 09 00 05 00 04 00 12 28 00 02 00",
        "02 00 20 07 00 03 00 04 00 02 05 02",
        "02 00 00 0C 00 08 00 05 00 12 01 04 00 06 00 10 00", "02 00 10 02 00 AA BB",
    ].map { [UInt8](hex: $0)! }

    /// One of those as it is, or damaged; a random command; random data. Always one H4 packet, as the port's framing
    /// lets nothing else through.
    private static func packet(_ random: inout SeededRandom) -> [UInt8] {
        var packet: [UInt8]
        switch random.next(below: 8) {
        case 0:
            let group: UInt64 = [0x20, 0x20, 0x20, 0x0C, 0x10, 0x04, 0x14, random.next(below: 256)].randomElement(
                using: &random
            )!
            packet = [1, UInt8(random.next(below: 128)), UInt8(group), 0] + random.bytes(Int(random.next(below: 70)))
        case 1:
            packet =
                [2, UInt8(random.next(below: 4)), UInt8(random.next(below: 64)), 0, 0]
                + random.bytes(Int(random.next(below: 300)))
        case 2:
            packet =
                [UInt8([3, 5, 1, 2].randomElement(using: &random)!), 0, 0, 0, 0]
                + random.bytes(Int(random.next(below: 8)))
        case 3, 4:
            packet = sane.randomElement(using: &random)!
            for _ in 0...random.next(below: 3) {
                packet[Int(1 + random.next(below: UInt64(packet.count - 1)))] = UInt8(truncatingIfNeeded: random.next())
            }
            if random.next(below: 4) == 0 { packet += random.bytes(Int(random.next(below: 12))) }
        default: packet = sane.randomElement(using: &random)!
        }
        switch packet[0] {
        case 1, 3: packet[3] = UInt8(truncatingIfNeeded: packet.count - 4)
        default:
            packet[3] = UInt8(truncatingIfNeeded: packet.count - 5)
            packet[4] = UInt8((packet.count - 5) >> 8)
        }
        return packet
    }

    @Test("Mad hosts do harm to nobody but themselves", arguments: [UInt64(1), 2, 3, 4])
    func madness(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "mad hosts")
        var options = KeyFobOptions()
        options.advertisesAtStart = true
        let world = KeyFobWorld(seed: seed, fob: .hardware(options), radio: .air(distance: 1), captures: nil) { _ in }
        world.start()
        var now = Instant.zero
        var malformed = 0
        var heard = 0
        for client in 0..<6 {
            world.attach(client) { packet in
                heard += 1
                // Whatever it answers is an event or data, and as long as it says.
                guard packet.count >= 3 else { return malformed += 1 }
                let length = packet[0] == 4 ? 3 + Int(packet[2]) : 5 + Int(packet[3]) + Int(packet[4]) << 8
                if packet[0] != 2, packet[0] != 4 { malformed += 1 } else if length != packet.count { malformed += 1 }
            }
        }
        for _ in 0..<Self.inputs / 4 {
            world.receive([Self.packet(&random)], from: Int(random.next(below: 6)))
            if random.next(below: 4) == 0 {
                now += random.span(upTo: .milliseconds(12))
                world.run(until: now)
            }
        }
        #expect(malformed == 0)
        #expect(heard > Self.inputs / 40)
        for client in 0..<6 { world.detach(client) }
        // The fob may be in a connection that it has to lose first (32 s at most), and then advertises for a while.
        now += .seconds(80)
        world.run(until: now)
        var answers: [[UInt8]] = []
        world.attach(9) { answers.append($0) }
        world.receive(
            [
                "01 03 0C 00", "01 01 0C 08 FF FF FF FF FF FF FF 3F", "01 0B 20 07 01 10 00 10 00 00 00",
                "01 0C 20 02 01 00",
            ].map { [UInt8](hex: $0)! },
            from: 9
        )
        world.obey(.word(.toggleAdvertising))
        now += .seconds(2)
        world.run(until: now)
        #expect(answers.first == [UInt8](hex: "04 0E 04 01 03 0C 00")! || answers.first?.prefix(2) == [0x04, 0x0E])
        #expect(answers.contains { $0.prefix(4) == [0x04, 0x3E, UInt8($0.count - 3), 0x02] }, "nobody hears the fob")
    }
}
