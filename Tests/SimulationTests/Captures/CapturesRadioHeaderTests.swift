import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("The radio header of captured frames")
struct CapturesRadioHeaderTests {
    /// The ten bytes of a header, taken out of a packet block.
    func bytes(of header: RadioHeader) -> [UInt8] {
        var out: [UInt8] = []
        var writer = PCAPNGWriter(epoch: .unix)
        let air = writer.addInterface(
            .bluetoothLELinkLayerWithRadioHeader,
            name: "air",
            description: "",
            into: &out
        )
        out = []
        writer.write(frame: [], header: header, on: air, at: .zero, into: &out)
        return Array(out[28..<38])
    }

    @Test("Channels are counted by frequency: 37 is 0, 38 is 12, 39 is 39, data channels fill the gaps")
    func channels() throws {
        var numbers: [UInt8] = []
        for index in UInt8(0)..<40 {
            numbers.append(bytes(of: RadioHeader(channel: try #require(ChannelIndex(index)), phy: .le1M))[0])
        }
        #expect(numbers == Array(1...11) + Array(13...38) + [0, 12, 39])
    }

    @Test("What nobody measured is zero and not flagged")
    func nothingKnown() throws {
        let header = RadioHeader(channel: try #require(ChannelIndex(37)), phy: .le1M)
        #expect(bytes(of: header) == [0, 0, 0, 0, 0, 0, 0, 0, 0x01, 0x00])
    }

    @Test("Each thing known sets its flag")
    func flags() throws {
        var header = RadioHeader(channel: try #require(ChannelIndex(37)), phy: .le2M)
        #expect(bytes(of: header)[8...] == [0x01, 0x40])
        header.signal = SignalStrength(dBm: -1)
        #expect(bytes(of: header) == [0, 0xFF, 0, 0, 0, 0, 0, 0, 0x03, 0x40])
        header.noise = SignalStrength(dBm: -100)
        #expect(bytes(of: header) == [0, 0xFF, 0x9C, 0, 0, 0, 0, 0, 0x07, 0x40])
        header.referenceAccessAddress = AccessAddress(rawValue: 0x1234_5678)
        header.accessAddressOffenses = 2
        #expect(bytes(of: header) == [0, 0xFF, 0x9C, 2, 0x78, 0x56, 0x34, 0x12, 0x37, 0x40])
        header.pduType = .dataPeripheralToCentral
        #expect(bytes(of: header)[8...] == [0xB7, 0x41])
        header.pduType = .dataCentralToPeripheral
        #expect(bytes(of: header)[8...] == [0x37, 0x41])
        header.crc = .wrong
        #expect(bytes(of: header)[8...] == [0x37, 0x45])
        header.crc = .right
        header.phy = .leCoded
        #expect(bytes(of: header)[8...] == [0x37, 0x8D])
    }
}
