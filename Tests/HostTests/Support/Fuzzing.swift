import class Foundation.ProcessInfo

/// How long to fuzz: `BLUETHROAT_FUZZ_INPUTS` inputs for each target.
enum Fuzzing {
    static let inputs = inputs(unlessTold: 100_000)

    /// For targets that take more time over an input.
    static func inputs(unlessTold count: Int) -> Int {
        ProcessInfo.processInfo.environment["BLUETHROAT_FUZZ_INPUTS"].flatMap(Int.init) ?? count
    }
}
