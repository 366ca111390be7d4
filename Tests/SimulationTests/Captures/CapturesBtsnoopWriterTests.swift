import BluethroatByteCoding
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("btsnoop")
struct CapturesBtsnoopWriterTests {
    @Test("The header says version 1 and H4")
    func header() {
        var out: [UInt8] = []
        BtsnoopWriter(epoch: .unix).writeHeader(into: &out)
        #expect(out.hex == "6274736e6f6f7000" + "00000001" + "000003ea")
    }

    @Test("A command and its answer, byte for byte")
    func records() {
        var out: [UInt8] = []
        // 2000-01-01 00:00 UTC, which Android's sources know as 0x00E03AB44A676000.
        let writer = BtsnoopWriter(epoch: CaptureEpoch(unixNanoseconds: 946_684_800_000_000_000))
        writer.write(hci: [0x01, 0x03, 0x0C, 0x00], direction: .hostToController, at: .zero, into: &out)
        writer.write(
            hci: [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00],
            direction: .controllerToHost,
            at: Instant(nanoseconds: 1_999),
            into: &out
        )
        #expect(
            out.hex
                == digits(
                    """
                    00000004 00000004 00000002 00000000 00e03ab44a676000 01030c00 \
                    00000007 00000007 00000003 00000000 00e03ab44a676001 040e0401030c00
                    """
                )
        )
    }

    @Test("Data is told from commands and events, and losses are counted on")
    func flags() {
        var out: [UInt8] = []
        var writer = BtsnoopWriter(epoch: .unix)
        writer.droppedPackets = 7
        writer.write(hci: [0x02, 0x40, 0x00, 0x00, 0x00], direction: .hostToController, at: .zero, into: &out)
        writer.write(hci: [0x02, 0x40, 0x20, 0x00, 0x00], direction: .controllerToHost, at: .zero, into: &out)
        #expect(out[8..<24].map { $0 } == [0, 0, 0, 0, 0, 0, 0, 7, 0, 0xDC, 0xDD, 0xB3, 0x0F, 0x2F, 0x80, 0])
        #expect(out[29 + 8..<29 + 12].map { $0 } == [0, 0, 0, 1])
    }
}
