import BluethroatByteCoding
import BluethroatHost

extension Dissector {
    private static let l2capHeader = [
        FieldDescription("PDU Length", UInt16.self, unit: .octets), FieldDescription("Channel ID", UInt16.self),
    ]

    /// An L2CAP PDU with its basic header, or the first part of one. Core 6.0, Vol 3, Part A, 3.1.
    public static func dissect(l2cap pdu: [UInt8]) -> DissectedField { l2cap(pdu[...]) }

    /// An ATT PDU. Core 6.0, Vol 3, Part F, 3.3.
    public static func dissect(att pdu: [UInt8]) -> DissectedField { att(pdu[...]) }

    /// An SMP PDU. Core 6.0, Vol 3, Part H, 3.3.
    public static func dissect(smp pdu: [UInt8]) -> DissectedField { smp(pdu[...]) }

    static func l2cap(_ bytes: ArraySlice<UInt8>) -> DissectedField {
        let children = fields(l2capHeader, in: bytes) { head, payload in
            guard head.count == 2, head[0].value == .unsigned(UInt64(payload.count)) else {
                return [DissectedField("L2CAP fragment", bytes: payload)]
            }
            switch head[1].value {
            case .unsigned(0x0004): return [att(payload)]
            case .unsigned(0x0005): return [signalling(payload)]
            case .unsigned(0x0006): return [smp(payload)]
            default: return [DissectedField("Information Payload", bytes: payload)]
            }
        }
        return DissectedField("L2CAP", in: bytes, children)
    }

    private static func att(_ bytes: ArraySlice<UInt8>) -> DissectedField {
        pdu("ATT", code: FieldDescription("Attribute Opcode", ATTOpcode.self), ATTPDU.descriptions, in: bytes)
    }

    private static func smp(_ bytes: ArraySlice<UInt8>) -> DissectedField {
        pdu("SMP", code: FieldDescription("Code", UInt8.self), SMPPDU.descriptions, in: bytes)
    }

    private static func signalling(_ bytes: ArraySlice<UInt8>) -> DissectedField {
        let description = bytes.first.flatMap { code in L2CAPSignalling.descriptions.first { $0.code == code } }
        let children = fields(L2CAPSignalling.header, in: bytes) { _, data in
            if let description { return fields(description.fields, in: data) }
            return data.isEmpty ? [] : [DissectedField("Data", bytes: data)]
        }
        return DissectedField("L2CAP signalling", description?.name ?? "unknown", in: bytes, children)
    }
}
