public import BluethroatBluetoothValues

/// Something that an advertisement says in a form that many know: an iBeacon, one of Apple's continuity messages, an
/// Eddystone frame.
public struct BroadcastMessage: Hashable, Sendable {
    /// A part of a message: what programs call it, and its value.
    public struct Field: Hashable, Sendable {
        public enum Value: Hashable, Sendable {
            case text(String)
            case number(Int)
            /// A number with so many decimals, in units of the last of them: `.decimal(2125, 2)` is 21.25.
            case decimal(Int, Int)
        }

        public var name: String
        public var value: Value
        /// What stands behind the value where people read it: ` dBm`.
        public var unit: String

        init(_ name: String, _ value: Value, unit: String = "") {
            self.name = name
            self.value = value
            self.unit = unit
        }
    }

    /// What it is called: `iBeacon`, `Eddystone-URL`, `Handoff`.
    public var name: String
    /// Empty where nothing is known of what the bytes mean, and where they break the rules of their kind.
    public var fields: [Field] = []
    /// Whether the bytes break the rules of their kind.
    public var isMalformed = false
    /// All of its bytes, as they follow its kind.
    public var bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8], _ fields: [Field] = [], isMalformed: Bool = false) {
        self.name = name
        self.bytes = bytes
        self.fields = fields
        self.isMalformed = isMalformed
    }

    /// What an advertisement says in such forms, in the order of its structures.
    public static func all(in data: AdvertisingData) -> [BroadcastMessage] { data.structures.flatMap(all) }

    /// What one structure says in such forms; nothing for most.
    public static func all(in structure: AdvertisingData.Structure) -> [BroadcastMessage] {
        let bytes = structure.bytes
        switch structure.type {
        case .manufacturerSpecific where bytes.starts(with: [0x4C, 0x00]):
            return AppleMessages.decode(Array(bytes.dropFirst(2)))
        case .serviceData16 where bytes.starts(with: [0xAA, 0xFE]):
            return [EddystoneFrame.decode(Array(bytes.dropFirst(2)))]
        default: return []
        }
    }

    /// In a line: `iBeacon 5A4BCFCE-…, major 7, minor 258, -59 dBm`.
    public var text: String {
        let details = isMalformed ? "malformed" : fields.map(\.text).joined(separator: ", ")
        return details.isEmpty ? name : name + " " + details
    }
}

extension BroadcastMessage.Field {
    fileprivate var text: String {
        switch value {
        case .text(let text): DecodedValue.harmless(text) + unit
        case .number(let number) where unit.isEmpty: "\(name) \(number)"
        default: valueText + unit
        }
    }

    /// The value alone, as JSON has it, too, where it is a number.
    public var valueText: String {
        switch value {
        case .text(let text): return text
        case .number(let number): return "\(number)"
        case .decimal(let units, let decimals):
            var digits = String(units.magnitude)
            digits = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
            return (units < 0 ? "-" : "") + digits.dropLast(decimals) + "." + digits.suffix(decimals)
        }
    }
}
