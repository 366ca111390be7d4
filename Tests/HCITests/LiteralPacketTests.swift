import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import Testing

/// Samples against bytes put together by hand from the tables of Core 6.0, Vol 4, Part E, for the packets that Bumble
/// does not know; the others are compared with what Bumble writes.
@Suite("Packets from the specification")
struct LiteralPacketTests {
    /// 0x50 to 0x8F, as in the samples of a public key.
    static let publicKey = Samples.counting(64, from: 0x50).hex

    static let commands: [(Opcode, String)] = [
        (.readTransmitPowerLevel, "01 2D0C 03 420A 01"),
        (.hostNumberOfCompletedPackets, "01 350C 09 02 420A 0300 0100 0201"),
        (.readAuthenticatedPayloadTimeout, "01 7B0C 02 420A"),
        (.leSetHostChannelClassification, "01 1420 05 FEFF7F101F"),
        (
            .leEncrypt,
            "01 1720 20 202122232425262728292A2B2C2D2E2F 303132333435363738393A3B3C3D3E3F"
        ),
        (.leReadRFPathCompensation, "01 4C20 00"),
        (.leReadChannelMap, "01 1520 02 420A"),
        (.leGenerateDHKey, "01 2620 40" + publicKey),
        (.leGenerateDHKeyV2, "01 5E20 41" + publicKey + "01"),
        (.leRemoveDeviceFromResolvingList, "01 2820 07 01 1122334455C3"),
        (.leReadPeerResolvableAddress, "01 2B20 07 01 1122334455C3"),
        (.leReadLocalResolvableAddress, "01 2C20 07 01 1122334455C3"),
    ]

    @Test("Commands have the bytes of the specification", arguments: commands)
    func command(opcode: Opcode, text: String) throws {
        let command = try #require(Samples.commands.first { $0.opcode == opcode })
        #expect(command.packet().hex == (try #require([UInt8](hex: text))).hex)
    }

    @Test("RF path compensation is two signed numbers")
    func rfPathCompensation() {
        let command = LEWriteRFPathCompensation(transmit: UInt16(bitPattern: -25), receive: 0x0102)
        #expect(command.packet().hex == "014d2004e7ff0201")
    }

    static let returns: [(Opcode, String)] = [
        (.readTransmitPowerLevel, "00 420A EB"),
        (.writeAuthenticatedPayloadTimeout, "00 420A"),
        (.leEncrypt, "00 404142434445464748494A4B4C4D4E4F"),
        (.leReadChannelMap, "00 420A FEFF7F101F"),
        (.leReadPeerResolvableAddress, "00 1122334455C3"),
        (.leReadLocalResolvableAddress, "00 1122334455C3"),
    ]

    @Test("Return parameters have the bytes of the specification", arguments: returns)
    func returned(opcode: Opcode, text: String) throws {
        let sample = try #require(Samples.returns.first { $0.opcode == opcode })
        #expect(sample.bytes.hex == (try #require([UInt8](hex: text))).hex)
    }

    @Test("Return parameters that hold one number have it behind the status")
    func returnedNumbers() {
        let timeout = ReadAuthenticatedPayloadTimeoutReturn(connection: Samples.handle, timeout: 0x0BB8)
        #expect(timeout.bytes.hex == "00420ab80b")
        let compensation = LEReadRFPathCompensationReturn(transmit: 0x0102, receive: UInt16(bitPattern: -1))
        #expect(compensation.bytes.hex == "000201ffff")
    }

    static let events: [(UInt8, UInt8?, String)] = [
        (0x0E, nil, "04 0E 0C 02 1820 00 0102030405060708"),
        (0x57, nil, "04 57 02 420A"),
        (0x1A, nil, "04 1A 01 01"),
        (0x3E, 0x08, "04 3E 42 08 00" + publicKey),
        (0x3E, 0x09, "04 3E 22 09 00" + Samples.counting(32, from: 0x20).hex),
        (0x3E, 0x0B, "04 3E 12 0B 01 01 01 1122334455C3 FE AA998877665A BA"),
        (0x3E, 0x11, "04 3E 01 11"),
    ]

    @Test("Events have the bytes of the specification", arguments: events)
    func event(code: UInt8, subevent: UInt8?, text: String) throws {
        let event = try #require(
            Samples.events.first { $0.code.rawValue == code && $0.subevent?.rawValue == subevent }
        )
        #expect(event.packet().hex == (try #require([UInt8](hex: text))).hex)
    }

    @Test("Hardware Error and LE Scan Request Received have the bytes of the specification")
    func smallEvents() {
        #expect(Event.hardwareError(HardwareError(code: 0x42)).packet().hex == "04100142")
        let asked = LEScanRequestReceived(advertisingHandle: 0x1B, scanner: Samples.publicPeer)
        #expect(Event.leScanRequestReceived(asked).packet().hex == "043e09131b000d769be5c578")
    }
}
