import Foundation
import Testing

@Suite("Recorded worlds with phones and apps")
struct AppTraceDigestTests {
    @Test("Every world is as recorded, in a process whose hash tables are in an order of their own")
    func recorded() throws {
        let records = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Records/apps.tsv")
        let process = Process()
        // The programs of a build lie beside the test bundle.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("app-trace-digest")
        process.arguments = ["--check", records.path]
        process.environment = ProcessInfo.processInfo.environment
        process.environment?["SWIFT_DETERMINISTIC_HASHING"] = nil
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let count = try String(contentsOf: records, encoding: .utf8).split(separator: "\n").count
        #expect(process.terminationStatus == 0 && text == "\(count) worlds are as recorded\n", "\(text)")
    }
}
