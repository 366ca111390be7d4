internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues
internal import BluethroatByteCoding
internal import BluethroatHost
internal import Foundation
internal import GRDB

/// A row that makes no sense.
struct DamagedRow: Error {
    let reason: String
}

extension Row {
    /// The value of a column, damaged if it cannot be read as this type: SQLite lets values of any type stand in any column,
    /// and GRDB's own subscript ends the process over that.
    func value<Value: DatabaseValueConvertible>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        guard let value = Value.fromDatabaseValue(self[column]) else {
            throw DamagedRow(reason: "\(column) has a value of another type")
        }
        return value
    }

    /// The same where there may be none.
    func optionalValue<Value: DatabaseValueConvertible>(
        _ column: String,
        as type: Value.Type = Value.self
    ) throws -> Value? {
        (self[column] as DatabaseValue).isNull ? nil : try value(column)
    }
}

/// A table of which each row ends with a checksum of the others.
protocol ChecksummedRecord {
    static var table: String { get }
    /// In the order of the table, without the checksum.
    static var columns: [String] { get }
    init(_ row: Row) throws
    var values: [DatabaseValue] { get }
}

extension ChecksummedRecord {
    static func all(_ database: Database) throws -> [Self] {
        try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map(checked)
    }

    static func checked(_ row: Row) throws -> Self {
        var checksum = RowChecksum()
        for column in columns { checksum.add(row[column]) }
        guard try [UInt8](row.value("checksum", as: Data.self)) == checksum.value else {
            throw DamagedRow(reason: "a row of \(table) does not fit its checksum")
        }
        return try Self(row)
    }

    /// Inserts the row, or puts it in the place of the one with the same key.
    func save(_ database: Database) throws {
        var checksum = RowChecksum()
        for value in values { checksum.add(value) }
        let all = values + [Data(checksum.value).databaseValue]
        let marks = repeatElement("?", count: all.count).joined(separator: ", ")
        try database.execute(
            sql:
                "INSERT OR REPLACE INTO \(Self.table) (\(Self.columns.joined(separator: ", ")), checksum) VALUES (\(marks))",
            arguments: StatementArguments(all)
        )
    }
}

/// A bond as a row.
struct BondRecord: ChecksummedRecord {
    static let table = "bond"
    static let columns = [
        "localType", "local", "peerType", "peer", "name", "privacyMode", "centralKey", "peripheralKey",
        "peerResolvingKey", "peerSigningKey", "localSigningKey", "peerSignCounter", "localSignCounter",
        "subscriptions", "clientFeatures", "databaseHash",
    ]

    var bond: Bond

    init(_ bond: Bond) { self.bond = bond }

    init(_ row: Row) throws {
        let local = try DeviceAddress(row, type: "localType", "local")
        let peer = try DeviceAddress(row, type: "peerType", "peer")
        bond = Bond(local: local, peer: peer)
        bond.name = try row.optionalValue("name")
        bond.privacyMode = try PrivacyMode(word: row.value("privacyMode"))
        bond.keyAsCentral = try LongTermKey.optional(row, "centralKey")
        bond.keyAsPeripheral = try LongTermKey.optional(row, "peripheralKey")
        bond.peerIdentityResolvingKey = try Block128.stored(row.optionalValue("peerResolvingKey"))
        bond.peerSigningKey = try Block128.stored(row.optionalValue("peerSigningKey"))
        bond.localSigningKey = try Block128.stored(row.optionalValue("localSigningKey"))
        bond.peerSignCounter = try UInt32.stored(row.value("peerSignCounter"))
        bond.localSignCounter = try UInt32.stored(row.value("localSignCounter"))
        bond.clientRecord = ClientRecord(
            subscriptions: try ClientRecord.Entry.stored([UInt8](row.value("subscriptions", as: Data.self))),
            features: UInt8(truncatingIfNeeded: try row.value("clientFeatures", as: Int64.self)),
            databaseHash: [UInt8](try row.value("databaseHash", as: Data.self))
        )
    }

    var values: [DatabaseValue] {
        [
            bond.local.typeWord.databaseValue, bond.local.description.databaseValue,
            bond.peer.typeWord.databaseValue, bond.peer.description.databaseValue,
            bond.name.databaseValue, bond.privacyMode.word.databaseValue,
            (bond.keyAsCentral?.stored).databaseValue, (bond.keyAsPeripheral?.stored).databaseValue,
            (bond.peerIdentityResolvingKey?.stored).databaseValue, (bond.peerSigningKey?.stored).databaseValue,
            (bond.localSigningKey?.stored).databaseValue,
            Int64(bond.peerSignCounter).databaseValue, Int64(bond.localSignCounter).databaseValue,
            Data(bond.clientRecord.subscriptions.flatMap(\.stored)).databaseValue,
            Int64(bond.clientRecord.features).databaseValue, Data(bond.clientRecord.databaseHash).databaseValue,
        ]
    }

    /// Distinguishes pairings with one peer: a code of all keys of one.
    static func pairing(_ bond: Bond) -> [UInt8] {
        var checksum = RowChecksum()
        for value in BondRecord(bond).values[6...10] { checksum.add(value) }
        return checksum.value
    }

    static func fetch(_ database: Database, local: DeviceAddress, peer: DeviceAddress) throws -> BondRecord? {
        try Row.fetchOne(
            database,
            sql: "SELECT * FROM bond WHERE localType = ? AND local = ? AND peerType = ? AND peer = ?",
            arguments: [local.typeWord, local.description, peer.typeWord, peer.description]
        ).map(checked)
    }

    static func delete(_ database: Database, local: DeviceAddress, peer: DeviceAddress) throws {
        try database.execute(
            sql: "DELETE FROM bond WHERE localType = ? AND local = ? AND peerType = ? AND peer = ?",
            arguments: [local.typeWord, local.description, peer.typeWord, peer.description]
        )
    }
}

/// An identity of this machine as a row.
struct IdentityRecord: ChecksummedRecord {
    static let table = "identity"
    static let columns = ["name", "addressType", "address", "resolvingKey"]

    var name: String
    var identity: LocalIdentity

    init(name: String, _ identity: LocalIdentity) {
        self.name = name
        self.identity = identity
    }

    init(_ row: Row) throws {
        name = try row.value("name")
        let address = try DeviceAddress(row, type: "addressType", "address")
        guard let key = try Block128.stored(row.optionalValue("resolvingKey")),
            let identity = LocalIdentity(address: address, resolvingKey: key)
        else { throw DamagedRow(reason: "\(address) is no identity") }
        self.identity = identity
    }

    var values: [DatabaseValue] {
        [
            name.databaseValue, identity.address.typeWord.databaseValue, identity.address.description.databaseValue,
            identity.resolvingKey.stored.databaseValue,
        ]
    }
}

extension DeviceAddress {
    fileprivate init(_ row: Row, type: String, _ column: String) throws {
        let kind: Kind
        switch try row.value(type, as: String.self) {
        case "public": kind = .public
        case "random": kind = .random
        case let word: throw DamagedRow(reason: "\(word) is no type of address")
        }
        let text = try row.value(column, as: String.self)
        guard let address = Self(text, kind: kind) else { throw DamagedRow(reason: "\(text) is no address") }
        self = address
    }

    fileprivate var typeWord: String { kind == .public ? "public" : "random" }
}

extension PrivacyMode {
    fileprivate var word: String {
        switch self {
        case .network: "network"
        case .device: "device"
        }
    }

    fileprivate init(word: String) throws {
        switch word {
        case "network": self = .network
        case "device": self = .device
        default: throw DamagedRow(reason: "\(word) is no privacy mode")
        }
    }
}

extension UInt32 {
    fileprivate static func stored(_ number: Int64) throws -> UInt32 {
        guard let value = UInt32(exactly: number) else { throw DamagedRow(reason: "\(number) is no counter") }
        return value
    }
}

extension Block128 {
    /// Most significant byte first, as people write keys.
    fileprivate var stored: Data { Data(bigEndianBytes) }

    fileprivate static func stored(_ data: Data?) throws -> Block128? {
        guard let data else { return nil }
        guard let block = Block128(bigEndian: [UInt8](data)) else {
            throw DamagedRow(reason: "a key has \(data.count) bytes")
        }
        return block
    }
}

extension LongTermKey {
    /// 28 bytes: the key, most significant byte first; EDIV and Rand; the size; flags for authenticated (1) and LE
    /// Secure Connections (2).
    fileprivate var stored: Data {
        var bytes = value.bigEndianBytes
        bytes.appendUInt16(identification.encryptedDiversifier)
        bytes.appendUInt64(identification.random)
        bytes.append(UInt8(size))
        bytes.append((isAuthenticated ? 1 : 0) | (isSecureConnections ? 2 : 0))
        return Data(bytes)
    }

    fileprivate static func optional(_ row: Row, _ column: String) throws -> LongTermKey? {
        try row.optionalValue(column, as: Data.self).map { try LongTermKey(stored: [UInt8]($0)) }
    }

    private init(stored bytes: [UInt8]) throws {
        guard bytes.count == 28, let value = Block128(bigEndian: bytes[..<16]), (7...16).contains(bytes[26]) else {
            throw DamagedRow(reason: "a long-term key makes no sense")
        }
        let tail = Array(bytes[16...])
        var rest = tail.span.bytes
        self.init(
            value: value,
            identification: CentralIdentification(
                encryptedDiversifier: try rest.takeUInt16(),
                random: try rest.takeUInt64()
            ),
            size: Int(bytes[26]),
            isAuthenticated: bytes[27] & 1 != 0,
            isSecureConnections: bytes[27] & 2 != 0
        )
    }
}

extension ClientRecord.Entry {
    fileprivate var stored: [UInt8] {
        [UInt8(truncatingIfNeeded: value.rawValue), UInt8(value.rawValue >> 8), subscription.rawValue]
    }

    /// Three bytes each: the handle, least significant byte first, and the bits of the configuration.
    fileprivate static func stored(_ bytes: [UInt8]) throws -> [Self] {
        guard bytes.count.isMultiple(of: 3) else { throw DamagedRow(reason: "the subscriptions make no sense") }
        return try stride(from: 0, to: bytes.count, by: 3).map { start in
            let number = UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8
            guard let handle = AttributeHandle(rawValue: number) else {
                throw DamagedRow(reason: "a subscription has no handle")
            }
            return Self(value: handle, subscription: Subscription(rawValue: bytes[start + 2]))
        }
    }
}
