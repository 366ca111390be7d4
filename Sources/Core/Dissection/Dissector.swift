import BluethroatByteCoding
import BluethroatHCI

/// Takes packets apart into trees of named fields. It knows no packet: the descriptions are those that the packets' own
/// types carry. Packets that break off or have bytes left over have a field `Malformed` where that shows.
public enum Dissector {
    /// An HCI packet, H4 indicator first. Core 6.0, Vol 4, Part E, 5.4.
    public static func dissect(hci packet: [UInt8]) -> DissectedField {
        let bytes = packet[...]
        switch packet.first.flatMap(PacketIndicator.init(rawValue:)) {
        case .command: return command(bytes)
        case .event: return event(bytes)
        case .acl: return data(bytes)
        case .synchronous, .isochronous, nil: return DissectedField("HCI packet", bytes: bytes)
        }
    }

    /// The fields of one kind of packet, which are all of `bytes`.
    static func fields(_ descriptions: [FieldDescription], in bytes: ArraySlice<UInt8>) -> [DissectedField] {
        do throws(DecodeError) {
            return try descriptions.read(Array(bytes)).map { DissectedField($0, from: bytes.startIndex) }
        } catch {
            return [DissectedField("Malformed", bytes: bytes, text: "\(error)")]
        }
    }

    /// Fields of fixed length at the front, and what `rest` makes of the octets after them.
    static func fields(
        _ descriptions: [FieldDescription],
        in bytes: ArraySlice<UInt8>,
        then rest: ([DissectedField], ArraySlice<UInt8>) -> [DissectedField]
    ) -> [DissectedField] {
        guard let count = descriptions.fixedByteCount, bytes.count >= count else {
            return [DissectedField("Malformed", bytes: bytes, text: "ends in its header")]
        }
        let head = fields(descriptions, in: bytes.prefix(count))
        return head + rest(head, bytes.dropFirst(count))
    }

    /// A PDU that begins with its code, by the descriptions of its protocol.
    static func pdu(
        _ name: String,
        code: FieldDescription,
        _ descriptions: [PacketDescription],
        in bytes: ArraySlice<UInt8>
    ) -> DissectedField {
        let description = bytes.first.flatMap { code in descriptions.first { $0.code == code } }
        let children = fields([code], in: bytes) { _, parameters in
            if let description { return fields(description.fields, in: parameters) }
            return parameters.isEmpty ? [] : [DissectedField("Parameters", bytes: parameters)]
        }
        return DissectedField(name, description?.name ?? "unknown", in: bytes, children)
    }
}
