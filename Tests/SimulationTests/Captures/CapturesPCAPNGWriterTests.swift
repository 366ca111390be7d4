import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("pcapng")
struct CapturesPCAPNGWriterTests {
    /// 2024-01-02 03:04:05.678901234 UTC when the world begins.
    static let epoch = CaptureEpoch(unixNanoseconds: 1_704_164_645_678_901_234)

    @Test("The section header is the draft's, byte for byte")
    func sectionHeader() {
        var out: [UInt8] = []
        PCAPNGWriter(epoch: .unix).writeSectionHeader(application: "Fob!1", into: &out)
        #expect(
            out.hex
                == digits(
                    """
                    0a0d0d0a 2c000000 4d3c2b1a 0100 0000 ffffffffffffffff \
                    0400 0500 466f622131000000 0000 0000 2c000000
                    """
                )
        )
    }

    @Test("An interface is described by link type, name, description and nanoseconds")
    func interfaceDescription() {
        var out: [UInt8] = []
        var writer = PCAPNGWriter(epoch: .unix)
        _ = writer.addInterface(.bluetoothHCIH4WithDirection, name: "hci0", description: "fob", into: &out)
        #expect(
            out.hex
                == digits(
                    """
                    01000000 30000000 c900 0000 00000000 0200 0400 68636930 0300 0300 666f6200 \
                    0900 0100 09000000 00000000 30000000
                    """
                )
        )
        out = []
        _ = writer.addInterface(.bluetoothLELinkLayerWithRadioHeader, name: "", description: "", into: &out)
        #expect(out[8..<10] == [0x00, 0x01])
    }

    @Test("A line of text is for Wireshark's dissector of syslog, with its severity in front")
    func message() {
        var out: [UInt8] = []
        var writer = PCAPNGWriter(epoch: .unix)
        let interface = writer.addInterface(.upperPDU, name: "apps", description: "", into: &out)
        #expect(out[8..<10] == [0xFC, 0x00])
        out = []
        writer.write(message: "hi", severity: 6, on: interface, at: Instant(nanoseconds: 5), into: &out)
        #expect(
            out.hex
                == digits(
                    """
                    06000000 38000000 00000000 00000000 05000000 16000000 16000000 \
                    000c 0008 7379736c6f67 0000 0000 0000 3c31343e 6869 0000 38000000
                    """
                )
        )
    }

    @Test("An HCI packet carries its direction big-endian, is padded, and counts nanoseconds from 1970")
    func hciPacket() {
        var out: [UInt8] = []
        var writer = PCAPNGWriter(epoch: Self.epoch)
        _ = writer.addInterface(.bluetoothHCIH4WithDirection, name: "a", description: "", into: &out)
        let second = writer.addInterface(.bluetoothHCIH4WithDirection, name: "b", description: "", into: &out)
        out = []
        let event: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
        writer.write(
            hci: event,
            direction: .controllerToHost,
            on: second,
            at: Instant(nanoseconds: 1_000_000_007),
            into: &out
        )
        let time = UInt64(1_704_164_646_678_901_241)
        let high = Self.littleEndian(UInt32(time >> 32)).hex
        let low = Self.littleEndian(UInt32(truncatingIfNeeded: time)).hex
        #expect(
            out.hex
                == digits(
                    """
                    06000000 38000000 01000000 \(high) \(low) 0b000000 0b000000 \
                    00000001 040e0401030c00 00 0200 0400 01000000 00000000 38000000
                    """
                )
        )
        out = []
        writer.write(hci: [1, 3, 12, 0], direction: .hostToController, on: second, at: .zero, into: &out)
        #expect(out[28..<36] == [0, 0, 0, 0, 1, 3, 12, 0])
        #expect(out[36..<44] == [2, 0, 4, 0, 2, 0, 0, 0])
    }

    @Test("A frame stands behind the radio's ten bytes")
    func frame() throws {
        var out: [UInt8] = []
        var writer = PCAPNGWriter(epoch: .unix)
        let air = writer.addInterface(
            .bluetoothLELinkLayerWithRadioHeader,
            name: "air",
            description: "",
            into: &out
        )
        out = []
        let frame = try #require([UInt8](hex: "d6be898e 0006000000000000 5a3960"))
        let header = RadioHeader(
            channel: try #require(ChannelIndex(38)),
            phy: .le1M,
            signal: SignalStrength(dBm: -60),
            referenceAccessAddress: .advertising,
            crc: .right
        )
        writer.write(frame: frame, header: header, on: air, at: Instant(nanoseconds: 5), comment: "hi", into: &out)
        #expect(
            out.hex
                == digits(
                    """
                    06000000 48000000 00000000 00000000 05000000 19000000 19000000 \
                    0c c4 00 00 d6be898e 330c d6be898e 0006000000000000 5a3960 000000 \
                    0100 0200 68690000 00000000 48000000
                    """
                )
        )
    }

    @Test("On LE Coded the coding indicator stands behind the access address", arguments: [nil, AirTime.Coding.s2])
    func coded(coding: AirTime.Coding?) throws {
        var out: [UInt8] = []
        var writer = PCAPNGWriter(epoch: .unix)
        let air = writer.addInterface(
            .bluetoothLELinkLayerWithRadioHeader,
            name: "air",
            description: "",
            into: &out
        )
        out = []
        let frame = [UInt8](1...12)
        let header = RadioHeader(channel: try #require(ChannelIndex(0)), phy: .leCoded, coding: coding)
        writer.write(frame: frame, header: header, on: air, at: .zero, into: &out)
        #expect(out[20] == 23)
        #expect(out[38..<51] == [1, 2, 3, 4, coding == .s2 ? 1 : 0, 5, 6, 7, 8, 9, 10, 11, 12])
    }

    @Test("Every length comes out in whole words, each block's length at both its ends")
    func blocks() {
        var out: [UInt8] = []
        var writer = PCAPNGWriter(epoch: Self.epoch)
        writer.writeSectionHeader(application: "x", into: &out)
        let hci = writer.addInterface(.bluetoothHCIH4WithDirection, name: "ab", description: "äöü", into: &out)
        for length in 0..<40 {
            writer.write(
                hci: [UInt8](repeating: 2, count: length),
                direction: .hostToController,
                on: hci,
                at: .zero,
                comment: length % 3 == 0 ? String(repeating: "c", count: length) : nil,
                into: &out
            )
        }
        var count = 0
        var bytes = out.span.bytes
        while bytes.byteCount > 0, let type = try? bytes.takeUInt32(), let length = try? bytes.takeUInt32() {
            #expect(length % 4 == 0)
            #expect((try? bytes.skip(Int(length) - 12)) != nil)
            #expect((try? bytes.takeUInt32()) == length)
            #expect(type == [0x0A0D_0D0A, 1][safe: count] ?? 6)
            count += 1
        }
        #expect(count == 42)
        #expect(bytes.byteCount == 0)
    }

    static func littleEndian(_ value: UInt32) -> [UInt8] {
        var out: [UInt8] = []
        out.appendUInt32(value)
        return out
    }
}

/// Hexadecimal digits without the spaces that make them readable.
func digits(_ text: String) -> String { text.filter { $0 != " " } }

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
