import Foundation

/// The same bench done by a pair of Bumble devices, in a process of its own.
struct BumblePair {
    /// A Python that has Bumble.
    let python: String

    /// What Bumble comes to; nil for benches it does not have.
    func figure(of bench: Bench, _ effort: Effort) throws -> Double? {
        guard bench.isBumbles else { return nil }
        var arguments = [script, "--only", bench.name, "--seconds", "\(effort.seconds)"]
        if effort.clock == .processor { arguments.append("--cpu-time") }
        return try OtherProcess(python, arguments).value(of: bench.name)
    }

    private var script: String {
        URL(fileURLWithPath: #filePath).appendingPathComponent("../../../bumble_pair.py").standardized.path
    }
}
