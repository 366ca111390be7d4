import BluethroatEvents
import BluethroatStudies
import BluethroatVirtualTime
import Foundation

/// What a number measures, and in which units it is written. Numbers are kept in the unit whose factor is 1.
enum Dimension: Sendable {
    case number
    case time
    case length
    case speed
    case power
    case ratio
    case share
    case current
    case bytes

    /// Units with what they are in the first-rate one. A dimension whose first unit is empty takes numbers without one.
    var units: [(name: String, factor: Double)] {
        switch self {
        case .number: [("", 1)]
        case .time:
            [("s", 1), ("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6), ("min", 60), ("h", 3_600)]
        case .length: [("m", 1), ("cm", 1e-2), ("mm", 1e-3), ("km", 1_000)]
        case .speed: [("m/s", 1), ("km/h", 1 / 3.6)]
        case .power: [("dBm", 1)]
        case .ratio: [("dB", 1)]
        case .share: [("", 1), ("%", 1e-2)]
        case .current: [("A", 1), ("mA", 1e-3), ("uA", 1e-6), ("µA", 1e-6), ("nA", 1e-9)]
        case .bytes: [("B", 1), ("kB", 1_000), ("", 1)]
        }
    }

    /// What is wrong with a unit that is none of these.
    private func fault(inUnit wrong: some StringProtocol) -> String {
        let names = units.map(\.name).filter { !$0.isEmpty }
        guard !names.isEmpty else { return "\(wrong) is one too much: it has no unit; give a number as in \(example)" }
        return "\(wrong) is no unit of it; give \(names.joined(separator: ", "))"
    }

    /// A number with its unit, as in `100 ms`.
    func number(_ text: String) throws(InvalidText) -> Double {
        let digits = text.prefix { $0.isNumber || "+-.".contains($0) || $0 == "e" || $0 == "E" }
        // The Greek letter looks like the sign for micro.
        let unit = text.dropFirst(digits.count).drop { $0 == " " }.replacing("\u{3BC}", with: "\u{B5}")
        guard let number = Double(decimal: digits) else {
            throw InvalidText("\(text.isEmpty ? "nothing" : text) is no number; give one as in \(example)")
        }
        guard let factor = units.first(where: { $0.name == unit })?.factor else {
            throw InvalidText(
                unit.isEmpty
                    ? "\(text) has no unit; give one as in \(text) \(units[0].name)"
                    : fault(inUnit: unit)
            )
        }
        let result = number * factor
        guard result.isFinite else { throw InvalidText("\(text) is too large a number; give a smaller one") }
        return result.roundedToTwelveDigits
    }

    /// The number as people read it, with a unit.
    func text(_ number: Double) -> String {
        switch self {
        case .time where number != 0 && number.magnitude < 1: "\((number * 1_000).digits) ms"
        case .time where number >= 120 && number.truncatingRemainder(dividingBy: 60) == 0: "\((number / 60).digits) min"
        case .current where number.magnitude < 1e-3: "\((number * 1e6).digits) µA"
        case .current: "\((number * 1_000).digits) mA"
        case .share: "\((number * 100).digits) %"
        case .number, .bytes: number.digits
        default: "\(number.digits) \(units[0].name)"
        }
    }

    /// Behind the name of a column, for the unit in which its numbers are.
    var suffix: String {
        switch self {
        case .number, .share: ""
        case .speed: "_m_per_s"
        case .bytes: "_bytes"
        default: "_\(units[0].name)"
        }
    }

    private var example: String {
        switch self {
        case .number: "10"
        case .time: "100 ms"
        case .length: "50 m"
        case .speed: "1.4 m/s"
        case .power: "-4 dBm"
        case .ratio: "8 dB"
        case .share: "5 %"
        case .current: "4.6 mA"
        case .bytes: "20 B"
        }
    }
}

extension Double {
    /// As it is written with twelve digits: 16.1 kB are 16100 B, and 5.4 km/h are 1.5 m/s, to the last bit.
    fileprivate var roundedToTwelveDigits: Double {
        let exponent = magnitude == 0 ? 0 : Int(log10(magnitude).rounded(.down))
        // Powers of ten up to 22 are exact, and so is then the quotient.
        guard (-11...11).contains(exponent) else { return self }
        let scale = pow(10, Double(11 - exponent))
        return (self * scale).rounded() / scale
    }
}
