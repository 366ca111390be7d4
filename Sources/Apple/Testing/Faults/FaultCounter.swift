import BluethroatVirtualTime

/// A fault that was injected, and how often there was an occasion for it.
struct FaultCounter {
    let fault: Fault
    /// Which call has injected it.
    let injection: Int
    private(set) var occasions = 0
    private(set) var happened = 0
    /// Whether it is awaited no longer.
    var hasEnded = false
    private var random: SeededRandom

    init(_ fault: Fault, injection: Int, random: SeededRandom) {
        self.fault = fault
        self.injection = injection
        self.random = random
    }

    /// Counts an occasion. True if the fault happens on it.
    mutating func comes() -> Bool {
        guard !hasEnded else { return false }
        occasions += 1
        let comes =
            switch fault.turn {
            case .next: occasions == 1
            case .number(let number): occasions == number
            case .first(let count): occasions <= count
            case .every(let number): occasions.isMultiple(of: number)
            case .always: true
            case .share(let share): random.chance(Ratio(share: share))
            }
        if comes { happened += 1 }
        return comes
    }

    /// What was to come has not come, or not all of it.
    var isAwaited: Bool {
        switch fault.turn {
        case .next, .number: happened == 0
        case .first(let count): happened < count
        case .every, .always, .share: happened == 0
        }
    }
}
