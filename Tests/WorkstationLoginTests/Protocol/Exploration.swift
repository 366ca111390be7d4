import Foundation

@testable import BluethroatWorkstationLogin

/// Something that can be in a state, and can be told any of its symbols at any time.
protocol ExploredModel {
    associatedtype Symbol: CaseIterable

    /// Equal for states from which the same follows.
    var key: String { get }

    /// Lets one thing happen, and checks what must never be. False if nothing has changed by it.
    mutating func play(_ symbol: Symbol) -> Bool
}

/// Plays every order of a model's symbols up to a length. What follows from a state that was seen before, with as many
/// symbols to come or more, is not played again: it is the same.
struct Exploration<Model: ExploredModel> {
    private(set) var stepsPlayed = 0
    private(set) var states: [String: Int] = [:]
    let length: Int

    init(_ model: Model, length: Int) {
        self.length = length
        explore(model, length)
    }

    /// How many orders of exactly this length there are; all of them are covered.
    var ordersCovered: Int { (0..<length).reduce(1) { product, _ in product * Model.Symbol.allCases.count } }

    private mutating func explore(_ model: Model, _ rest: Int) {
        guard rest > 0, states[model.key, default: 0] < rest else { return }
        states[model.key] = rest
        for symbol in Model.Symbol.allCases {
            var next = model
            stepsPlayed += 1
            if next.play(symbol) { explore(next, rest - 1) }
        }
    }
}

/// Whether states that a model calls equal go on alike, so that an `Exploration` may leave one of them out. Plays orders at
/// random, and leaves nothing out.
struct Likeness<Model: ExploredModel> {
    private(set) var stepsPlayed = 0
    /// What went on in two ways from states with the same key.
    private(set) var differences: [String] = []
    private var known: [String: String] = [:]

    init(_ model: Model, orders: Int, length: Int, seed: UInt64) {
        let random = RandomBytes.seeded(seed)
        let symbols = Array(Model.Symbol.allCases)
        for _ in 0..<orders {
            var state = model
            for _ in 0..<length {
                let symbol = symbols[Int(random(1)[0]) % symbols.count]
                let before = "\(symbol) in \(state.key)"
                _ = state.play(symbol)
                stepsPlayed += 1
                let after = state.key
                if let other = known.updateValue(after, forKey: before), other != after {
                    differences.append("\(before): \(other), and \(after)")
                }
            }
        }
    }
}
