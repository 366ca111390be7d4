import BluethroatAirPackets
import BluethroatByteCoding

extension Dissector {
    /// A frame of the air: access address, PDU and CRC, not whitened. An encrypted payload, whose length includes the
    /// MIC, is bytes. Core 6.0, Vol 6, Part B, 2.1.
    public static func dissect(frame: [UInt8], isEncrypted: Bool = false) -> DissectedField {
        let bytes = frame[...]
        guard AirFrame.isWellFormed(frame) else { return DissectedField("Malformed", bytes: bytes) }
        let pdu = bytes.dropFirst(AirFrame.headerOffset).dropLast(3)
        let isAdvertising = AirFrame.accessAddress(of: frame) == .advertising
        let children =
            fields([FieldDescription("Access Address", AccessAddress.self)], in: bytes.prefix(AirFrame.headerOffset))
            + [isAdvertising ? advertisingPDU(pdu) : dataPDU(pdu, isEncrypted: isEncrypted)]
            + fields([FieldDescription("CRC", .unsigned(bits: 24))], in: bytes.suffix(3))
        return DissectedField("LE frame", in: bytes, children)
    }

    private static func advertisingPDU(_ bytes: ArraySlice<UInt8>) -> DissectedField {
        let description = AdvertisingPDU.descriptions.first { $0.code == (bytes.first ?? 0) & 0xF }
        let children = fields(AdvertisingHeader.fieldDescriptions, in: bytes) { _, payload in
            if let description { return fields(description.fields, in: payload) }
            return payload.isEmpty ? [] : [DissectedField("Payload", bytes: payload)]
        }
        return DissectedField("Advertising PDU", description?.name ?? "unknown", in: bytes, children)
    }

    private static func dataPDU(_ bytes: ArraySlice<UInt8>, isEncrypted: Bool) -> DissectedField {
        let children = fields(DataHeader.fieldDescriptions, in: bytes) { head, payload in
            if payload.isEmpty { return [] }
            if isEncrypted { return [DissectedField("Encrypted payload and MIC", bytes: payload)] }
            switch head.first?.value {
            case .unsigned(UInt64(DataHeader.LogicalLink.control.rawValue)): return [control(payload)]
            case .unsigned(UInt64(DataHeader.LogicalLink.start.rawValue)): return [l2cap(payload)]
            default: return [DissectedField("L2CAP fragment", bytes: payload)]
            }
        }
        return DissectedField("Data PDU", in: bytes, children)
    }

    private static func control(_ bytes: ArraySlice<UInt8>) -> DissectedField {
        pdu("LL control", code: FieldDescription("Opcode", ControlOpcode.self), ControlPDU.descriptions, in: bytes)
    }
}
