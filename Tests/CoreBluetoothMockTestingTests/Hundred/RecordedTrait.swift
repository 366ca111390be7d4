import BluethroatTesting
import Foundation
import Testing

/// Leaves a line for each test in the file that `BLUETHROAT_MOCK_SUITE` names: what was run, how much of the simulation's time
/// its waits took, and the fingerprint of all packets. `Scripts/mock-suite` compares them.
struct RecordedTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    @concurrent
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await function()
        guard let path = ProcessInfo.processInfo.environment["BLUETHROAT_MOCK_SUITE"] else { return }
        let air = Air.current
        let line = "\(test.name)\t\(air.now.inSeconds)\t\(air.digest)\n"
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o644)
        guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(file) }
        // In one piece: tests run side by side.
        _ = line.withCString { write(file, $0, strlen($0)) }
    }
}

extension Trait where Self == RecordedTrait {
    static var recorded: Self { Self() }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
