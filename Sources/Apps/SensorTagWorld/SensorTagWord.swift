import BluethroatPeripheralApps
import BluethroatPeripheralFutures
import BluethroatVirtualTime

/// What can be said to a SensorTag, one a line.
enum SensorTagWord: Equatable {
    case hold(x: Double, y: Double, z: Double)
    case move(SensorTag.Motion)
    case press(TiSensorTag.KeyPressedService.State)
    case set(sensor: String, value: [String: String])
    case bluetooth(Bool)
    case quit

    static let all =
        "a X Y Z, move still|turning|shaking, key none|one|two, set SENSOR NAME=VALUE…, bluetooth on|off, q"

    /// Nil for nothing; throws what is wrong, in one line.
    init?(_ line: String) throws(Nonsense) {
        let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else { return nil }
        let rest = Array(words.dropFirst())
        switch (first, rest.count) {
        case ("q", 0), ("quit", 0): self = .quit
        case ("a", 3):
            let numbers = rest.compactMap { Double(decimal: $0) }
            guard numbers.count == 3 else { throw Nonsense(line) }
            self = .hold(x: numbers[0], y: numbers[1], z: numbers[2])
        case ("move", 1):
            guard let motion = SensorTag.Motion(rawValue: rest[0]) else { throw Nonsense(line) }
            self = .move(motion)
        case ("key", 1):
            switch rest[0] {
            case "none": self = .press(.none)
            case "one": self = .press(.buttonOne)
            case "two": self = .press(.buttonTwo)
            default: throw Nonsense(line)
            }
        case ("bluetooth", 1) where ["on", "off"].contains(rest[0]): self = .bluetooth(rest[0] == "on")
        case ("set", 2...):
            var value: [String: String] = [:]
            for word in rest.dropFirst() {
                let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { throw Nonsense(line) }
                value[String(parts[0])] = String(parts[1])
            }
            self = .set(sensor: rest[0], value: value)
        default: throw Nonsense(line)
        }
    }

    /// A line that means nothing.
    struct Nonsense: Error, CustomStringConvertible {
        let description: String

        init(_ line: String) {
            let shown = line.unicodeScalars.prefix(60).map { $0.isASCII && $0.value >= 0x20 ? Character($0) : "?" }
            description = "what is \"\(String(shown))\"? say \(SensorTagWord.all)"
        }
    }
}
