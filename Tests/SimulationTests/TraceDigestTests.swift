import Foundation
import Testing

/// `trace-digest` in a process of its own, whose hash tables are in an order of their own.
private struct DigestProgram {
    let status: Int32
    let output: String
    let complaints: String

    init(_ arguments: String...) throws {
        let process = Process()
        // The programs of a build lie beside the test bundle.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("trace-digest")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
        process.environment?["SWIFT_DETERMINISTIC_HASHING"] = nil
        let output = Pipe(), complaints = Pipe()
        process.standardOutput = output
        process.standardError = complaints
        try process.run()
        self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        self.complaints = String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }
}

@Suite("A seed's trace")
struct TraceDigestTests {
    private static let records = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Records/engine.tsv")

    private static func trace(seed: UInt64) throws -> String {
        let program = try DigestProgram("\(seed)")
        #expect(program.status == 0)
        return program.output
    }

    @Test("Two processes give the same digest for the same seed, and others for others")
    func twoProcesses() throws {
        let first = try Self.trace(seed: 11)
        #expect(first.hasPrefix("seed 11 digest "))
        #expect(try Self.trace(seed: 11) == first)
        let other = try Self.trace(seed: 12)
        #expect(other.dropFirst("seed 12".count) != first.dropFirst("seed 11".count))
    }

    @Test("Every world of the engine is as recorded")
    func recorded() throws {
        let program = try DigestProgram("--check", Self.records.path)
        #expect(program.status == 0, "\(program.complaints)")
        let count = try String(contentsOf: Self.records, encoding: .utf8).split(separator: "\n").count
        #expect(program.output == "\(count) worlds are as recorded\n")
    }

    @Test("A world that is not as recorded is named, as is one that is not recorded and one that does not exist")
    func different() throws {
        var lines = try String(contentsOf: Self.records, encoding: .utf8).split(separator: "\n").map(String.init)
        lines[0].replace("\t", with: " ")
        lines[1].replaceSubrange(lines[1].lastIndex(of: "\t")!..., with: "\t1")
        lines.remove(at: 2)
        lines.append("no-such-scene\t1\t0123456789abcdef\t99")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).tsv")
        defer { try? FileManager.default.removeItem(at: file) }
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        let program = try DigestProgram("--check", file.path)
        #expect(program.status == 1)
        let complaints = program.complaints.split(separator: "\n")
        try #require(complaints.count == 4, "\(program.complaints)")
        #expect(complaints[0].hasPrefix("trace-digest: key-fobs 2 differs: recorded "))
        #expect(complaints[1].hasPrefix("trace-digest: key-fobs 3 differs: recorded nothing, now "))
        #expect(complaints[2] == "trace-digest: no-such-scene 1 is recorded and does not exist")
        #expect(complaints[3].hasSuffix("worlds differ; the first is key-fobs 2"))
    }

    @Test(
        "What cannot be understood is refused",
        arguments: [["--chekc"], ["--check"], ["-1"], ["1", "2"], ["--scene", "x"]]
    )
    func misuse(_ arguments: [String]) throws {
        let program =
            arguments.count == 1 ? try DigestProgram(arguments[0]) : try DigestProgram(arguments[0], arguments[1])
        #expect(program.status == 2 && program.output.isEmpty && !program.complaints.isEmpty)
    }

    @Test("One line of a scene is the line of the record")
    func oneWorld() throws {
        let program = try DigestProgram("--scene", "pairing-legacy", "--seed", "7")
        #expect(program.status == 0)
        #expect(try String(contentsOf: Self.records, encoding: .utf8).contains(program.output))
    }
}
