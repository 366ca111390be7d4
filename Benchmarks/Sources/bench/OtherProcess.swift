import Foundation

/// A program that prints figures as JSON, one object a line, perhaps among other lines.
struct OtherProcess {
    private let executable: String
    private let arguments: [String]

    init(_ executable: String, _ arguments: [String]) {
        self.executable = executable
        self.arguments = arguments
    }

    /// Runs it to its end, and picks one figure of what it prints.
    func value(of bench: String) throws -> Double {
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: executable)
        process.arguments = arguments
        process.standardOutput = output
        do { try process.run() } catch { throw BenchError("cannot run \(executable): \(error.localizedDescription)") }
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchError("\(executable) failed with \(bench)") }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.first == "{" {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            if object?["bench"] as? String == bench, let value = object?["value"] as? NSNumber {
                return value.doubleValue
            }
        }
        throw BenchError("\(executable) has no figure for \(bench)")
    }
}
