import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHost
import Foundation
import GRDB
import Testing

@testable import BluethroatBondDatabase

/// SQLite lets a value of any type stand in any column. Someone who can write the file can make a checksum that fits, too.
@Suite("A bond file with values of other types")
struct BondFileTypeTests {
    private let folder = TestFolder()

    /// A sound file with a bond and an identity.
    private func makeFile() throws -> DatabaseQueue {
        let path = "\(folder.path)/\(UUID().uuidString).sqlite"
        let database = try BondDatabase(path: path)
        try database.save(Sample.bond(1))
        let identity = try #require(LocalIdentity(address: Sample.peer(1), resolvingKey: Block128(high: 1, low: 7)))
        _ = try database.identity(named: "phone") { identity }
        return try DatabaseQueue(path: path)
    }

    /// Puts a value into the first row of a table, with the checksum that fits.
    private func put(_ value: DatabaseValue, _ column: Int, _ record: any ChecksummedRecord.Type) throws -> String {
        let queue = try makeFile()
        try queue.write { database in
            let row = try #require(try Row.fetchOne(database, sql: "SELECT * FROM \(record.table)"))
            var values = record.columns.map { row[$0] as DatabaseValue }
            values[column] = value
            var checksum = RowChecksum()
            for value in values { checksum.add(value) }
            try database.execute(
                sql: "UPDATE \(record.table) SET \(record.columns[column]) = ?, checksum = ?",
                arguments: [value, Data(checksum.value)]
            )
        }
        return queue.path
    }

    @Test("A blob that is no text, or a number in the place of a key, is damage and ends no process")
    func columns() throws {
        for record in [BondRecord.self, IdentityRecord.self] as [any ChecksummedRecord.Type] {
            for (index, column) in record.columns.enumerated() {
                for value in [Data([0xFF]).databaseValue, 7.databaseValue, "x".databaseValue] {
                    let path = try put(value, index, record)
                    // A value that can be read as another type is no damage.
                    let damage = try BondDatabase(path: path).damage
                    let isKey = column.hasSuffix("Key")
                    if isKey { #expect(damage != nil, "\(record.table).\(column) = \(value)") }
                }
            }
        }
    }

    @Test("A number in the place of a checksum is damage", arguments: ["bond", "identity"])
    func checksums(table: String) throws {
        let queue = try makeFile()
        try queue.write { try $0.execute(sql: "UPDATE \(table) SET checksum = 7") }
        #expect(try BondDatabase(path: queue.path).damage != nil)
    }

    @Test("A word in the place of the version is damage")
    func version() throws {
        let queue = try makeFile()
        try queue.write { try $0.execute(sql: "UPDATE fileFormat SET version = 'x'") }
        #expect(try BondDatabase(path: queue.path).damage != nil)
    }
}
