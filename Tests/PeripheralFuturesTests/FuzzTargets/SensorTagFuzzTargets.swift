import FuzzInputs

/// A phone that plays a SensorTag, and a central that sets it to anything.
enum SensorTagFuzzTargets {
    static let all = [centrals]

    /// Each request is answered; a setting is one byte that means something, or stays what it was; and what is switched off
    /// tells of nothing.
    static let centrals = FuzzTarget(machine: "att-sensortag", upTo: 60) { input in
        var world = try CuriousCentral()
        for _ in 0..<12 where !input.isEmpty { try world.step(&input) }
        try world.checkWorks()
    }
}
