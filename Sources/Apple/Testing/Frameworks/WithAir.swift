import CoreBluetooth

/// Runs code on an air of its own: for tests that want another one for each seed, and for other frameworks.
///
///     @Test(arguments: 1...20) func survivesLosses(seed: UInt64) throws {
///         try withAir(seed: seed) { air in … }
///     }
public func withAir<Result>(seed: UInt64 = 1, _ body: (Air) throws -> Result) rethrows -> Result {
    let air = Air(seed: seed)
    return try Air.$bound.withValue(air) {
        try BluetoothEnvironment.$current.withValue(air.app.environment) {
            try air.executor.hold { try body(air) }
        }
    }
}

/// The same for code that is asynchronous: its tasks run on the air.
public func withAir<Result>(seed: UInt64 = 1, _ body: (Air) async throws -> Result) async rethrows -> Result {
    let air = Air(seed: seed)
    return try await air.bind { try await body(air) }
}
