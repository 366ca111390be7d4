import Foundation
import Synchronization

@testable import BluethroatWorkstationLogin

/// A log and its head in memory, on a disk that can be full, and of a process that may not live to see all writes.
final class MemoryAudit: AuditStorage {
    struct Disk {
        var log = Data()
        var head: Data?
        var longest = Int.max
        /// How often the log was written to, or the head replaced.
        var writes = 0
        /// Bytes that it has room for.
        var room = Int.max
        /// Writes that are done until the process dies within one; nil if it does not.
        var writesLeft: Int?
        /// How much of that one is done, where it is one to the log. A head is replaced or not.
        var lastShare = 0.0

        /// How much of the next write is done, from 0 to 1.
        fileprivate mutating func step() -> Double {
            writes += 1
            guard let left = writesLeft else { return 1 }
            writesLeft = left - 1
            return left > 0 ? 1 : left == 0 ? lastShare : 0
        }

        fileprivate var isDead: Bool { (writesLeft ?? 0) < 0 }
    }

    private let disk: Mutex<Disk>
    let name = "log"

    init(_ disk: Disk = Disk()) { self.disk = Mutex(disk) }

    var log: Data { disk.withLock { $0.log } }
    var head: Data? { disk.withLock { $0.head } }
    var longest: Int { disk.withLock { $0.longest } }
    var writes: Int { disk.withLock { $0.writes } }
    var lines: [String] { String(decoding: log, as: UTF8.self).split(separator: "\n").map(String.init) }

    func change(_ body: (inout sending Disk) -> Void) { disk.withLock { body(&$0) } }

    func load() -> (log: Data, head: Data?) { disk.withLock { ($0.log, $0.head) } }

    func write(_ bytes: Data, behind offset: Int) throws(AuditLog.Failure) {
        let isDone = disk.withLock { disk in
            let wasDead = disk.isDead
            let share = disk.step()
            guard !wasDead else { return false }
            let count = max(0, min(Int(Double(bytes.count) * share), disk.room - offset))
            disk.log = disk.log.prefix(offset) + bytes.prefix(count)
            return count == bytes.count && !disk.isDead
        }
        if !isDone { throw .file("log cannot be written: the disk is full; make room") }
    }

    func write(head bytes: Data) throws(AuditLog.Failure) {
        let isDone = disk.withLock { disk in
            guard disk.step() == 1, !disk.isDead, disk.log.count + bytes.count <= disk.room else { return false }
            disk.head = bytes
            return true
        }
        if !isDone { throw .file("log.head cannot be written: the disk is full; make room") }
    }
}
