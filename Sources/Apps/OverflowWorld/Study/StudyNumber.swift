package import BluethroatEvents
import BluethroatOverflowStudy
import BluethroatStudies
import BluethroatVirtualTime

/// Which numbers an option of a study takes.
package struct StudyNumber: Sendable {
    package let range: ClosedRange<Double>
    package var isWhole = false

    package static let phones = Self(range: 1...2_000_000, isWhole: true)
    package static let scanners = Self(range: 1...10_000, isWhole: true)
    package static let area = Self(range: 1...100_000)
    package static let rotation = Self(range: 0.1...3_600)
    package static let interval = Self(range: 20...10_240)
    package static let pollution = Self(range: 0...1)
    package static let speed = Self(range: 0...100)
    package static let foreign = Self(range: 0...64, isWhole: true)
    package static let ios = Self(range: 8...99, isWhole: true)
    package static let minutes = Self(range: 0.1...1_440)
    package static let within = Self(range: 0.001...86_400)
    package static let worlds = Self(range: 1...10_000, isWhole: true)
    package static let threads = Self(range: 1...1_024, isWhole: true)

    package func single(_ text: String) throws(InvalidText) -> Double {
        guard let number = Double(decimal: text), range.contains(number), !isWhole || number == number.rounded() else {
            throw InvalidText("\(text.isEmpty ? "nothing" : text) is not possible; give \(wanted)")
        }
        return number
    }

    /// Several with commas between, each once.
    package func list(_ text: String) throws(InvalidText) -> [Double] {
        var numbers: [Double] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let number = try single(part.trimming { $0 == " " })
            guard !numbers.contains(number) else { throw InvalidText("\(part) is there twice") }
            numbers.append(number)
        }
        return numbers
    }

    private var wanted: String {
        let ends = "\(range.lowerBound.digits) to \(range.upperBound.digits)"
        return isWhole ? "a whole number from \(ends)" : "a number from \(ends)"
    }
}

extension Substring {
    /// Without such characters at both ends.
    fileprivate func trimming(_ isEmpty: (Character) -> Bool) -> String {
        String(drop(while: isEmpty).reversed().drop(while: isEmpty).reversed())
    }
}
