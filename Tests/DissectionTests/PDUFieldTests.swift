import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHost

@Suite("Fields of PDUs")
struct PDUFieldTests {
    @Test("LL control PDUs: fields are where the descriptions say, and hold what the properties do")
    func control() {
        var laws = FieldLaws()
        for description in ControlPDU.descriptions {
            laws.check(description.name, description.fields) { (bytes) throws(DecodeError) in
                let whole = [description.code] + bytes
                var span = whole.span.bytes
                return try ControlPDU(parsing: &span)
            } encode: { (pdu: ControlPDU) in
                var out: [UInt8] = []
                pdu.write(to: &out)
                return Array(out.dropFirst())
            } values: {
                FieldLaws.values(ofPayload: $0)
            }
        }
        Self.checkComplete(ControlPDU.descriptions) { code in
            let bytes = [code]
            var span = bytes.span.bytes
            if case .unknown = try? ControlPDU(parsing: &span) { return true }
            return false
        }
    }

    @Test("Advertising PDUs: fields are where the descriptions say, and hold what the properties do")
    func advertising() {
        var laws = FieldLaws()
        for description in AdvertisingPDU.descriptions {
            let fields = AdvertisingHeader.fieldDescriptions + description.fields
            laws.check(description.name, fields) { (bytes) throws(DecodeError) in
                var whole = bytes
                whole[0] = whole[0] & 0xE0 | description.code
                whole[1] = UInt8(whole.count - 2)
                // A random interval would seldom suit window, latency and timeout.
                if description.name == "CONNECT_IND" { Self.makeSound(&whole) }
                var span = whole.span.bytes
                return try AdvertisingPDU(parsing: &span)
            } encode: { (pdu: AdvertisingPDU) in
                var out: [UInt8] = []
                pdu.write(to: &out)
                return out
            } values: { pdu in
                pdu.header.fieldValues + Self.payload(of: pdu)
            }
        }
        Self.checkComplete(AdvertisingPDU.descriptions, codes: 0...15) { code in
            let bytes: [UInt8] = [code, 0]
            var span = bytes.span.bytes
            if case .unknown = try? AdvertisingPDU(parsing: &span) { return true }
            return false
        }
    }

    private static func makeSound(_ connectIndication: inout [UInt8]) {
        // Window 1 and 0, interval 24 to 27, latency 0, timeout 100, one hop of 5 to 8.
        connectIndication.replaceSubrange(
            21..<30,
            with: [1, 0, 0, 24 | connectIndication[24] & 3, 0, 0, 0, 100, 0]
        )
        connectIndication[30] |= 3
        connectIndication[34] &= 0x1F
        connectIndication[35] = connectIndication[35] & 0xE0 | 5 + connectIndication[35] & 3
    }

    private static func payload(of pdu: AdvertisingPDU) -> [FieldValue] {
        switch pdu {
        case .advInd(let advertiser, let data, _), .advNonconnInd(let advertiser, let data),
            .advScanInd(let advertiser, let data), .scanRsp(let advertiser, let data):
            [advertiser.fieldValue, .bytes(data)]
        case .advDirectInd(let first, let second, _), .scanReq(let first, let second):
            [first.fieldValue, second.fieldValue]
        case .connectInd(let indication): indication.fieldValues
        case .unknown: []
        }
    }

    @Test("Headers of data PDUs: fields are where the description says")
    func header() {
        var laws = FieldLaws()
        laws.check(DataHeader.self) { (bytes) throws(DecodeError) in
            var span = bytes.span.bytes
            return DataHeader(rawValue: try span.takeUInt16())
        } encode: { header in
            var out: [UInt8] = []
            out.appendUInt16(header.rawValue)
            return out
        }
    }

    @Test("ATT: fields are where the descriptions say, and hold what the properties do")
    func att() {
        var laws = FieldLaws()
        for description in ATTPDU.descriptions {
            laws.check(description.name, description.fields) { (bytes) throws(DecodeError) in
                let whole = [description.code] + bytes
                return try ATTPDU(parsing: whole.span.bytes)
            } encode: { (pdu: ATTPDU) in
                Array(pdu.bytes.dropFirst())
            } values: {
                FieldLaws.values(ofPayload: $0)
            }
        }
        Self.checkComplete(ATTPDU.descriptions) { code in
            let bytes = [code]
            if case .unknown = try? ATTPDU(parsing: bytes.span.bytes) { return true }
            return false
        }
    }

    @Test("SMP: fields are where the descriptions say, and hold what the properties do")
    func smp() {
        var laws = FieldLaws()
        for description in SMPPDU.descriptions {
            laws.check(description.name, description.fields) { (bytes) throws(DecodeError) in
                let whole = [description.code] + bytes
                return try SMPPDU(parsing: whole.span.bytes)
            } encode: { (pdu: SMPPDU) in
                Array(pdu.bytes.dropFirst())
            } values: {
                FieldLaws.values(ofPayload: $0)
            }
        }
        Self.checkComplete(SMPPDU.descriptions) { code in
            let bytes = [code]
            if case .unknown = try? SMPPDU(parsing: bytes.span.bytes) { return true }
            return false
        }
    }

    @Test("L2CAP signalling: fields are where the descriptions say, and hold what the properties do")
    func signalling() {
        var laws = FieldLaws()
        for description in SignallingPDU.descriptions {
            laws.check(description.name, description.fields) { (bytes) throws(DecodeError) in
                var span = bytes.span.bytes
                return try SignallingPDU(code: description.code, parsing: &span)
            } encode: { (pdu: SignallingPDU) in
                var out: [UInt8] = []
                pdu.write(identifier: 1, to: &out)
                return Array(out.dropFirst(4))
            } values: {
                FieldLaws.values(ofPayload: $0)
            }
        }
        Self.checkComplete(SignallingPDU.descriptions) { code in
            var span = RawSpan()
            if case .unknown = try? SignallingPDU(code: code, parsing: &span) { return true }
            return false
        }
    }

    /// A code has a description exactly if the decoder knows it.
    private static func checkComplete(
        _ descriptions: [PacketDescription],
        codes: ClosedRange<UInt8> = 0...255,
        isUnknown: (UInt8) -> Bool
    ) {
        #expect(Set(descriptions.map(\.code)).count == descriptions.count)
        for code in codes { #expect(descriptions.contains { $0.code == code } != isUnknown(code), "code \(code)") }
    }
}
