import BluethroatHost
import Foundation
import GRDB
import Testing

@testable import BluethroatBondDatabase

@Suite("Versions of a bond file")
struct BondSchemaTests {
    private let folder = TestFolder()

    /// The schema of a release to come: one column and one table more.
    private let next = BondSchema(
        steps: BondSchema.current.steps + [
            { database in
                try database.execute(
                    sql: "CREATE TABLE note (peer TEXT NOT NULL); INSERT INTO note SELECT peer FROM bond"
                )
            }
        ]
    )

    private func open(_ schema: BondSchema) throws(BondDatabaseError) -> BondDatabase {
        guard let opened = try BondFileOpening(folder.file, schema).open(creating: true) else { fatalError() }
        return BondDatabase(opened)
    }

    @Test("A file of an earlier version is brought up to date, with all that is in it")
    func upward() throws {
        let before = try open(.current)
        for number: UInt64 in 0..<5 { try before.save(Sample.bond(number)) }
        let bonds = try before.bonds()
        let after = try open(next)
        #expect(after.damage == nil)
        #expect(try after.bonds() == bonds)
        #expect(try after.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 5)
    }

    @Test("A file of a later version is refused and left as it is")
    func downward() throws {
        try open(next).save(Sample.bond(1))
        let bytes = try folder.bytes(folder.file)
        let version = BondSchema.current.version
        #expect {
            try open(.current)
        } throws: { error in
            guard case .newerVersion(_, version + 1, version) = error as? BondDatabaseError else { return false }
            return "\(error)".contains("format \(version + 1), this one knows \(version)")
        }
        #expect(try folder.bytes(folder.file) == bytes)
        #expect(folder.contents == ["bonds.sqlite"])
    }

    @Test("A step that fails leaves the earlier version as it was")
    func halfway() throws {
        try open(.current).save(Sample.bond(1))
        let broken = BondSchema(
            steps: BondSchema.current.steps + [
                { database in try database.execute(sql: "DROP TABLE bond; CREATE TABLE bond (nothing)") },
                { database in try database.execute(sql: "this is no SQL") },
            ]
        )
        #expect(throws: BondDatabaseError.self) { try open(broken) }
        #expect(try open(.current).bonds() == [Sample.bond(1)])
    }

    @Test("A file in write-ahead mode, which an accident or a tool may leave, becomes a single file again")
    func writeAhead() throws {
        try open(.current).save(Sample.bond(1))
        let queue = try DatabaseQueue(path: folder.file)
        _ = try queue.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = WAL") }
        try queue.close()
        #expect(try open(.current).bonds() == [Sample.bond(1)])
        #expect(folder.contents == ["bonds.sqlite"])
    }

    @Test("A full disk is called so, and what was saved before is still there")
    func full() throws {
        let database = try open(.current)
        try database.save(Sample.bond(0))
        try database.queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        #expect {
            for number: UInt64 in 1..<200 { try database.save(Sample.bond(number)) }
        } throws: { error in
            guard case .writeFailed(let reason) = error as? BondStoreError else { return false }
            return reason.contains("disk is full")
        }
        let kept = try open(.current).bonds()
        #expect(kept.contains(Sample.bond(0)))
    }
}
