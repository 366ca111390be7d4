import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Foundation
import Testing

/// Random bytes against every decoder of this layer: no trap, nothing but `DecodeError`, and what was understood
/// is written and understood again.
@Suite("Fuzz: air packets")
struct AirPacketsFuzzTests {
    static let inputs = ProcessInfo.processInfo.environment["BLUETHROAT_FUZZ_INPUTS"].flatMap(Int.init) ?? 100_000

    @Test("Random advertising PDUs, their lengths mostly right")
    func advertising() {
        var random = SeededRandom(seed: 6, purpose: "fuzz advertising")
        var understood = 0
        for _ in 0..<Self.inputs {
            var packet = random.bytes(2 + Int(random.next(below: 45)))
            if random.next(below: 8) != 0 { packet[1] = UInt8(packet.count - 2) }
            if random.next(below: 4) == 0 { Self.makeConnectIndication(&packet, random: &random) }
            var bytes = packet.span.bytes
            guard let pdu = try? AdvertisingPDU(parsing: &bytes) else { continue }
            understood += 1
            var out: [UInt8] = []
            pdu.write(to: &out)
            var again = out.span.bytes
            if out.count != packet.count || (try? AdvertisingPDU(parsing: &again)) != pdu {
                Issue.record("\(packet.hex) was read as \(pdu) and written as \(out.hex)")
            }
        }
        #expect(understood > Self.inputs / 5)
    }

    @Test("Random control PDUs, their lengths mostly right")
    func control() {
        var random = SeededRandom(seed: 7, purpose: "fuzz control")
        let lengths = [
            12, 8, 2, 23, 13, 1, 1, 2, 9, 9, 1, 1, 6, 2, 9, 24, 24, 3, 1, 1, 9, 9, 3, 3, 5, 3, 2, 1, 35, 2, 2,
        ]
        var understood = 0
        for _ in 0..<Self.inputs {
            let opcode = random.next(below: 34)
            var length = Int(random.next(below: 40))
            if opcode < lengths.count, random.next(below: 4) != 0 { length = lengths[Int(opcode)] }
            var packet = random.bytes(length)
            if !packet.isEmpty { packet[0] = UInt8(opcode) }
            var bytes = packet.span.bytes
            guard let pdu = try? ControlPDU(parsing: &bytes) else { continue }
            understood += 1
            var out: [UInt8] = []
            pdu.write(to: &out)
            var again = out.span.bytes
            if out.count != packet.count || (try? ControlPDU(parsing: &again)) != pdu {
                Issue.record("\(packet.hex) was read as \(pdu) and written as \(out.hex)")
            }
        }
        #expect(understood > Self.inputs / 5)
    }

    @Test("Random frames: whole ones are checked, the rest are refused")
    func frames() {
        var random = SeededRandom(seed: 8, purpose: "fuzz frames")
        for _ in 0..<Self.inputs {
            var frame = random.bytes(Int(random.next(below: 48)))
            if frame.count >= AirFrame.overhead, random.next(below: 2) == 0 {
                frame[5] = UInt8(frame.count - AirFrame.overhead)
            }
            guard AirFrame.isWellFormed(frame) else { continue }
            if AirFrame.hasValidCRC(frame, crcInit: .advertising) {
                Issue.record("a random CRC was right: \(frame.hex)")
            }
            AirFrame.renewCRC(of: &frame, crcInit: .advertising)
            if !AirFrame.hasValidCRC(frame, crcInit: .advertising) {
                Issue.record("a renewed CRC was wrong: \(frame.hex)")
            }
        }
    }

    /// Gives a packet the shape of CONNECT_IND with fields that are often allowed.
    static func makeConnectIndication(_ packet: inout [UInt8], random: inout SeededRandom) {
        packet = [0x05 | UInt8(random.next(below: 16)) << 4, 34] + random.bytes(34)
        packet[2 + 19] = UInt8(random.next(below: 10))
        packet.replaceSubrange(2 + 20..<2 + 22, with: [UInt8(random.next(below: 30)), 0])
        packet.replaceSubrange(2 + 22..<2 + 24, with: [UInt8(4 + random.next(below: 60)), 0])
        packet.replaceSubrange(2 + 24..<2 + 26, with: [UInt8(random.next(below: 4)), 0])
        packet.replaceSubrange(2 + 26..<2 + 28, with: [UInt8(random.next(below: 256)), 1])
    }
}
