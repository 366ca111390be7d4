import BluethroatPrivateFiles
public import Foundation
import Synchronization

/// The file of a desk: its key, the failures that it has counted, and which logs it has, sealed with a key that is made of the first.
///
/// Both are in one file so that a desk whose count was taken away is none that phones know. One desk at a time has it: the
/// lock is a file beside it, `.lock`.
public final class DeskKeyFile: DeskTries, Sendable {
    /// Why a file cannot be used. Each is one line that says what to do.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        case noKey(String)
        /// The count is not what a desk has written with this key.
        case changedCount(String)
        case inUse(String)
        /// It cannot be read, or kept.
        case file(String)

        public var description: String {
            switch self {
            case .noKey(let path):
                "\(path) is no key of a desk; name another file with --key, or remove it to have a new key "
                    + "(phones then ask for the code again)"
            case .changedCount(let path):
                "what the desk had counted was changed by another program in \(path); remove it to have a new key "
                    + "(phones then ask for the code again)"
            case .inUse(let path): "another desk has the key \(path); end that one first, or name another file"
            case .file(let what): what
            }
        }
    }

    private typealias Counted = DeskKeyContents.Counted

    /// What phones know the desk by.
    public let key: DeskKey
    private let file: URL
    private let lock: FileLock
    private let latest: Mutex<Counted>

    public var failures: DeskFailures { latest.withLock { $0.failures } }

    /// Opens the file of a desk, and makes one with a new key where there is none. What holds a key alone, as older versions
    /// wrote it, has counted nothing.
    public init(_ file: URL, random: RandomBytes = .system) throws(Failure) {
        self.file = file
        let before = try Self.read(file)
        let lock: FileLock?
        do throws(PrivateFiles.Failure) {
            if before == nil { try PrivateFiles.makeFolder(file.deletingLastPathComponent()) }
            lock = try FileLock(beside: file)
        } catch { throw .file("\(error)") }
        guard let lock else { throw .inUse(file.path) }
        self.lock = lock
        // Another desk may have written to it until now.
        let found = try Self.read(file)
        key = found?.key ?? DeskKey(random: random)
        latest = Mutex(found?.counted ?? Counted())
        guard found?.counted == nil else { return }
        do throws(PrivateFiles.Failure) { try write(Counted()) } catch { throw .file("\(error)") }
    }

    /// The key in a file, which a desk may have; nil if there is none.
    public static func key(in file: URL) throws(Failure) -> DeskKey? { try read(file)?.key }

    /// How many entries a desk's log has at least, as its key's file says, which a desk may have; 0 for one that it has not
    /// written to.
    public static func entries(ofLog log: URL, accordingTo file: URL) throws(Failure) -> Int {
        try read(file)?.counted.map { entries(ofLog: log, in: $0) } ?? 0
    }

    /// Through whichever links its folder is named, it is one file.
    private static func name(ofLog log: URL) -> String {
        log.deletingLastPathComponent().resolvingSymlinksInPath().appendingPathComponent(log.lastPathComponent).path
    }

    private static func entries(ofLog log: URL, in counted: Counted) -> Int {
        // As it was named by desks of before, too.
        max(counted.logs[name(ofLog: log)] ?? 0, counted.logs[log.standardizedFileURL.path] ?? 0)
    }

    /// How many entries a log has at least; 0 for one that this desk has not written to.
    public func entries(ofLog log: URL) -> Int { latest.withLock { Self.entries(ofLog: log, in: $0) } }

    /// Keeps how many entries a log has, so that its head and it cannot be taken away, or put back by earlier ones, unseen.
    public func keep(entries: Int, ofLog log: URL) throws(Failure) {
        var counted = latest.withLock { $0 }
        counted.logs[Self.name(ofLog: log)] = entries
        do throws(PrivateFiles.Failure) { try write(counted) } catch { throw .file("\(error)") }
        latest.withLock { [counted] in $0 = counted }
    }

    public func keep(_ failures: DeskFailures) -> String? {
        var counted = latest.withLock { $0 }
        counted.failures = failures
        do throws(PrivateFiles.Failure) { try write(counted) } catch {
            return "failures cannot be counted: \(error)"
        }
        latest.withLock { [counted] in $0 = counted }
        return nil
    }

    private func write(_ counted: Counted) throws(PrivateFiles.Failure) {
        try PrivateFiles.replace(file, with: DeskKeyContents(key: key, counted: counted).data)
    }

    /// What is in the file; nil if there is no file.
    private static func read(_ file: URL) throws(Failure) -> DeskKeyContents? {
        let found: Data?
        do throws(PrivateFiles.Failure) { found = try PrivateFiles.read(file, limit: 1 << 20) } catch {
            throw .file("\(error)")
        }
        guard let found else { return nil }
        do throws(DeskKeyContents.Fault) { return try DeskKeyContents(parsing: found) } catch {
            switch error {
            case .noKey: throw .noKey(file.path)
            case .changedCount: throw .changedCount(file.path)
            }
        }
    }
}
