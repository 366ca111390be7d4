import BluethroatEvents
import BluethroatStudies

/// The numbers from one to another, by steps or by a factor.
struct ValueRange {
    /// How it goes on from a number.
    enum Advance {
        case step(Double)
        case factor(Double)
    }

    let first: Double
    let last: Double
    let advance: Advance

    /// All of them as text, in the unit of the dimension. The last one may lie a hair beyond, so that rounding loses none.
    ///
    /// - Parameter most: how many there may be.
    /// - Throws: what speaks against them, before there are many.
    func texts(_ dimension: Dimension, most: Int) throws(InvalidText) -> [String] {
        let unit = dimension.units[0].name
        var texts: [String] = []
        for number in try numbers(most) {
            let text = number.digits + (unit.isEmpty ? "" : " \(unit)")
            guard text != texts.last else {
                throw InvalidText("the \(word) is too small: \(text) comes twice; give a larger one")
            }
            texts.append(text)
        }
        return texts
    }

    private func numbers(_ most: Int) throws(InvalidText) -> [Double] {
        let tooMany = InvalidText("that makes more than \(most) values; give a larger \(word)")
        switch advance {
        case .step(let step):
            let count = (last - first) / step + 1e-6
            guard count < Double(most) else { throw tooMany }
            return (0...Int(count)).map { first + Double($0) * step }
        case .factor(let factor):
            let end = last + 1e-9 * last.magnitude
            var numbers: [Double] = [], next = first
            while next <= end {
                guard numbers.count < most else { throw tooMany }
                numbers.append(next)
                next *= factor
            }
            return numbers
        }
    }

    private var word: String {
        switch advance {
        case .step: "step"
        case .factor: "factor"
        }
    }
}
