internal import BluethroatBluetoothCrypto
internal import BluethroatByteCoding
internal import GRDB

/// The tables of a bond file, version by version.
///
/// A version that has been released is never edited: a change is one more step. Every version keeps the table
/// `fileFormat`, so that any release can distinguish a later version from a damaged header.
struct BondSchema: Sendable {
    /// What leads from one version to the next; the first one begins with nothing.
    let steps: [@Sendable (Database) throws -> Void]

    static let current = Self(steps: [createFirst])

    /// The version this schema makes, from 1.
    var version: Int { steps.count }

    /// Stands in the header of each file: "Btbd". Says that the file is ours.
    static let applicationID: Int32 = 0x4274_6264

    /// Makes the tables in an empty file, or brings those of an earlier version up to date, in one transaction.
    func migrate(_ database: Database, from version: Int) throws {
        for step in steps[version...] { try step(database) }
        try database.execute(sql: "UPDATE fileFormat SET version = ?", arguments: [self.version])
        // The header's fields take no arguments.
        try database.execute(sql: "PRAGMA user_version = \(self.version)")
        try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
    }

    /// The text of each table and index that the schema makes, by name.
    static func definitions(_ database: Database) throws -> [String: String] {
        let rows = try Row.fetchAll(database, sql: "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return Dictionary(try rows.map { (try $0.value("name"), try $0.value("sql")) }) { first, _ in first }
    }

    private static let createFirst: @Sendable (Database) throws -> Void = { database in
        try database.execute(
            sql: """
                CREATE TABLE fileFormat (version INTEGER NOT NULL);
                INSERT INTO fileFormat VALUES (1);

                CREATE TABLE identity (
                    name TEXT NOT NULL PRIMARY KEY,
                    addressType TEXT NOT NULL,
                    address TEXT NOT NULL,
                    resolvingKey BLOB NOT NULL,
                    checksum BLOB NOT NULL
                );

                CREATE TABLE bond (
                    localType TEXT NOT NULL,
                    local TEXT NOT NULL,
                    peerType TEXT NOT NULL,
                    peer TEXT NOT NULL,
                    name TEXT,
                    privacyMode TEXT NOT NULL,
                    centralKey BLOB,
                    peripheralKey BLOB,
                    peerResolvingKey BLOB,
                    peerSigningKey BLOB,
                    localSigningKey BLOB,
                    peerSignCounter INTEGER NOT NULL,
                    localSignCounter INTEGER NOT NULL,
                    subscriptions BLOB NOT NULL,
                    clientFeatures INTEGER NOT NULL,
                    databaseHash BLOB NOT NULL,
                    checksum BLOB NOT NULL,
                    PRIMARY KEY (localType, local, peerType, peer)
                );
                """
        )
    }
}

/// A checksum for the values of a row: what SQLite's own check does not see is a changed value.
struct RowChecksum {
    private var message: [UInt8] = []

    mutating func add(_ value: DatabaseValue) {
        let bytes: [UInt8]
        switch value.storage {
        case .null:
            message.append(0)
            return
        case .int64(let number):
            message.append(1)
            bytes = withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
        case .double(let number):
            message.append(2)
            bytes = withUnsafeBytes(of: number.bitPattern.bigEndian) { [UInt8]($0) }
        case .string(let text):
            message.append(3)
            bytes = [UInt8](text.utf8)
        case .blob(let data):
            message.append(4)
            bytes = [UInt8](data)
        }
        message.appendUInt32(UInt32(truncatingIfNeeded: bytes.count))
        message.append(contentsOf: bytes)
    }

    /// Sixteen bytes. No protection against a process that can write the file: the key is zero.
    var value: [UInt8] { AESCMAC.authenticate(message, key: .zero).bigEndianBytes }
}
