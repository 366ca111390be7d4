import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@Suite("Frames")
struct AirFrameTests {
    static let address = AccessAddress(rawValue: 0x5065_4A6B)
    static let preset = CRCInit(0xED_321C)

    @Test("A frame is access address, header, payload and CRC, in this order")
    func layout() {
        let payload: [UInt8] = [0xAA, 0xBB, 0xCC]
        let header = DataHeader(.start, sequenceNumber: true, moreData: true)
        let frame = AirFrame.make(
            accessAddress: Self.address,
            header: header,
            payload: payload.span.bytes,
            crcInit: Self.preset
        )
        #expect(frame.count == 12)
        #expect(frame[..<9] == [0x6B, 0x4A, 0x65, 0x50, 0x1A, 0x03, 0xAA, 0xBB, 0xCC])
        #expect(AirFrame.isWellFormed(frame))
        #expect(AirFrame.hasValidCRC(frame, crcInit: Self.preset))
        #expect(AirFrame.accessAddress(of: frame) == Self.address)
        #expect(AirFrame.dataHeader(of: frame).moreData)
        #expect(AirFrame.dataHeader(of: frame).length == 3)
        #expect(Array(frame[AirFrame.payloadRange(of: frame)]) == payload)
        #expect(Array(frame[AirFrame.pduRange(of: frame)]) == [0x1A, 0x03] + payload)
    }

    @Test("A known advertisement comes out byte for byte")
    func knownAdvertisement() {
        let pdu = AdvertisingPDU.advInd(
            advertiser: DeviceAddress(value: 0, kind: .public),
            data: [],
            supportsChannelSelection2: false
        )
        #expect(AirFrame.make(advertising: pdu).hex == "d6be898e" + "0006000000000000" + "5a3960")
    }

    @Test("Every length from 0 to 255 is built, checked and read back")
    func lengths() {
        var random = SeededRandom(seed: 5, purpose: "frames")
        for length in 0...255 {
            let payload = random.bytes(length)
            let frame = AirFrame.make(
                accessAddress: Self.address,
                header: DataHeader(.continuation),
                payload: payload.span.bytes,
                crcInit: Self.preset
            )
            #expect(AirFrame.isWellFormed(frame))
            #expect(AirFrame.hasValidCRC(frame, crcInit: Self.preset))
            #expect(Array(frame[AirFrame.payloadRange(of: frame)]) == payload)

            var appended = AirFrame.begin(accessAddress: Self.address, header: 0x0001, payloadCapacity: length)
            appended += payload
            AirFrame.finish(&appended, crcInit: Self.preset)
            #expect(appended == frame)
        }
    }

    @Test("One wrong bit anywhere after the access address is found by the CRC or the length")
    func damage() {
        let payload = [UInt8](0..<27)
        let frame = AirFrame.make(
            accessAddress: Self.address,
            header: DataHeader(.start),
            payload: payload.span.bytes,
            crcInit: Self.preset
        )
        for bit in 32..<frame.count * 8 {
            var damaged = frame
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(
                !AirFrame.isWellFormed(damaged) || !AirFrame.hasValidCRC(damaged, crcInit: Self.preset),
                "bit \(bit)"
            )
        }
        #expect(!AirFrame.hasValidCRC(frame, crcInit: CRCInit(0xED_321D)))
    }

    @Test("What is shorter or longer than its header says is not well formed")
    func malformed() {
        let frame = AirFrame.make(
            accessAddress: Self.address,
            header: DataHeader(.start),
            payload: [1, 2, 3].span.bytes,
            crcInit: Self.preset
        )
        for count in 0..<frame.count { #expect(!AirFrame.isWellFormed(Array(frame[..<count]))) }
        #expect(!AirFrame.isWellFormed(frame + [0]))
    }

    @Test("A frame sent again with other flags is as if built with them")
    func resending() {
        let payload = [UInt8](0..<27)
        let first = DataHeader(.start, sequenceNumber: true, moreData: true)
        let second = DataHeader(.start, nextExpectedSequenceNumber: true, sequenceNumber: true)
        var frame = AirFrame.make(
            accessAddress: Self.address,
            header: first,
            payload: payload.span.bytes,
            crcInit: Self.preset
        )
        AirFrame.setHeader(second.rawValue, of: &frame, crcInit: Self.preset)
        #expect(
            frame
                == AirFrame.make(
                    accessAddress: Self.address,
                    header: second,
                    payload: payload.span.bytes,
                    crcInit: Self.preset
                )
        )
    }

    @Test("A control PDU becomes a frame whose header says so")
    func control() {
        let frame = AirFrame.make(
            accessAddress: Self.address,
            header: DataHeader(.continuation, sequenceNumber: true),
            control: .terminateInd(.remoteUserTerminatedConnection),
            crcInit: Self.preset
        )
        #expect(Array(frame[AirFrame.pduRange(of: frame)]) == [0x0B, 0x02, 0x02, 0x13])
        #expect(AirFrame.hasValidCRC(frame, crcInit: Self.preset))
    }
}
