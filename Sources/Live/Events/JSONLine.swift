import BluethroatByteCoding
public import BluethroatVirtualTime

/// One JSON object on one line, its keys in the order in which they were added. RFC 8259.
public struct JSONLine: Sendable {
    private var body = ""

    /// An object within another.
    public init() {}

    /// An object whose `"event"` comes first, and after it the `"time"` in seconds, if there is one.
    public init(event: String, time: Instant? = nil) {
        add("event", event)
        if let time { add("time", time.sinceStart) }
    }

    /// The whole object, without an end of line.
    public var text: String { "{" + body + "}" }

    /// A text, quoted.
    public mutating func add(_ key: String, _ value: String) { addRaw(key, Self.quoted(value)) }

    /// A whole number.
    public mutating func add(_ key: String, _ value: Int) { addRaw(key, String(value)) }

    /// `true` or `false`.
    public mutating func add(_ key: String, _ value: Bool) { addRaw(key, value ? "true" : "false") }

    /// A list of texts.
    public mutating func add(_ key: String, _ values: [String]) {
        addRaw(key, "[" + values.map(Self.quoted).joined(separator: ",") + "]")
    }

    /// A list of objects.
    public mutating func add(_ key: String, _ objects: [JSONLine]) {
        addRaw(key, "[" + objects.map(\.text).joined(separator: ",") + "]")
    }

    /// An object.
    public mutating func add(_ key: String, _ object: JSONLine) { addRaw(key, object.text) }

    /// A number that is written already.
    public mutating func add(_ key: String, decimal: String) { addRaw(key, decimal) }

    /// In seconds, to the nanosecond where there is need.
    public mutating func add(_ key: String, _ value: TimeSpan) { addRaw(key, Self.seconds(value)) }

    private mutating func addRaw(_ key: String, _ value: String) {
        if !body.isEmpty { body += "," }
        body += Self.quoted(key) + ":" + value
    }

    /// `0.5`, `12.000000001`, `-3.0`: exact, with one decimal at least.
    static func seconds(_ span: TimeSpan) -> String {
        let (whole, rest) = span.nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        var digits = String(rest)
        digits = String(repeating: "0", count: 9 - digits.count) + digits
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return (span.nanoseconds < 0 ? "-" : "") + "\(whole).\(digits)"
    }

    static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            // Names come from unknown devices.
            case _ where !scalar.isShown:
                for unit in String(scalar).utf16 {
                    out += "\\u" + [UInt8(unit >> 8), UInt8(unit & 0xFF)].hex
                }
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
