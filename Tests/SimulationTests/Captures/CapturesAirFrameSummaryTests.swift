import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("Frames in one line")
struct CapturesAirFrameSummaryTests {
    static let fob = DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)
    static let phone = DeviceAddress(value: 0xC011_2233_4455, kind: .random)

    @Test("Advertising says who, and how much or to whom")
    func advertising() {
        for (pdu, text) in [
            (
                .advInd(advertiser: Self.fob, data: [2, 1, 6], supportsChannelSelection2: true),
                "ADV_IND 78:C5:E5:9B:76:0D 3 bytes"
            ),
            (
                .advDirectInd(advertiser: Self.fob, target: Self.phone, supportsChannelSelection2: false),
                "ADV_DIRECT_IND 78:C5:E5:9B:76:0D to C0:11:22:33:44:55"
            ),
            (.scanReq(scanner: Self.phone, advertiser: Self.fob), "SCAN_REQ C0:11:22:33:44:55 to 78:C5:E5:9B:76:0D"),
            (.scanRsp(advertiser: Self.fob, data: []), "SCAN_RSP 78:C5:E5:9B:76:0D 0 bytes"),
        ] as [(AdvertisingPDU, String)] {
            #expect(AirFrameSummary(AirFrame.make(advertising: pdu)).description == text)
        }
    }

    @Test("Data says its numbers and what it is; control says its name and what matters")
    func data() {
        func summary(_ header: DataHeader, _ payload: [UInt8]) -> String {
            AirFrameSummary(
                AirFrame.make(
                    accessAddress: AccessAddress(rawValue: 0x5065_4A6B),
                    header: header,
                    payload: payload.span.bytes,
                    crcInit: CRCInit(1)
                )
            ).description
        }
        #expect(summary(DataHeader(.continuation), []) == "0x50654A6B SN 0 NESN 0 empty")
        #expect(
            summary(DataHeader(.start, sequenceNumber: true, moreData: true), [1, 2, 3])
                == "0x50654A6B SN 1 NESN 0 MD start 3 bytes"
        )
        #expect(summary(DataHeader(.continuation), [1]) == "0x50654A6B SN 0 NESN 0 continuation 1 bytes")
        #expect(
            summary(DataHeader(.control, nextExpectedSequenceNumber: true), [0x02, 0x13])
                == "0x50654A6B SN 0 NESN 1 LL_TERMINATE_IND remote user terminated connection"
        )
        #expect(
            summary(DataHeader(.control), [0x11, 0x0F, 0x20])
                == """
                0x50654A6B SN 0 NESN 0 LL_REJECT_EXT_IND of LL_CONNECTION_PARAM_REQ: \
                unsupported LL parameter value
                """
        )
        #expect(summary(DataHeader(.control), [0x12]) == "0x50654A6B SN 0 NESN 0 LL_PING_REQ")
        #expect(
            summary(DataHeader(.control), [0x12, 0x00])
                == "0x50654A6B SN 0 NESN 0 LL_PING_REQ, 1 bytes left over"
        )
        #expect(summary(DataHeader(.control), []) == "0x50654A6B SN 0 NESN 0 control PDU without opcode")
    }

    @Test("Of an encrypted PDU the line says what its header says, and takes nothing from the ciphertext")
    func encrypted() {
        func summary(_ logicalLink: DataHeader.LogicalLink, _ payload: [UInt8]) -> String {
            let header = DataHeader(logicalLink, sequenceNumber: true)
            let address = AccessAddress(rawValue: 0x5065_4A6B)
            let bytes = payload.span.bytes
            let frame = AirFrame.make(accessAddress: address, header: header, payload: bytes, crcInit: CRCInit(1))
            return AirFrameSummary(frame, isEncrypted: true).description
        }
        // LL_TERMINATE_IND's opcode, by chance.
        let control = summary(.control, [0x02, 0x13, 1, 2, 3, 4])
        #expect(control == "0x50654A6B SN 1 NESN 0 encrypted LL control PDU 6 bytes")
        #expect(summary(.start, [3, 0, 4, 0, 0x0A]) == "0x50654A6B SN 1 NESN 0 encrypted start 5 bytes")
        #expect(summary(.continuation, [3, 0, 4, 0, 9]) == "0x50654A6B SN 1 NESN 0 encrypted continuation 5 bytes")
    }

    @Test("Any bytes at all have a line")
    func anything() {
        #expect(AirFrameSummary([1, 2, 3]).description == "no frame: 010203")
        var random = SeededRandom(seed: 10, purpose: "summaries")
        for _ in 0..<5_000 {
            let payload = random.bytes(Int(random.next(below: 40)))
            let isAdvertising = random.next(below: 2) == 0
            let frame = AirFrame.make(
                accessAddress: isAdvertising ? .advertising : AccessAddress(rawValue: 5),
                header: UInt16(random.next(below: 256)),
                payload: payload.span.bytes,
                crcInit: .advertising
            )
            #expect(!AirFrameSummary(frame).description.isEmpty)
        }
    }
}
