import Foundation

/// How values become places along an axis: evenly, or, where the greatest is more than twenty times the least, by their
/// logarithms.
package struct PlotScale {
    package let values: ClosedRange<Double>
    package let places: ClosedRange<Double>
    package let isLogarithmic: Bool

    /// The values that are to be seen, and the places of the ends. Values that are all the same are in the middle.
    package init(_ seen: [Double], places: ClosedRange<Double>, evenly: Bool = false) {
        let least = seen.min() ?? 0, greatest = seen.max() ?? 1
        values = least...max(least, greatest)
        self.places = places
        isLogarithmic = !evenly && least > 0 && greatest / least > 20
    }

    package func place(of value: Double) -> Double {
        guard values.lowerBound < values.upperBound else { return (places.lowerBound + places.upperBound) / 2 }
        let first = turned(values.lowerBound), last = turned(values.upperBound)
        let share = (turned(value) - first) / (last - first)
        return places.lowerBound + share * (places.upperBound - places.lowerBound)
    }

    private func turned(_ value: Double) -> Double { isLogarithmic ? log(value) : value }

    /// Round values, some five of them, 1, 2 or 5 times a power of ten apart.
    package var roundTicks: [Double] {
        let span = values.upperBound - values.lowerBound
        guard span > 0 else { return [values.lowerBound] }
        let power = pow(10, floor(log10(span / 5)))
        let step = [1, 2, 5, 10].map { $0 * power }.first { span / $0 <= 6 } ?? power
        // Values so near each other, or to zero, that there is no number between them.
        guard step.isNormal, max(values.lowerBound.magnitude, values.upperBound.magnitude) / step < 1e15 else {
            return [values.lowerBound]
        }
        let first = (values.lowerBound / step).rounded(.up)
        return stride(from: first, through: values.upperBound / step + 1e-9, by: 1).map { $0 * step }
    }

    /// As many of these as have room beside each other.
    package func ticks(of candidates: [Double], apart: Double) -> [Double] {
        var ticks: [Double] = []
        for value in candidates.sorted() {
            if let last = ticks.last, place(of: value) - place(of: last) < apart { continue }
            ticks.append(value)
        }
        return ticks
    }
}
