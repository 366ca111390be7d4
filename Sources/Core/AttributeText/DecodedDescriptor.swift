import BluethroatBluetoothValues
import BluethroatByteCoding

/// Descriptors in words for people. Core 6.0, Vol 3, Part G, 3.3.3.
enum DecodedDescriptor {
    static func decode(_ uuid: UInt16, _ bytes: inout RawSpan) throws(DecodeError) -> String? {
        switch uuid {
        case 0x2900: return try DecodedValue.bits(&bytes, ["reliable write", "writable auxiliaries"])
        case 0x2902: return try clientConfiguration(&bytes)
        case 0x2903: return try bytes.takeUInt16() & 1 == 1 ? "broadcasts" : "off"
        case 0x2904: return try presentationFormat(&bytes)
        case 0x2905: return try handles(&bytes)
        case 0x2908: return try reportReference(&bytes)
        default: return nil
        }
    }

    private static func clientConfiguration(_ bytes: inout RawSpan) throws(DecodeError) -> String? {
        switch try bytes.takeUInt16() & 3 {
        case 0: "off"
        case 1: "notifications"
        case 2: "indications"
        default: "notifications and indications"
        }
    }

    /// Formats of the Assigned Numbers, 2.4.1.
    private static func presentationFormat(_ bytes: inout RawSpan) throws(DecodeError) -> String? {
        let format = try bytes.takeUInt8()
        let exponent = try bytes.takeInt8()
        let unit = try bytes.takeUInt16()
        let namespace = try bytes.takeUInt8()
        let description = try bytes.takeUInt16()
        let names = [
            1: "boolean", 4: "uint8", 6: "uint16", 8: "uint32", 12: "sint8", 14: "sint16", 16: "sint32", 20: "float32",
            21: "float64", 22: "medfloat16", 23: "medfloat32", 25: "UTF-8", 26: "UTF-16", 27: "structure",
        ]
        return "\(names[Int(format)] ?? "format \(format)"), exponent \(exponent), unit \(name(of: unit))"
            + (description == 0 ? "" : ", description \(namespace)/0x\(DecodedValue.hex(description))")
    }

    private static func name(of unit: UInt16) -> String {
        let number = "0x\(DecodedValue.hex(unit))"
        return BluetoothUUID(unit).assignedName(as: .unit).map { "\($0) (\(number))" } ?? number
    }

    private static func handles(_ bytes: inout RawSpan) throws(DecodeError) -> String? {
        var handles: [String] = []
        while bytes.byteCount > 0 { handles.append("0x" + DecodedValue.hex(try bytes.takeUInt16())) }
        return handles.isEmpty ? nil : handles.joined(separator: ", ")
    }

    /// HID over GATT: which report of which kind a characteristic carries.
    private static func reportReference(_ bytes: inout RawSpan) throws(DecodeError) -> String? {
        let number = try bytes.takeUInt8()
        let kind = try bytes.takeUInt8()
        let names = [1: "input", 2: "output", 3: "feature"]
        return "report \(number), \(names[Int(kind)] ?? "kind \(kind)")"
    }
}
