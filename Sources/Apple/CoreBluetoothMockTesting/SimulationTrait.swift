import BluethroatTesting
import CoreBluetoothMock
public import Testing

/// Gives each test a simulation of its own in virtual time, which passes as fast as it can be computed while the test waits:
/// `@Test(.simulation)`, `@Suite(.simulation)`.
///
/// Static calls of `CBMCentralManagerMock` and calls of specifications concern the simulation of the test's task. Tests run
/// side by side, and each does the same in every run.
public struct SimulationTrait: TestTrait, SuiteTrait, TestScoping {
    let air: AirTrait

    /// A suite's trait is for each of its tests.
    public var isRecursive: Bool { true }

    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await air.provideScope(for: test, testCase: testCase) {
            let run = SimulationRun(Air.current)
            defer { run.end() }
            try await SimulationRun.$current.withValue(run) {
                run.begin()
                try await function()
            }
        }
    }
}

extension Trait where Self == SimulationTrait {
    /// A simulation for each test, with the seed 1, or that of `BLUETHROAT_SEED`.
    public static var simulation: Self { .simulation() }

    /// A simulation for each test.
    ///
    /// - Parameter seed: decides everything random; nil is that of the suite, of `BLUETHROAT_SEED`, or 1.
    public static func simulation(seed: UInt64? = nil) -> Self {
        Self(air: .air(seed: seed, phoneName: "Phone", settings: .mockPhone))
    }
}
