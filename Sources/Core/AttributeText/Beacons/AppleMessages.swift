import BluethroatByteCoding

/// What Apple's devices say in their manufacturer data: messages one after the other, each a kind, a length and bytes.
/// Apple documents the iBeacon and HomeKit's; the other kinds were published by those who watched the devices.
enum AppleMessages {
    /// Bytes behind the company identifier. Where a message does not fit into the rest it is malformed, and the last.
    static func decode(_ bytes: [UInt8]) -> [BroadcastMessage] {
        var messages: [BroadcastMessage] = []
        var rest = bytes[...]
        while let kind = rest.popFirst() {
            guard let body = takeBody(of: kind, from: &rest) else {
                return messages + [BroadcastMessage(name(of: kind), Array(rest), isMalformed: true)]
            }
            messages.append(message(kind, body))
        }
        return messages
    }

    /// The overflow area has no length, it is a mask of 128 bits; HomeKit has three bits of its own in it.
    private static func takeBody(of kind: UInt8, from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        let length: Int
        var start = rest
        switch kind {
        case 0x01: length = 16
        default:
            guard let first = start.popFirst() else { return nil }
            length = Int(kind == 0x06 ? first & 0x1F : first)
        }
        guard start.count >= length else { return nil }
        rest = start.dropFirst(length)
        return Array(start.prefix(length))
    }

    private static func message(_ kind: UInt8, _ body: [UInt8]) -> BroadcastMessage {
        let name = name(of: kind)
        var cursor = body.span.bytes
        do throws(DecodeError) {
            let fields = try fields(kind, &cursor)
            return BroadcastMessage(name, body, fields)
        } catch {
            return BroadcastMessage(name, body, isMalformed: true)
        }
    }

    private static func fields(_ kind: UInt8, _ bytes: inout RawSpan) throws(DecodeError) -> [BroadcastMessage.Field] {
        let field = BroadcastMessage.Field.init
        switch kind {
        case 0x01:
            let mask = bytes.takeRest()
            let bits = (0..<128).filter { mask[$0 / 8] & 1 << ($0 % 8) != 0 }
            return [field("bits", .text(bits.map { "\($0)" }.joined(separator: " ")), "")]
        case 0x02:
            guard bytes.byteCount == 21 else { throw .invalidLength(bytes.byteCount) }
            let uuid = uuidText(try bytes.takeBytes(16))
            return [
                field("uuid", .text(uuid), ""),
                field("major", .number(Int(try bytes.takeUInt16BigEndian())), ""),
                field("minor", .number(Int(try bytes.takeUInt16BigEndian())), ""),
                field("power", .number(Int(try bytes.takeInt8())), " dBm"),
            ]
        case 0x0F, 0x10:
            let first = try bytes.takeUInt8()
            let second = try bytes.takeUInt8()
            // Nearby Action has flags and then the action, Nearby Info both in one byte.
            let action = kind == 0x0F ? second : first & 0x0F
            return [field(kind == 0x0F ? "action" : "activity", .number(Int(action)), "")]
        default: return []
        }
    }

    private static func uuidText(_ bytes: [UInt8]) -> String {
        var text = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += [byte].hex
        }
        return text.uppercased()
    }

    private static func name(of kind: UInt8) -> String {
        switch kind {
        case 0x01: "Overflow area"
        case 0x02: "iBeacon"
        case 0x03: "AirPrint"
        case 0x05: "AirDrop"
        case 0x06: "HomeKit"
        case 0x07: "Proximity pairing"
        case 0x08: "Hey Siri"
        case 0x09: "AirPlay target"
        case 0x0A: "AirPlay source"
        case 0x0B: "Magic Switch"
        case 0x0C: "Handoff"
        case 0x0D: "Tethering target"
        case 0x0E: "Tethering source"
        case 0x0F: "Nearby Action"
        case 0x10: "Nearby Info"
        case 0x12: "Find My"
        case 0x16: "HomeKit, encrypted"
        default: "Apple message 0x" + [kind].hex.uppercased()
        }
    }
}
