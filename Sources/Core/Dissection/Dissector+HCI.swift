import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI

extension Dissector {
    private static let indicator = FieldDescription("HCI Packet Indicator", UInt8.self)
    private static let commandHeader = [
        indicator, FieldDescription("Opcode", Opcode.self),
        FieldDescription("Parameter_Total_Length", UInt8.self, unit: .octets),
    ]
    private static let eventHeader = [
        indicator, FieldDescription("Event_Code", UInt8.self),
        FieldDescription("Parameter_Total_Length", UInt8.self, unit: .octets),
    ]
    private static let dataHeader = [
        indicator, FieldDescription("Connection_Handle", .unsigned(bits: 12)),
        FieldDescription("Packet_Boundary_Flag", .unsigned(bits: 2)),
        FieldDescription("Broadcast_Flag", .unsigned(bits: 2)),
        FieldDescription("Data_Total_Length", UInt16.self, unit: .octets),
    ]

    static func command(_ bytes: ArraySlice<UInt8>) -> DissectedField {
        let opcode = bytes.count >= 3 ? Opcode(rawValue: UInt16(bytes[1]) | UInt16(bytes[2]) << 8) : .none
        let children = fields(commandHeader, in: bytes) { _, parameters in
            described(opcode.parameterFields, "Parameters", in: parameters)
        }
        return DissectedField("HCI Command", "\(opcode)", in: bytes, children)
    }

    static func event(_ bytes: ArraySlice<UInt8>) -> DissectedField {
        let code = EventCode(rawValue: bytes.count >= 2 ? bytes[1] : 0)
        let hasSubevent = code == .leMeta && bytes.count > 3
        let identifier = EventIdentifier(
            code,
            subevent: hasSubevent ? LESubeventCode(rawValue: bytes[3]) : nil
        )
        let header = eventHeader + (hasSubevent ? [FieldDescription("Subevent_Code", UInt8.self)] : [])
        let children = fields(header, in: bytes) { _, parameters in
            identifier == .commandComplete && parameters.count >= 3
                ? commandComplete(parameters)
                : described(identifier.parameterFields, "Parameters", in: parameters)
        }
        return DissectedField("HCI Event", "\(identifier)", in: bytes, children)
    }

    /// The return parameters are those of the command that is named. Some controllers return no more than the status
    /// of a command that failed.
    private static func commandComplete(_ bytes: ArraySlice<UInt8>) -> [DissectedField] {
        let opcode = Opcode(rawValue: UInt16(bytes[bytes.startIndex + 1]) | UInt16(bytes[bytes.startIndex + 2]) << 8)
        let front = CommandComplete.fieldDescriptions.filter { $0.name != "Return_Parameters" }
        return fields(front, in: bytes) { _, returned in
            let expected = opcode.returnFields
            return described(
                returned.count == 1 ? expected.map { [$0[0]] } : expected,
                "Return_Parameters",
                in: returned
            )
        }
    }

    static func data(_ bytes: ArraySlice<UInt8>) -> DissectedField {
        let children = fields(dataHeader, in: bytes) { head, payload in
            if head.count > 2, head[2].value == .unsigned(UInt64(PacketBoundary.continuing.rawValue)) {
                return [DissectedField("L2CAP fragment", bytes: payload)]
            }
            return [l2cap(payload)]
        }
        return DissectedField("HCI ACL Data", in: bytes, children)
    }

    private static func described(
        _ descriptions: [FieldDescription]?,
        _ name: String,
        in bytes: ArraySlice<UInt8>
    ) -> [DissectedField] {
        if let descriptions { return fields(descriptions, in: bytes) }
        return bytes.isEmpty ? [] : [DissectedField(name, bytes: bytes)]
    }
}
