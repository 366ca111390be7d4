import FuzzInputs

/// A key fob whose centrals send anything, while somebody plays with its keys.
enum KeyFobFuzzTargets {
    static let all = [centrals]

    /// A fob answers each request once, has no value that its firmware has not, and comes to rest when it is left alone.
    static let centrals = FuzzTarget(machine: "att-keyfob", upTo: 500) { input in
        var world = HostileCentral(&input)
        for _ in 0..<150 where !input.isEmpty { world.step(&input) }
        world.checkWorks()
    }
}
