import Foundation
import RecordedPrograms
import Testing

@Suite("A seed's trace")
struct TraceDigestTests {
    private static let records = RecordedProgram.records("engine.tsv")

    private static func run(_ arguments: String...) throws -> RecordedProgram {
        try RecordedProgram("trace-digest", arguments)
    }

    @Test("Two processes give the same digest for the same seed, and others for others")
    func twoProcesses() throws {
        let first = try Self.run("11")
        #expect(first.status == 0 && first.output.hasPrefix("seed 11 digest "))
        #expect(try Self.run("11").output == first.output)
        let other = try Self.run("12").output
        #expect(other.dropFirst("seed 12".count) != first.output.dropFirst("seed 11".count))
    }

    @Test("Every world of the engine is as recorded")
    func recorded() throws {
        let program = try Self.run("--check", Self.records.path)
        #expect(program.status == 0, "\(program.errors)")
        let count = try RecordedProgram.lines(of: Self.records).count
        #expect(count >= 200 && program.output == "\(count) worlds are as recorded\n")
    }

    @Test("A world that is not as recorded is named, as is one that is not recorded and one that does not exist")
    func different() throws {
        var lines = try RecordedProgram.lines(of: Self.records)
        // Spaces for tabs are no difference, another number of frames is one.
        lines[0].replace("\t", with: " ")
        lines[1].replaceSubrange(lines[1].lastIndex(of: "\t")!..., with: "\t1")
        lines.remove(at: 2)
        lines.append("no-such-scene\t1\t0123456789abcdef\t99")
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).tsv")
        defer { try? FileManager.default.removeItem(at: file) }
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        let program = try Self.run("--check", file.path)
        #expect(program.status == 1)
        let errors = program.errors.split(separator: "\n")
        try #require(errors.count == 4, "\(program.errors)")
        #expect(errors[0].hasPrefix("trace-digest: key-fobs 2 differs: recorded "))
        #expect(errors[1].hasPrefix("trace-digest: key-fobs 3 differs: recorded nothing, now "))
        #expect(errors[2] == "trace-digest: no-such-scene 1 is recorded and does not exist")
        #expect(errors[3].hasSuffix("worlds differ; the first is key-fobs 2"))
    }

    @Test(
        "What cannot be understood is refused",
        arguments: [["--chekc"], ["--check"], ["-1"], ["1", "2"], ["--scene", "x"], ["--check", "/no/such/file"]]
    )
    func misuse(_ arguments: [String]) throws {
        let program = try RecordedProgram("trace-digest", arguments)
        #expect(program.status == 2 && program.output.isEmpty && !program.errors.isEmpty)
    }

    @Test("One line of a scene is the line of the record")
    func oneWorld() throws {
        let program = try Self.run("--scene", "pairing-legacy", "--seed", "7")
        let line = try RecordedProgram.lines(of: Self.records).first { $0.hasPrefix("pairing-legacy\t7\t") }
        #expect(program.status == 0 && program.output == (line ?? "no line") + "\n")
        let other = try Self.run("--scene", "pairing-legacy", "--seed", "0")
        #expect(other.status == 1 && other.output.isEmpty && other.errors.contains("the seeds are 1 to 25"))
    }
}
