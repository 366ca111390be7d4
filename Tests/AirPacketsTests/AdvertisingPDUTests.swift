import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@Suite("Advertising PDUs")
struct AdvertisingPDUTests {
    /// Each PDU with its bytes, written down by hand from section 2.3.
    static func pdus() throws -> [(AdvertisingPDU, String)] {
        let data: [UInt8] = [0x02, 0x01, 0x06]
        return [
            (
                .advInd(advertiser: Sample.fob, data: data, supportsChannelSelection2: true),
                "2009 0d769be5c578 020106"
            ),
            (
                .advInd(advertiser: Sample.phone, data: [], supportsChannelSelection2: false),
                "4006 5544332211c0"
            ),
            (
                .advDirectInd(advertiser: Sample.fob, target: Sample.phone, supportsChannelSelection2: true),
                "a10c 0d769be5c578 5544332211c0"
            ),
            (.advNonconnInd(advertiser: Sample.phone, data: data), "4209 5544332211c0 020106"),
            (.advScanInd(advertiser: Sample.fob, data: data), "0609 0d769be5c578 020106"),
            (.scanReq(scanner: Sample.phone, advertiser: Sample.fob), "430c 5544332211c0 0d769be5c578"),
            (.scanReq(scanner: Sample.fob, advertiser: Sample.phone), "830c 0d769be5c578 5544332211c0"),
            (.scanRsp(advertiser: Sample.fob, data: data), "0409 0d769be5c578 020106"),
            (
                .scanRsp(advertiser: Sample.fob, data: [UInt8](repeating: 7, count: 31)),
                "0425 0d769be5c578 " + String(repeating: "07", count: 31)
            ),
            (
                .connectInd(try Sample.connectIndication()),
                "6522 5544332211c0 0d769be5c578 6b4a6550 563412 02 0500 1800 0400 c800 0006e0001e a9"
            ),
            (.unknown(AdvertisingHeader(rawValue: 0x0307), payload: [1, 2, 3]), "0703 010203"),
        ]
    }

    @Test("Each PDU is written as the specification lays it out, and read back")
    func roundTrip() throws {
        for (pdu, text) in try Self.pdus() {
            let expected = try #require([UInt8](hex: text))
            var out: [UInt8] = []
            pdu.write(to: &out)
            #expect(out == expected, "\(out.hex)")
            #expect(pdu.payloadLength == expected.count - 2)
            var bytes = out.span.bytes
            let parsed = try AdvertisingPDU(parsing: &bytes)
            #expect(parsed == pdu)
            #expect(bytes.byteCount == 0)
        }
    }

    @Test("The frame of a PDU is the one that is made of its header and its payload")
    func frames() throws {
        for (pdu, text) in try Self.pdus() {
            let bytes = try #require([UInt8](hex: text))
            let expected = AirFrame.make(
                accessAddress: .advertising,
                header: UInt16(bytes[0]),
                payload: bytes.span.bytes.extracting(2...),
                crcInit: .advertising
            )
            #expect(AirFrame.make(advertising: pdu) == expected, "\(text)")
        }
    }

    @Test("Every truncation and every trailing byte is an error")
    func lengths() throws {
        for (pdu, _) in try Self.pdus() {
            var whole: [UInt8] = []
            pdu.write(to: &whole)
            for count in 0..<whole.count {
                let cut = Array(whole[..<count])
                #expect(throws: DecodeError.self) {
                    var bytes = cut.span.bytes
                    _ = try AdvertisingPDU(parsing: &bytes)
                }
            }
            let long = whole + [0]
            #expect(throws: DecodeError.trailingBytes(1)) {
                var bytes = long.span.bytes
                _ = try AdvertisingPDU(parsing: &bytes)
            }
        }
    }

    @Test("A payload shorter or longer than its type allows is an error though the header agrees")
    func wrongLengthForType() throws {
        let allowed: [UInt8: ClosedRange<Int>] = [
            0: 6...37, 1: 12...12, 2: 6...37, 3: 12...12, 4: 6...37, 6: 6...37,
        ]
        for (type, lengths) in allowed {
            for length in 0...255 {
                let packet = [type, UInt8(length)] + [UInt8](repeating: 0x11, count: length)
                var bytes = packet.span.bytes
                #expect(
                    ((try? AdvertisingPDU(parsing: &bytes)) != nil) == lengths.contains(length),
                    "\(type) \(length)"
                )
            }
        }
        for length in 0...255 where length != 34 {
            let packet = [5, UInt8(length)] + [UInt8](repeating: 0x11, count: length)
            var bytes = packet.span.bytes
            #expect((try? AdvertisingPDU(parsing: &bytes)) == nil, "CONNECT_IND \(length)")
        }
    }

    @Test("Reserved bits and bits without meaning for a type are ignored")
    func reservedBits() throws {
        for (packet, expected) in [
            ("3206 0d769be5c578", AdvertisingPDU.advNonconnInd(advertiser: Sample.fob, data: [])),
            ("b006 0d769be5c578", .advInd(advertiser: Sample.fob, data: [], supportsChannelSelection2: true)),
        ] {
            let octets = try #require([UInt8](hex: packet))
            var bytes = octets.span.bytes
            #expect(try AdvertisingPDU(parsing: &bytes) == expected)
        }
    }
}
