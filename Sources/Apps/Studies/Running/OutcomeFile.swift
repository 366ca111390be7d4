public import BluethroatEvents
import Foundation
import Synchronization

/// Outcomes in a file, a line of JSON each, in the order in which they came.
///
/// A line that was cut short, because the machine was switched off as it was written, is dropped when the file is opened.
/// One run has the file at a time.
public final class OutcomeFile: OutcomeStore {
    private struct Line<Outcome: Codable>: Codable {
        let key: String
        let outcome: Outcome
    }

    private struct Key: Codable { let key: String }

    private let path: String
    private let file: FileHandle
    private let lines: Mutex<[String: Data]>

    /// Opens the file, or makes a new one.
    ///
    /// - Throws: if it cannot be opened, is in use, or holds something else.
    public init(path: String) throws(OperationFailure) {
        self.path = path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw OperationFailure("cannot keep results in \(path): \(String(cString: strerror(errno)))")
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw OperationFailure("another study keeps its results in \(path); wait for it, or name another file")
        }
        guard let data = try? file.readToEnd() ?? Data() else {
            throw OperationFailure("cannot read \(path): it is no file of results")
        }
        var kept: [String: Data] = [:], end = data.startIndex
        while let newline = data[end...].firstIndex(of: 0x0A) {
            let line = data[end..<newline]
            guard let key = try? JSONDecoder().decode(Key.self, from: line).key else {
                throw OperationFailure(
                    "\(path) is no file of results: its line \(kept.count + 1) is none; name another"
                )
            }
            kept[key] = line
            end = data.index(after: newline)
        }
        lines = Mutex(kept)
        guard ftruncate(descriptor, off_t(end)) == 0, lseek(descriptor, 0, SEEK_END) >= 0 else {
            throw OperationFailure("cannot write \(path): \(String(cString: strerror(errno)))")
        }
    }

    /// How many outcomes there are.
    public var count: Int { lines.withLock(\.count) }

    public func outcome<Outcome: Codable & Sendable>(of key: String, as type: Outcome.Type) -> Outcome? {
        guard let line = lines.withLock({ $0[key] }) else { return nil }
        return try? JSONDecoder().decode(Line<Outcome>.self, from: line).outcome
    }

    public func keep<Outcome: Codable & Sendable>(_ outcome: Outcome, of key: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let line = try encoder.encode(Line(key: key, outcome: outcome))
        do {
            try file.write(contentsOf: line + [0x0A])
            try file.synchronize()
        } catch {
            throw OperationFailure("cannot write \(path): \(error.localizedDescription)")
        }
        lines.withLock { $0[key] = line }
    }
}
