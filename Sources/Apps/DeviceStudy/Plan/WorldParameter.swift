import BluethroatEvents
import BluethroatStudies

/// A value of a parameter: a number in the unit of its dimension, or a word.
enum StudyValue: Hashable, Sendable {
    case number(Double)
    case word(String)

    /// All digits: what a key of a task is made of.
    var key: String {
        switch self {
        case .number(let number): "\(number)"
        case .word(let word): word
        }
    }
}

/// Something that a study may set and vary.
struct WorldParameter: Sendable {
    enum Kind: Sendable {
        /// Where a unit has so many steps, the nearest one is taken.
        case number(Dimension, ClosedRange<Double>, isWhole: Bool = false, steps: Double? = nil)
        case choice([String])
        /// The name of another group of devices.
        case group
        /// The path of a file; not to be varied.
        case file
    }

    /// Advertising and scanning are timed in steps of 0.625 ms: Core 6.0, Vol 4, Part E, 7.8.5 and 7.8.10.
    static let slotsPerSecond = 1_600.0

    /// `beacons.interval`
    let path: String
    let kind: Kind
    let initial: StudyValue

    init(_ path: String, _ kind: Kind, _ initial: StudyValue) {
        self.path = path
        self.kind = kind
        self.initial = initial
    }

    /// The part behind the last point.
    var name: String { path.split(separator: ".").last.map(String.init) ?? path }

    func value(_ text: String) throws(InvalidText) -> StudyValue {
        switch kind {
        case .number(let dimension, let range, let isWhole, let steps):
            let exact = try dimension.number(text)
            let number = steps.map { (exact * $0).rounded() / $0 } ?? exact
            guard range.contains(number), !isWhole || number == number.rounded() else {
                let ends = "\(dimension.text(range.lowerBound)) to \(dimension.text(range.upperBound))"
                throw InvalidText("\(text) is not possible; give \(isWhole ? "a whole number from " : "")\(ends)")
            }
            return .number(number)
        case .choice(let words):
            guard words.contains(text) else {
                throw InvalidText("\(text) is not possible; give \(words.joined(separator: ", "))")
            }
            return .word(text)
        case .group, .file:
            guard !text.isEmpty else { throw InvalidText("nothing is given") }
            return .word(text)
        }
    }

    func text(_ value: StudyValue) -> String {
        guard let dimension, case .number(let number) = value else { return value.key }
        return dimension.text(number)
    }

    /// As in a cell of a CSV file, without a unit.
    func plainText(_ value: StudyValue) -> String {
        if case .number(let number) = value { return number.digits }
        return value.key
    }

    var column: String {
        path + (dimension?.suffix ?? "")
    }

    var dimension: Dimension? { if case .number(let dimension, _, _, _) = kind { dimension } else { nil } }
}

/// The values of all parameters of one row.
struct WorldSettings: Hashable, Sendable {
    private var values: [String: StudyValue] = [:]

    subscript(path: String) -> StudyValue? {
        get { values[path] }
        set { values[path] = newValue }
    }

    /// A parameter that is a number. That there is one is the reader's business.
    func number(_ path: String) -> Double {
        guard case .number(let number) = values[path] else { preconditionFailure("\(path) is no number of this study") }
        return number
    }

    func whole(_ path: String) -> Int { Int(number(path)) }

    func word(_ path: String) -> String {
        guard case .word(let word) = values[path] else { preconditionFailure("\(path) is no word of this study") }
        return word
    }
}
