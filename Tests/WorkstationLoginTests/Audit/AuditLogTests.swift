import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("A desk's log, which nobody edits unseen")
struct AuditLogTests {
    private let key = DeskKey(random: .seeded(7))
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    /// A log of so many entries, and where it is.
    private func written(_ count: Int) throws -> MemoryAudit {
        let storage = MemoryAudit()
        let log = try AuditLog(storage, key: key)
        for number in 0..<count {
            let user = "user\(number)"
            let event: DeskEvent = number.isMultiple(of: 2) ? .loggedIn(user: user) : .loggedOut(user: user, .requested)
            #expect(log.note(event, at: Double(number), date: date, isRequired: false) == nil)
        }
        return storage
    }

    private func state(_ lines: [String], head: Data?) -> AuditReport.State {
        let text = lines.map { $0 + "\n" }.joined()
        return AuditReport(log: Data(text.utf8), head: head, key: key).state
    }

    @Test("Each line says what happened, to whom and when, and follows upon the line before")
    func lines() throws {
        let storage = try written(2)
        let lines = storage.lines
        #expect(
            lines.map { String($0.dropFirst(65)) } == [
                #"{"event":"logged-in","number":1,"time":"2027-01-15T08:00:00Z","user":"user0"}"#,
                #"{"event":"logged-out","number":2,"reason":"requested","time":"2027-01-15T08:00:00Z","user":"user1"}"#,
            ]
        )
        let report = AuditReport(log: storage.log, head: storage.head, key: key)
        #expect(report.state == .whole && report.entries == 2)
        #expect(report.sentence.hasPrefix("2 entries, none changed") && report.sentence.hasSuffix(report.link.hex))
        // Who has another key finds nothing that follows.
        let other = AuditReport(log: storage.log, head: storage.head, key: DeskKey(random: .seeded(8)))
        #expect(other.state == .broken(.changed(line: 1)))
    }

    @Test("A name that would move a terminal's cursor, or look like two lines, is one line of plain text")
    func hostileNames() throws {
        let storage = MemoryAudit()
        let log = try AuditLog(storage, key: key)
        for name in ["a\nb", "\u{1B}[2J", "\u{202E}x", "\"}", "\u{9B}1A", "é\u{2028}"] {
            _ = log.note(.rejected(user: name), at: 0, date: date, isRequired: false)
        }
        #expect(storage.lines.count == 6)
        for scalar in String(decoding: storage.log, as: UTF8.self).unicodeScalars where scalar != "\n" {
            #expect(
                ![0x2028, 0x202E].contains(scalar.value) && scalar.value >= 0x20
                    && !(0x7F...0x9F).contains(scalar.value)
            )
        }
        #expect(AuditReport(log: storage.log, head: storage.head, key: key).state == .whole)
    }

    @Test("The first line that was changed is named, whichever byte of it was", arguments: 1...5)
    func changed(line: Int) throws {
        let storage = try written(5)
        let sound = storage.lines
        for place in 0..<sound[line - 1].utf8.count {
            var bytes = Array(sound[line - 1].utf8)
            bytes[place] ^= 1
            var lines = sound
            lines[line - 1] = String(decoding: bytes, as: UTF8.self)
            // A byte that ends the line makes two of it.
            guard bytes[place] != UInt8(ascii: "\n") else { continue }
            #expect(state(lines, head: storage.head) == .broken(.changed(line: line)), "byte \(place)")
        }
        var lines = sound
        lines[line - 1] = lines[line - 1].replacing("user", with: "anna")
        #expect(state(lines, head: storage.head) == .broken(.changed(line: line)))
    }

    @Test("The first place where entries were cut out is named, and which they were", arguments: 1...5, 1...5)
    func cut(first: Int, last: Int) throws {
        guard first <= last else { return }
        let storage = try written(5)
        var lines = storage.lines
        lines.removeSubrange(first - 1...last - 1)
        let expected: AuditFault =
            last == 5 ? .cutAtEnd(entries: first...5) : .cut(line: first, entries: first...last)
        #expect(state(lines, head: storage.head) == .broken(expected))
    }

    @Test("A line that was added is named, be it a copy, one of another log, or no line at all", arguments: 1...6)
    func added(line: Int) throws {
        let storage = try written(5)
        let other = try written(9)
        let forger = DeskKey(random: .seeded(8))
        let forged = AuditChain(forger).line(
            #"{"event":"logged-in","number":\#(line),"time":"x"}"#,
            after: AuditChain.start
        )
        for text in [storage.lines[0], storage.lines[4], other.lines[8], forged.text, "nothing", ""] {
            // In its own place a copy is no addition.
            var lines = storage.lines
            lines.insert(text, at: line - 1)
            let isOwn = line - 1 < 5 && text == storage.lines[line - 1]
            let copy = isOwn ? line + 1 : line
            #expect(state(lines, head: storage.head) == .broken(.added(line: copy)), "\(text) at \(line)")
        }
    }

    @Test("Lines in another order are told from lines that were cut or added", arguments: 1...5, 1...5)
    func reordered(one: Int, other: Int) throws {
        guard one < other else { return }
        let storage = try written(5)
        var lines = storage.lines
        lines.swapAt(one - 1, other - 1)
        #expect(state(lines, head: storage.head) == .broken(.reordered(line: one)))
        lines = storage.lines
        lines.insert(lines.remove(at: other - 1), at: one - 1)
        #expect(state(lines, head: storage.head) == .broken(.reordered(line: one)))
    }

    @Test(
        "A number that no entry has is told like any other change, and traps nothing",
        arguments: [Int.max, .max - 1, .min, 0, -1],
        [Int.max, .min, 0, -1]
    )
    func impossibleNumbers(number: Int, next: Int) throws {
        for line in 1...2 {
            let storage = try written(3)
            var lines = storage.lines
            for (index, stated) in [(line - 1, number), (line, next)] {
                lines[index] = lines[index].replacing(#""number":\#(index + 1),"#, with: #""number":\#(stated),"#)
            }
            let isCut = next == .max && number == .max - 1
            let fault: AuditFault = isCut ? .cut(line: line, entries: line...number - 1) : .changed(line: line)
            #expect(state(lines, head: storage.head) == .broken(fault))
            let edited = Data(lines.map { $0 + "\n" }.joined().utf8)
            storage.change { $0.log = edited }
            #expect(throws: AuditLog.Failure.broken("log", fault)) { try AuditLog(storage, key: key) }
        }
    }

    @Test("A head that is missing, changed, of another log, or put back by an earlier one, is told")
    func heads() throws {
        let storage = try written(5)
        let (lines, head) = (storage.lines, try #require(storage.head))
        #expect(state(lines, head: head) == .whole)
        #expect(state(lines, head: nil) == .broken(.noHead))
        for index in head.indices {
            var changed = head
            changed[index] ^= 1
            #expect(state(lines, head: changed) == .broken(.otherHead), "byte \(index)")
        }
        #expect(state(lines, head: Data()) == .broken(.otherHead))
        #expect(state(lines, head: try written(3).head) == .broken(.headSetBack(count: 3)))
        #expect(state([], head: head) == .broken(.cutAtEnd(entries: 1...5)))
        // Another log with the same key: its head seals other lines.
        let stranger = MemoryAudit()
        let log = try AuditLog(stranger, key: key)
        for _ in 0..<5 { _ = log.note(.rejected(user: "x"), at: 0, date: date, isRequired: false) }
        #expect(state(lines, head: stranger.head) == .broken(.otherHead))
    }

    @Test("Killed within any write, or with a disk that fills up, a desk goes on, and nothing looks like tampering")
    func killed() throws {
        for writes in 0..<12 {
            for share in [0.0, 0.01, 0.5, 0.99] {
                let storage = MemoryAudit()
                _ = try AuditLog(storage, key: key)
                storage.change { ($0.writesLeft, $0.lastShare) = (writes, share) }
                let log = try AuditLog(storage, key: key)
                for number in 0..<8 { _ = log.note(.loggedIn(user: "\(number)"), at: 0, date: date, isRequired: true) }
                storage.change { $0.writesLeft = nil }
                let report = AuditReport(log: storage.log, head: storage.head, key: key)
                if case .broken(let fault) = report.state { Issue.record("\(writes) writes, \(share): \(fault)") }
                let isBetween = !writes.isMultiple(of: 2)
                #expect(
                    report.state == (isBetween ? .headBehind : share > 0 ? .unfinishedLine : .whole),
                    "\(writes), \(share)"
                )
                let again = try AuditLog(storage, key: key)
                #expect(again.note(.intrusion, at: 0, date: date, isRequired: false) == nil)
                let after = AuditReport(log: storage.log, head: storage.head, key: key)
                #expect(after.state == .whole && after.entries == report.entries + 1)
            }
        }
    }

    @Test(
        "What finds a full disk waits and is written when there is room; what must be written is not said to have been"
    )
    func fullDisk() throws {
        let storage = try written(2)
        let log = try AuditLog(storage, key: key)
        for room in stride(from: storage.log.count, through: storage.log.count + 250, by: 5) {
            storage.change { $0.room = room }
            let before = (storage.log, storage.head)
            #expect(
                log.note(.loggedIn(user: "eve"), at: 0, date: date, isRequired: true)?.contains("disk is full") == true
            )
            #expect((storage.log, storage.head) == before, "nothing half written is left")
        }
        for _ in 0..<300 {
            let fault = log.note(.rejected(user: "x"), at: 0, date: date, isRequired: false)
            #expect(fault?.contains("disk is full") == true)
        }
        storage.change { $0.room = .max }
        #expect(log.flush() == nil)
        #expect(log.note(.loggedIn(user: "bob"), at: 1, date: date, isRequired: true) == nil)
        #expect(storage.lines.count == 2 + AuditLog.mostWaiting + 1)
        #expect(!storage.lines.contains { $0.contains("\"eve\"") })
        #expect(storage.lines.last?.contains(#""omitted":44,"#) == true, "\(storage.lines.last ?? "")")
        #expect(AuditReport(log: storage.log, head: storage.head, key: key).state == .whole)
    }

    @Test("What happens when there is room again is noted, however much waits, and nothing of it is left out")
    func roomAgain() throws {
        for isRequired in [false, true] {
            let storage = MemoryAudit()
            let log = try AuditLog(storage, key: key)
            storage.change { $0.room = 0 }
            for _ in 0..<AuditLog.mostWaiting {
                #expect(log.note(.rejected(user: "x"), at: 0, date: date, isRequired: false) != nil)
            }
            storage.change { $0.room = .max }
            #expect(log.note(.loggedIn(user: "bob"), at: 1, date: date, isRequired: isRequired) == nil)
            #expect(storage.lines.count == AuditLog.mostWaiting + 1 && storage.lines.last?.contains("bob") == true)
            #expect(!String(decoding: storage.log, as: UTF8.self).contains("omitted"))
        }
    }

    @Test("What phones can bring about as often as they like is noted once a minute, and how often it was not")
    func floods() throws {
        let storage = MemoryAudit()
        let log = try AuditLog(storage, key: key)
        for second in 0..<150 {
            for _ in 0..<10 {
                #expect(log.note(.refused(.busy), at: Double(second), date: date, isRequired: false) == nil)
            }
        }
        #expect(log.note(.refused(.tooSlow), at: 150, date: date, isRequired: false) == nil)
        #expect(storage.lines.count == 4)
        #expect(storage.lines[1].contains(#""omitted":599,"#) && storage.lines[3].contains(#""reason":"too-slow""#))
    }

    @Test("The last mebibyte of a log is for logins, log-outs and starts; what else happens is counted")
    func reserve() throws {
        let storage = MemoryAudit()
        storage.change { $0.longest = AuditLog.reserved + 1_000 }
        let log = try AuditLog(storage, key: key)
        for _ in 0..<100 { #expect(log.note(.rejected(user: "x"), at: 0, date: date, isRequired: false) == nil) }
        let (length, noted) = (storage.log.count, storage.lines.count)
        #expect((1_000..<1_500).contains(length) && noted < 100)
        #expect(log.note(.loggedIn(user: "bob"), at: 0, date: date, isRequired: true) == nil)
        #expect(log.note(.rejected(user: "x"), at: 0, date: date, isRequired: false) == nil)
        #expect(log.note(.loggedOut(user: "bob", .atDesk), at: 0, date: date, isRequired: false) == nil)
        try log.begin(date: date)
        #expect(storage.lines.count == noted + 3)
        let first = #""event":"logged-in","number":\#(noted + 1),"omitted":\#(100 - noted),"#
        #expect(storage.lines[noted].contains(first))
        #expect(storage.lines[noted + 1].contains(#""event":"logged-out""#))
        #expect(AuditReport(log: storage.log, head: storage.head, key: key).state == .whole)
    }

    @Test("A log and its head that are both gone, or both older, are told from a log that has begun just now")
    func knownEntries() throws {
        let storage = try written(3)
        #expect(try AuditLog(storage, key: key, atLeast: 3).entries == 3)
        for (older, missing) in [(MemoryAudit(), 1...5), (try written(3), 4...5)] {
            let before = (older.log, older.head)
            #expect(throws: AuditLog.Failure.broken("log", .cutAtEnd(entries: missing))) {
                try AuditLog(older, key: key, atLeast: 5)
            }
            #expect((older.log, older.head) == before, "it is left alone")
        }
    }

    @Test("A desk does not go on with a log that somebody has edited, in one line that says what to do")
    func refused() throws {
        let storage = try written(3)
        storage.change { $0.log = $0.log.dropFirst(10) }
        let failure = #expect(throws: AuditLog.Failure.broken("log", .changed(line: 1))) {
            try AuditLog(storage, key: key)
        }
        #expect(
            failure?.description.contains("line 1 was changed") == true && failure?.description.contains("\n") == false
        )
    }

    @Test("Bytes of any kind are told from a log, and trap nothing", arguments: 0..<50)
    func hostile(seed: UInt64) throws {
        let storage = try written(4)
        let random = RandomBytes.seeded(seed)
        var log = Array(storage.log)
        for _ in 0..<3 {
            let place = Int(random(1)[0]) << 8 | Int(random(1)[0])
            let bytes = random(Int(random(1)[0] % 40))
            log.replaceSubrange(min(place, log.count)..<min(place + 30, log.count), with: bytes)
            let report = AuditReport(log: Data(log), head: random(1)[0] % 2 == 0 ? storage.head : bytes, key: key)
            #expect(report.entries <= 4)
            if Data(log) != storage.log { #expect(report.state != .whole) }
        }
    }
}
