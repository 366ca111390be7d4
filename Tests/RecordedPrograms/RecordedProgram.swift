public import Foundation

/// One run of a program that records worlds, in a process of its own, whose hash tables are in an order of their own.
public struct RecordedProgram: Sendable {
    public let status: Int32
    public let output: String
    public let errors: String

    public init(_ name: String, _ arguments: [String]) throws {
        let process = Process()
        // The programs of a build lie beside the test bundle.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent(name)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
        process.environment?["SWIFT_DETERMINISTIC_HASHING"] = nil
        let output = Pipe(), errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Errors are fewer bytes than a pipe holds before it is read.
        self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }

    /// A file of recorded worlds; a test says where it is itself.
    public static func records(_ name: String, besides test: String = #filePath) -> URL {
        URL(fileURLWithPath: test).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Records/\(name)")
    }

    /// Lines of a file of recorded worlds.
    public static func lines(of records: URL) throws -> [String] {
        try String(contentsOf: records, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
