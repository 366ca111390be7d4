public import BluethroatByteCoding

/// A named part of a packet: a whole PDU, a field, or one of several entries.
public struct DissectedField: Sendable {
    /// The name in the Core Specification.
    public let name: String
    /// The first bit, counted from the first octet of the packet that was dissected; bit 0 of an octet is its lowest.
    public let bitOffset: Int
    public let bitCount: Int
    /// What the field holds; nil for PDUs and groups.
    public let value: FieldValue?
    /// What it holds in words: `24 (30 ms)`, `0x13 (…)`.
    public let text: String
    /// The parts.
    public let children: [DissectedField]

    /// The octets that the field is in.
    public var octets: Range<Int> { bitOffset / 8..<(bitOffset + bitCount + 7) / 8 }

    /// All fields that have no parts, in the order of the packet.
    public var leaves: [DissectedField] { children.isEmpty ? [self] : children.flatMap(\.leaves) }
}

extension DissectedField: CustomStringConvertible {
    /// One line a field, parts indented.
    public var description: String { lines(indent: "").joined(separator: "\n") }

    private func lines(indent: String) -> [String] {
        ["\(indent)\(name)\(text.isEmpty ? "" : ": " + text)"] + children.flatMap { $0.lines(indent: indent + "  ") }
    }
}

extension DissectedField {
    /// A field that a description led to, in a packet that begins at an octet of the whole.
    init(_ reading: FieldReading, from octet: Int) {
        name = reading.description.name
        bitOffset = 8 * octet + reading.bitOffset
        bitCount = reading.bitCount
        if case .group = reading.description.shape {
            value = nil
            text = reading.groups.isEmpty ? "none" : ""
            children = reading.groups.flatMap { $0.map { DissectedField($0, from: octet) } }
        } else {
            value = reading.value
            text = Self.text(reading.value, reading.description)
            children = []
        }
    }

    /// A PDU with its parts; the octets are those of `bytes` in the whole packet.
    init(_ name: String, _ text: String = "", in bytes: ArraySlice<UInt8>, _ children: [DissectedField]) {
        self.name = name
        self.text = text
        bitOffset = 8 * bytes.startIndex
        bitCount = 8 * bytes.count
        value = nil
        self.children = children
    }

    /// Bytes that no description says more about.
    init(_ name: String, bytes: ArraySlice<UInt8>, text: String? = nil) {
        self.name = name
        self.text = text ?? Array(bytes).hex
        bitOffset = 8 * bytes.startIndex
        bitCount = 8 * bytes.count
        value = .bytes(Array(bytes))
        children = []
    }

    private static func text(_ value: FieldValue, _ description: FieldDescription) -> String {
        let plain =
            switch value {
            case .unsigned(let number): "0x" + String(number, radix: 16, uppercase: true)
            case .signed(let number): String(number)
            case .bytes(let bytes): bytes.hex
            case .groups: ""
            }
        let meaning = description.meaning(value) ?? value.number.flatMap { description.unit?.text($0) }
        return meaning.map { "\(plain) (\($0))" } ?? plain
    }
}
