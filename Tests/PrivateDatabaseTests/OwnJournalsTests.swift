import BluethroatPrivateFiles
import Foundation
import GRDB
import Synchronization
import Testing

@testable import BluethroatPrivateDatabase

@Suite("Journals of SQLite that are another user's")
struct OwnJournalsTests {
    private let folder = TestFolder()
    private var path: String { folder.url.appendingPathComponent("a.sqlite").path }
    private var journal: String { path + "-journal" }

    private func begin() throws -> DatabaseQueue {
        _ = try PinnedFile.creating(path)
        let queue = try PrivateDatabase.open(path, Configuration())
        try queue.write { try $0.execute(sql: "CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('ours')") }
        return queue
    }

    private func text(_ queue: DatabaseQueue) throws -> String? {
        try queue.read { try String.fetchOne($0, sql: "SELECT text FROM note") }
    }

    /// A journal that says that this was in the file before, as one that was left by a crash.
    private func layJournal(over content: [UInt8], mode: mode_t) throws {
        let size = 4096, nonce: UInt32 = 0x1234, pages = content.count / size
        func bytes(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        var journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        for value in [UInt32(pages), nonce, UInt32(pages), 512, UInt32(size)] { journal += bytes(value) }
        journal += [UInt8](repeating: 0, count: 512 - journal.count)
        for page in 0..<pages {
            let content = Array(content[page * size..<(page + 1) * size])
            var sum = nonce
            for place in stride(from: size - 200, to: 0, by: -200) { sum &+= UInt32(content[place]) }
            journal += bytes(UInt32(page + 1)) + content + bytes(sum)
        }
        try Data(journal).write(to: URL(fileURLWithPath: self.journal))
        chmod(self.journal, mode)
    }

    @Test("One with earlier content is rolled back if it is ours, and never if others may write to it")
    func hot() throws {
        let queue = try begin()
        let before = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        try queue.write { try $0.execute(sql: "UPDATE note SET text = 'new'") }
        try layJournal(over: before, mode: 0o666)
        #expect(throws: DatabaseError.self) { try text(queue) }
        #expect(throws: DatabaseError.self) { try queue.write { try $0.execute(sql: "DELETE FROM note") } }
        unlink(journal)
        #expect(try text(queue) == "new")
        try layJournal(over: before, mode: 0o600)
        #expect(try text(queue) == "ours")
    }

    @Test("What others may read, and a link, receives nothing of what is changed")
    func receives() throws {
        let queue = try begin()
        let other = folder.url.appendingPathComponent("other")
        try Data("x".utf8).write(to: other)
        for lay in [
            { FileManager.default.createFile(atPath: journal, contents: nil, attributes: [.posixPermissions: 0o644]) },
            { symlink(other.path, journal) == 0 },
        ] {
            #expect(lay())
            let error = #expect(throws: DatabaseError.self) {
                try queue.write { try $0.execute(sql: "UPDATE note SET text = 'secret'") }
            }
            #expect(error.flatMap { PrivateDatabase.refusal(for: $0, of: path) }?.description.contains(journal) == true)
            #expect(try Data(contentsOf: other) == Data("x".utf8))
            unlink(journal)
        }
        try queue.write { try $0.execute(sql: "UPDATE note SET text = 'after'") }
        #expect(try text(queue) == "after")
    }

    @Test("A hard link that another user has made of a file of ours is not written to")
    func hardLink() throws {
        let queue = try begin()
        let other = folder.url.appendingPathComponent("other").path
        try PrivateFiles.create(URL(fileURLWithPath: other), with: Data("precious".utf8))
        link(other, journal)
        let error = #expect(throws: DatabaseError.self) {
            try queue.write { try $0.execute(sql: "UPDATE note SET text = 'new'") }
        }
        let refusal = error.flatMap { PrivateDatabase.refusal(for: $0, of: path) }
        #expect(refusal?.description == "\(journal) is a hard link of another file; remove it")
        #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == Data("precious".utf8))
    }

    @Test("One that comes and goes all the time is never believed")
    func racing() throws {
        let queue = try begin()
        try layJournal(over: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))), mode: 0o666)
        try queue.close()
        let laid = journal + ".own"
        rename(journal, laid)
        let isDone = Mutex(false)
        let after = try PrivateDatabase.open(path, Configuration())
        try after.write { try $0.execute(sql: "UPDATE note SET text = 'new'") }
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) { [journal] in
            while !isDone.withLock({ $0 }) {
                rename(laid, journal)
                rename(journal, laid)
            }
        }
        var read = 0
        for _ in 0..<2_000 {
            guard let found = try? text(after) else { continue }
            #expect(found == "new")
            read += 1
        }
        isDone.withLock { $0 = true }
        group.wait()
        #expect(read > 0)
    }

    @Test("SQLite's own file system is the default one again when a database is open")
    func others() throws {
        let queue = try begin()
        let other = try DatabaseQueue(path: folder.url.appendingPathComponent("b.sqlite").path)
        try other.write { try $0.execute(sql: "CREATE TABLE note (text TEXT)") }
        let journal = folder.url.appendingPathComponent("b.sqlite-journal").path
        _ = FileManager.default.createFile(atPath: journal, contents: nil, attributes: [.posixPermissions: 0o644])
        try other.write { try $0.execute(sql: "INSERT INTO note VALUES ('theirs')") }
        #expect(try text(queue) == "ours")
    }

    @Test("A name that some builds of SQLite take for an address, or for memory, is that of a file")
    func names() throws {
        // In the folder of the process: only a name without a folder can begin like an address.
        let name = "file:\(UUID().uuidString)?mode=memory"
        defer { unlink(name) }
        _ = try PinnedFile.creating(name)
        let queue = try PrivateDatabase.open(name, Configuration())
        try queue.write { try $0.execute(sql: "CREATE TABLE note (text TEXT)") }
        #expect(try PinnedFile.find(name)?.size ?? 0 > 0)
    }
}

/// A folder of mode 0700 that is gone when the test is over.
private final class TestFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("database-\(UUID().uuidString)")

    init() { mkdir(url.path, 0o700) }

    deinit { try? FileManager.default.removeItem(at: url) }
}
