import Foundation
import Testing

@Suite("What the playgrounds print")
struct PlaygroundTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: package.appending(path: folder).path)
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    @Test("Each program has a file in Prints with what it prints")
    func everyProgram() throws {
        #expect(try Self.names(in: "Prints") == Self.names(in: "Sources").map { $0 + ".txt" })
    }

    @Test("A program prints what its file in Prints says, in each process", arguments: try names(in: "Sources"))
    func prints(program: String) throws {
        let expected = try String(contentsOf: Self.package.appending(path: "Prints/\(program).txt"), encoding: .utf8)
        #expect(expected.count > 20)
        for _ in 1...2 { #expect(try Self.run(program) == expected) }
    }

    /// What a program prints that ends as it should.
    private static func run(_ name: String) throws -> String {
        let process = Process()
        // The programs of a build lie beside the test bundle.
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: name)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && process.terminationReason == .exit)
        return printed
    }
}
