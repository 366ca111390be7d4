import Foundation
import FuzzInputs

@testable import BluethroatWorkstationLogin

/// Two logs of one desk, and what somebody has made of them who has not the desk's key. What is believed of it is the
/// beginning of one of the two logs, and a head belongs to it; all else is told.
struct EditedLog {
    /// A log as it was after each of its entries.
    private struct Genuine {
        var lines: [Data] = []
        /// By the number of entries.
        var heads: [Data] = []

        func text(_ count: Int) -> Data { Data(lines.prefix(count).joined()) }
    }

    private static let key = DeskKey(random: .seeded(7))
    private static let date = Date(timeIntervalSince1970: 1_800_000_000)

    private let logs: [Genuine]
    /// Each with its end.
    private var lines: [Data]
    /// What stands behind the last of them.
    private var rest = Data()
    private var head: Data?

    init(_ input: inout FuzzInput) throws {
        logs = try [Self.written(&input), Self.written(&input)]
        lines = logs[0].lines
        head = logs[0].heads.last
    }

    private static func written(_ input: inout FuzzInput) throws -> Genuine {
        let storage = MemoryAudit()
        let log = try AuditLog(storage, key: key)
        var genuine = Genuine()
        genuine.heads = [storage.head].compactMap(\.self)
        var length = 0
        for number in 0..<input.index(5) {
            let user = String(decoding: input.bytes(input.index(5)), as: UTF8.self)
            let event: DeskEvent = input.index(2) == 0 ? .loggedIn(user: user) : .loggedOut(user: user, .requested)
            let fault = log.note(event, at: Double(number), date: date, isRequired: true)
            hold(fault == nil, "an entry is not written: \(fault ?? "")")
            let line = storage.log.dropFirst(length)
            hold(line.last == 0x0A && LoginFileFuzzTargets.isOneLine(String(decoding: line.dropLast(), as: UTF8.self)))
            genuine.lines.append(Data(line))
            genuine.heads += [storage.head].compactMap(\.self)
            length = storage.log.count
        }
        hold(genuine.heads.count == genuine.lines.count + 1, "a head is missing")
        return genuine
    }

    mutating func edit(_ input: inout FuzzInput) {
        let other = input.pick(logs)
        switch input.index(11) {
        case 0: if !lines.isEmpty { lines.remove(at: input.index(lines.count)) }
        case 1: if !lines.isEmpty { lines.insert(input.pick(lines), at: input.index(lines.count + 1)) }
        case 2: if !lines.isEmpty { lines.swapAt(input.index(lines.count), input.index(lines.count)) }
        case 3:
            guard !lines.isEmpty else { return }
            let index = input.index(lines.count)
            lines[index] = Data(input.mutate([UInt8](lines[index])))
        case 4: if !other.lines.isEmpty { lines.insert(input.pick(other.lines), at: input.index(lines.count + 1)) }
        case 5: lines.removeLast(min(lines.count, 1 + input.index(4)))
        case 6: rest += other.lines.isEmpty ? Data() : input.pick(other.lines).dropLast(1 + input.index(80))
        case 7: rest += Data(input.bytes(input.index(8)))
        case 8: head = input.pick(other.heads)
        case 9: head = head.map { Data(input.mutate([UInt8]($0))) }
        default: head = nil
        }
    }

    func check() {
        let log = Data(lines.joined()) + rest
        let report = AuditReport(log: log, head: head, key: Self.key)
        hold(LoginFileFuzzTargets.isOneLine(report.sentence), "\(report.sentence.debugDescription) is said")
        hold((0...log.count).contains(report.length), "\(report.length) bytes of \(log.count) are sound")
        let owners = logs.filter { $0.lines.count >= report.entries }.filter {
            $0.text(report.entries) == log.prefix(report.length)
        }
        hold(!owners.isEmpty, "the first \(report.entries) lines are believed, and are no desk's")
        let remains = log.dropFirst(report.length)
        /// Whether the head is that after so many entries.
        func isHead(_ count: Int) -> Bool {
            owners.contains { $0.heads.indices.contains(count) && $0.heads[count] == head }
        }
        switch report.state {
        case .whole:
            hold(remains.isEmpty && (isHead(report.entries) || log.isEmpty && head == nil), "that is not whole")
        case .unfinishedLine:
            hold(!remains.isEmpty && !remains.contains(0x0A) && isHead(report.entries), "that is no unfinished line")
        case .headBehind: hold(remains.isEmpty && isHead(report.entries - 1), "the head is not behind")
        case .broken:
            let isUnchanged = logs.contains { $0.text($0.lines.count) == log && $0.heads.last == head }
            hold(!isUnchanged, "\(report.sentence), and nobody has changed it")
        }
        checkGoingOn(log, report)
    }

    /// A desk goes on with what was not broken, and with nothing else.
    private func checkGoingOn(_ log: Data, _ report: AuditReport) {
        var disk = MemoryAudit.Disk()
        (disk.log, disk.head) = (log, head)
        let storage = MemoryAudit(disk)
        let fault = report.fault(atLeast: 2)
        do throws(AuditLog.Failure) {
            let again = try AuditLog(storage, key: Self.key, atLeast: 2)
            hold(fault == nil && again.entries == report.entries, "a desk goes on with a log that was changed")
            hold(
                again.note(.loggedIn(user: "eve"), at: 0, date: Self.date, isRequired: true) == nil,
                "it writes no more"
            )
            let after = AuditReport(log: storage.log, head: storage.head, key: Self.key)
            hold(after.state == .whole && after.entries == report.entries + 1, "after one more: \(after.sentence)")
        } catch {
            hold(LoginFileFuzzTargets.isOneLine("\(error)"), "\("\(error)".debugDescription) is said")
            guard let fault else { return hold(false, "a sound log is refused: \(error)") }
            hold(error == .broken(storage.name, fault), "\(error)")
            hold(storage.log == log && storage.head == head, "what is refused was changed")
        }
    }
}
