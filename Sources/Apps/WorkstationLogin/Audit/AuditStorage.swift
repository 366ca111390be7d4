import BluethroatPrivateFiles
public import Foundation

/// Where a desk's log and its head are kept.
public protocol AuditStorage: AnyObject, Sendable {
    /// What is there; no head is nil, and no log is empty.
    func load() throws(AuditLog.Failure) -> (log: Data, head: Data?)
    /// Has these bytes behind the first ones of the log, and nothing behind them.
    func write(_ bytes: Data, behind offset: Int) throws(AuditLog.Failure)
    /// Has another head, or the one that was there before if that fails.
    func write(head: Data) throws(AuditLog.Failure)
    /// What the log is called in messages to the operator.
    var name: String { get }
    /// How long the log may be, in bytes.
    var longest: Int { get }
}

/// A log in a file of mode 0600, and its head in another one, which may be on another disk. One desk at a time has them.
public final class AuditFiles: AuditStorage {
    /// How long a log may be, in bytes; some 500,000 entries.
    public static let longest = 128 << 20

    private let log: URL
    private let head: URL
    private let handle: FileHandle
    private let lock: FileLock

    public var name: String { log.path }
    public var longest: Int { Self.longest }

    /// Makes an empty log where there is none, unless what is there as a head cannot be used.
    public init(log: URL, head: URL) throws(AuditLog.Failure) {
        (self.log, self.head) = (log, head)
        do throws(PrivateFiles.Failure) {
            _ = try Self.head(in: head)
            handle = try PrivateFiles.openOrCreate(log)
        } catch { throw .file("\(error)") }
        guard let lock = FileLock(handle) else {
            throw .file("another desk has the log \(log.path); end that one first, or name another file")
        }
        self.lock = lock
    }

    public func load() throws(AuditLog.Failure) -> (log: Data, head: Data?) {
        let found = try Self.read(log: log, head: head)
        return (found.log ?? Data(), found.head)
    }

    private static func read(log: URL, head: URL) throws(AuditLog.Failure) -> (log: Data?, head: Data?) {
        do throws(PrivateFiles.Failure) {
            return (try PrivateFiles.read(log, limit: longest), try Self.head(in: head))
        } catch { throw .file("\(error)") }
    }

    private static func head(in file: URL) throws(PrivateFiles.Failure) -> Data? {
        try PrivateFiles.read(file, limit: 1 << 10)
    }

    /// Looks through a log, of which a desk may have the files; nil if there are none.
    public static func report(log: URL, head: URL, key: DeskKey) throws(AuditLog.Failure) -> AuditReport? {
        var found = try read(log: log, head: head)
        for _ in 0..<10 {
            // A desk that has written to both meanwhile has another head.
            let before = found.head
            found = try read(log: log, head: head)
            if found.head == before { break }
        }
        guard found.log != nil || found.head != nil else { return nil }
        return AuditReport(log: found.log ?? Data(), head: found.head, key: key)
    }

    public func write(_ bytes: Data, behind offset: Int) throws(AuditLog.Failure) {
        guard offset + bytes.count <= Self.longest else {
            throw .file("the log \(log.path) is full; end the desk, and begin another log in another file")
        }
        do throws(PrivateFiles.Failure) {
            try PrivateFiles.write(bytes, behind: offset, in: handle, log.path)
        } catch { throw .file("\(error)") }
    }

    public func write(head bytes: Data) throws(AuditLog.Failure) {
        do throws(PrivateFiles.Failure) { try PrivateFiles.replace(head, with: bytes) } catch {
            throw .file("\(error)")
        }
    }
}
