import BluethroatByteCoding
import BluethroatDissection
import Foundation
import Testing

@Suite("The dissector beside tshark")
struct TsharkTests {
    /// Fields that tshark does not show as one field, with the reason.
    private static let notShown = [
        "HCI Command/Advertising_Channel_Map": "a field for each channel",
        "HCI Command/Event_Mask": "a field for each bit",
        "HCI Event/LMP_Features": "a field for each bit",
        "HCI ACL Data/L2CAP/ATT/Attribute Data List/Attribute Value": "a declaration's value is taken apart",
        "LE frame/Data PDU/L2CAP/ATT/Attribute Data List/Attribute Value": "a declaration's value is taken apart",
    ]

    @Test(
        "Fields have the places and values that tshark finds",
        .enabled(if: TsharkOutput.program != nil, "tshark is not installed")
    )
    func tshark() throws {
        let world = RecordedWorld()
        let output = try TsharkOutput(capture: try world.run())
        try #require(output.packets.count == world.packets.count)
        var compared: [String: Int] = [:]
        var missing: [String: String] = [:]
        for (packet, fields) in zip(world.packets, output.packets) {
            let dissection =
                packet.isFrame
                ? Dissector.dissect(frame: packet.bytes, isEncrypted: packet.isEncrypted)
                : Dissector.dissect(hci: packet.bytes)
            // Before a frame stands the ten octets of a header about the radio.
            let shift = packet.isFrame ? 10 : 0
            for (path, leaf) in Self.leaves(of: dissection, "") where !leaf.name.hasSuffix("fragment") {
                #expect(leaf.name != "Malformed", "\(dissection)")
                if leaf.bitCount == 0 || leaf.name.hasPrefix("Encrypted payload") { continue }
                // tshark 4.0 looks for the CRC of these where their parameters begin.
                if leaf.name == "CRC", Self.isLengthPDU(packet) { continue }
                let octets = leaf.octets.lowerBound + shift..<leaf.octets.upperBound + shift
                let isPart = leaf.bitCount % 8 != 0
                let candidates = fields.filter {
                    isPart
                        ? $0.position <= octets.lowerBound && octets.upperBound <= $0.position + $0.size
                        : $0.position == octets.lowerBound && $0.size == octets.count
                }
                if candidates.contains(where: { Self.isEqual(leaf, $0) }) {
                    compared[path.split(separator: "/").first.map(String.init) ?? "", default: 0] += 1
                } else if missing[path] == nil {
                    let seen = candidates.map { "\($0.name)=\($0.show) (\($0.value))" }.joined(separator: ", ")
                    missing[path] = "\(leaf.text) at \(octets) of \(packet.bytes.hex); tshark: \(seen)"
                }
            }
        }
        for (path, what) in missing.sorted(by: { $0.key < $1.key }) where Self.notShown[path] == nil {
            Issue.record("\(path): \(what)")
        }
        // Enough of each kind, so that an empty capture does not pass.
        for (kind, count) in ["HCI Command": 150, "HCI Event": 400, "HCI ACL Data": 500, "LE frame": 4_000] {
            #expect(compared[kind, default: 0] > count, "\(kind)")
        }
    }

    /// LL_LENGTH_REQ or LL_LENGTH_RSP.
    private static func isLengthPDU(_ packet: RecordedWorld.Packet) -> Bool {
        packet.isFrame && packet.bytes[4] & 3 == 3 && [0x14, 0x15].contains(packet.bytes[6])
    }

    private static func leaves(of field: DissectedField, _ path: String) -> [(String, DissectedField)] {
        let path = path.isEmpty ? field.name : path + "/" + field.name
        if field.children.isEmpty { return [(path, field)] }
        return field.children.flatMap { leaves(of: $0, path) }
    }

    /// Whether tshark's field holds the same.
    private static func isEqual(_ leaf: DissectedField, _ field: TsharkOutput.Field) -> Bool {
        let digits = field.show.lowercased().filter { $0 != ":" && $0 != "-" }
        switch leaf.value {
        case .unsigned(let number):
            // tshark shows a CRC with the bit that is first on the air as the highest.
            if leaf.name == "CRC" {
                return (0..<24).reduce(UInt64(0)) { $0 << 1 | number >> UInt64($1) & 1 } == Self.number(field.show)
            }
            if leaf.bitCount % 8 != 0 {
                return UInt64(field.value, radix: 16) == number || Self.number(field.show) == number
            }
            // An address is shown with its most significant octet first.
            let bytes = (0..<leaf.bitCount / 8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
            return Self.number(field.show) == number || digits == Array(bytes.reversed()).hex || digits == bytes.hex
        case .signed(let number): return Int64(field.show) == number
        case .bytes(let bytes): return field.value == bytes.hex || digits == bytes.hex
        case .groups, nil: return false
        }
    }

    private static func number(_ text: String) -> UInt64? {
        switch text {
        case "True": 1
        case "False": 0
        default: text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)
        }
    }
}
