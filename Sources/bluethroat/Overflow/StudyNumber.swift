#if canImport(OverflowStudy)
    import ArgumentParser
    import OverflowStudy

    /// Which numbers an option of a study takes.
    struct StudyNumber: Sendable {
        let range: ClosedRange<Double>
        var isWhole = false

        static let phones = Self(range: 1...100_000, isWhole: true)
        static let scanners = Self(range: 1...1_000, isWhole: true)
        static let area = Self(range: 1...100_000)
        static let rotation = Self(range: 0.1...3_600)
        static let interval = Self(range: 20...10_240)
        static let pollution = Self(range: 0...1)
        static let speed = Self(range: 0...100)
        static let ios = Self(range: 8...99, isWhole: true)
        static let minutes = Self(range: 0.1...1_440)
        static let within = Self(range: 0.001...86_400)
        static let worlds = Self(range: 1...10_000, isWhole: true)
        static let threads = Self(range: 1...1_024, isWhole: true)

        func single(_ text: String) throws(ValidationError) -> Double {
            guard let number = Double(text), range.contains(number), !isWhole || number == number.rounded() else {
                throw ValidationError("\(text.isEmpty ? "nothing" : text) is not possible; give \(wanted)")
            }
            return number
        }

        /// Several with commas between, each once.
        func list(_ text: String) throws(ValidationError) -> [Double] {
            var numbers: [Double] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let number = try single(part.trimming { $0 == " " })
                guard !numbers.contains(number) else { throw ValidationError("\(part) is there twice") }
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
#endif
