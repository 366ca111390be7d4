import Foundation
import Testing

@Suite("A seed's trace")
struct TraceDigestTests {
    /// What `trace-digest` prints in a process of its own, whose hash tables are in an order of their own.
    static func trace(seed: UInt64) throws -> String {
        let process = Process()
        // The programs of a build lie beside the test bundle.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("trace-digest")
        process.arguments = ["\(seed)"]
        process.environment = ProcessInfo.processInfo.environment
        process.environment?["SWIFT_DETERMINISTIC_HASHING"] = nil
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text
    }

    @Test("Two processes give the same digest for the same seed, and others for others")
    func twoProcesses() throws {
        let first = try Self.trace(seed: 11)
        #expect(first.hasPrefix("seed 11 digest "))
        #expect(try Self.trace(seed: 11) == first)
        let other = try Self.trace(seed: 12)
        #expect(other.dropFirst("seed 12".count) != first.dropFirst("seed 11".count))
    }
}
