import BluethroatAirPackets
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@Suite("CRC-24")
struct CRC24Tests {
    /// The specification's drawing, bit by bit: 24 positions, data enters with what leaves position 23.
    static func drawing(_ bytes: [UInt8], initial: UInt32) -> UInt32 {
        var register = initial
        for byte in bytes {
            for bit in 0..<8 {
                let feedback = register >> 23 & 1 ^ UInt32(byte >> bit & 1)
                register = register << 1 & 0xFF_FFFF
                if feedback == 1 { register ^= 0x00_065B }
            }
        }
        // Position 23 goes first on the air, into the lowest bit of the first byte.
        return (0..<24).reduce(0) { $0 | (register >> (23 - $1) & 1) << $1 }
    }

    @Test("The catalogued check value of CRC-24/BLE, over the digits 1 to 9, is 0xC25A56")
    func catalogue() {
        #expect(CRC24.checksum(of: Array("123456789".utf8).span.bytes, initial: .advertising) == 0xC2_5A56)
    }

    @Test("ADV_IND of the address of zeros ends in 5A 39 60, as other stacks frame it")
    func shortestAdvertisement() {
        let pdu: [UInt8] = [0x00, 0x06, 0, 0, 0, 0, 0, 0]
        #expect(CRC24.checksum(of: pdu.span.bytes, initial: .advertising) == 0x60_395A)
    }

    @Test("A PDU of 236 bytes ends in 49 FC CF, as other stacks frame it")
    func longPDU() {
        let pdu = [0x05, 0xEA] + [UInt8](repeating: 0, count: 34) + [UInt8](repeating: UInt8(ascii: "X"), count: 200)
        #expect(CRC24.checksum(of: pdu.span.bytes, initial: .advertising) == 0xCF_FC49)
    }

    @Test("Tables and the specification's drawing agree at every length and preset")
    func agreement() {
        var random = SeededRandom(seed: 1, purpose: "crc")
        for length in 0...260 {
            let bytes = random.bytes(length)
            let initial = CRCInit(UInt32(truncatingIfNeeded: random.next()))
            #expect(
                CRC24.checksum(of: bytes.span.bytes, initial: initial)
                    == Self.drawing(bytes, initial: initial.rawValue),
                "length \(length)"
            )
        }
    }

    @Test("A preset has 24 bits and travels least significant byte first")
    func preset() throws {
        #expect(CRCInit(0xFF12_3456).rawValue == 0x12_3456)
        var out: [UInt8] = []
        CRCInit(0x12_3456).write(to: &out)
        #expect(out == [0x56, 0x34, 0x12])
        var bytes = out.span.bytes
        #expect(try CRCInit(parsing: &bytes) == CRCInit(0x12_3456))
    }
}
