/// What a bench came to.
struct Figure {
    let bench: Bench
    let value: Double
    /// What the Bumble pair came to; nil where it was not asked, or has no such thing.
    let bumble: Double?

    /// How many times better than Bumble.
    var ratio: Double? { bumble.map { bench.isBetterLow ? $0 / value : value / $0 } }

    /// Whether the target is met; nil where there is none, or nothing to compare with.
    var isMet: Bool? {
        switch bench.target {
        case .timesBumble(let factor): ratio.map { $0 >= factor }
        case .atLeast(let least): value >= least
        case .below(let limit): value < limit
        case nil: nil
        }
    }
}
