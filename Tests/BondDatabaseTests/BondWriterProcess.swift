import Foundation

/// `bond-writer` in a process of its own.
struct BondWriterProcess {
    /// The programs of a build lie beside the test bundle.
    static var path: String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("bond-writer").path
    }

    /// Whether somebody who may do nothing may run it.
    static var isReadableByAll: Bool {
        var url = URL(fileURLWithPath: path)
        while url.path != "/" {
            var status = stat()
            guard stat(url.path, &status) == 0, status.st_mode & 0o005 == 0o005 else { return false }
            url.deleteLastPathComponent()
        }
        return true
    }

    private let process = Process()
    private let output = Pipe()
    private var lines: [String] = []
    private var rest: [UInt8] = []

    init(file: String, seed: UInt64, process number: UInt64 = 0, count: Int? = nil) throws {
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = [file, "\(seed)", "\(number)"] + (count.map { ["\($0)"] } ?? [])
        process.standardOutput = output
        try process.run()
    }

    /// Reads until so many promises have been made, or all.
    mutating func read(_ count: Int = .max) {
        let descriptor = output.fileHandleForReading.fileDescriptor
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while lines.count < count {
            let length = Foundation.read(descriptor, &buffer, buffer.count)
            guard length > 0 else { return }
            for byte in buffer[..<length] {
                if byte == 0x0A {
                    lines.append(String(decoding: rest, as: UTF8.self))
                    rest = []
                } else {
                    rest.append(byte)
                }
            }
        }
    }

    /// Ends it as a failing machine would.
    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Everything it has promised, in order, when it is over: pairs of peer and revision.
    mutating func promises() -> (promises: [(peer: UInt64, revision: UInt64)], status: Int32) {
        read()
        process.waitUntilExit()
        let pairs: [(UInt64, UInt64)] = lines.compactMap { line in
            let numbers = line.split(separator: " ").compactMap { UInt64($0) }
            return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
        }
        return (pairs, process.terminationStatus)
    }
}
