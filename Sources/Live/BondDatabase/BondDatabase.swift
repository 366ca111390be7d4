public import BluethroatBluetoothValues
public import BluethroatHost
internal import BluethroatPrivateDatabase
internal import BluethroatPrivateFiles
internal import GRDB
internal import Synchronization

/// Bonds and identities of this machine in one SQLite file, which several processes may use at once.
///
/// What was saved survives the end of the process at any moment, and a loss of power as far as the disk keeps its
/// promises. `docs/decisions/054-one-file-for-bonds.md` says how.
public final class BondDatabase: BondStore, Sendable {
    /// What was found at the path instead of a sound file.
    public struct Damage: Hashable, Sendable {
        public var path: String
        public var reason: String
        /// Where it is now.
        public var movedTo: String
    }

    /// The file, with symbolic links on the way to its folder followed.
    public let path: String
    /// What had to be moved out of the way before this file was made; the user should be notified.
    public let damage: Damage?

    let queue: DatabaseQueue
    /// Which pairing each bond was from when this process last read or saved it.
    private let known = Mutex<[Key: [UInt8]]>([:])

    private struct Key: Hashable {
        var local: DeviceAddress
        var peer: DeviceAddress
    }

    /// Opens the file, or makes it, with its directories, if there is none. A damaged file is moved aside first.
    public convenience init(path: String) throws(BondDatabaseError) {
        guard let opened = try BondFileOpening(path, .current).open(creating: true) else {
            preconditionFailure("opening makes the file where there is none")
        }
        self.init(opened)
    }

    /// Opens the file if there is one.
    public static func existing(path: String) throws(BondDatabaseError) -> BondDatabase? {
        try BondFileOpening(path, .current).open(creating: false).map { BondDatabase($0) }
    }

    init(_ opened: BondFileOpening.Opened) {
        path = opened.path
        damage = opened.damage
        queue = opened.queue
    }

    // MARK: Bonds

    /// All bonds of all identities, ordered by identity and peer.
    public func bonds() throws(BondDatabaseError) -> [Bond] {
        let all = try read { database in try BondRecord.all(database).map(\.bond) }
        known.withLock { known in
            known = [:]
            for bond in all { known[Key(local: bond.local, peer: bond.peer)] = BondRecord.pairing(bond) }
        }
        return all.sorted { Self.order($0) < Self.order($1) }
    }

    /// Public addresses before random ones.
    private static func order(_ bond: Bond) -> (UInt8, UInt64, UInt8, UInt64) {
        (bond.local.kind.rawValue, bond.local.value, bond.peer.kind.rawValue, bond.peer.value)
    }

    public func bonds(of local: DeviceAddress) throws(BondStoreError) -> [Bond] {
        do throws(BondDatabaseError) {
            return try bonds().filter { $0.local == local }
        } catch {
            throw error.whileReading
        }
    }

    /// Inserts or replaces a bond; returns only when it would survive a crash.
    ///
    /// A newer state of a pairing that another process has removed or replaced is refused. The counters of one pairing
    /// never go back, whichever process saves last.
    public func save(_ bond: Bond) throws(BondStoreError) {
        let key = Key(local: bond.local, peer: bond.peer)
        let new = BondRecord.pairing(bond)
        let before = known.withLock { $0[key] }
        let path = path
        do throws(BondDatabaseError) {
            try write { database in
                var record = BondRecord(bond)
                let found = try BondRecord.fetch(database, local: bond.local, peer: bond.peer)?.bond
                let there = found.map { BondRecord.pairing($0) }
                if before == new, there != new { throw BondDatabaseError.changedElsewhere(path: path) }
                if let found, there == new {
                    record.bond.peerSignCounter = max(bond.peerSignCounter, found.peerSignCounter)
                    record.bond.localSignCounter = max(bond.localSignCounter, found.localSignCounter)
                }
                try record.save(database)
            }
        } catch {
            throw error.whileWriting
        }
        known.withLock { $0[key] = new }
    }

    public func remove(peer: DeviceAddress, of local: DeviceAddress) throws(BondStoreError) {
        do throws(BondDatabaseError) {
            try write { database in try BondRecord.delete(database, local: local, peer: peer) }
        } catch {
            throw error.whileWriting
        }
        _ = known.withLock { $0.removeValue(forKey: Key(local: local, peer: peer)) }
    }

    // MARK: Identities

    /// The identity of this name; made and kept if there is none yet. Processes that ask at once get the same.
    public func identity(
        named name: String,
        otherwise make: () -> LocalIdentity
    ) throws(BondDatabaseError) -> LocalIdentity {
        if let identity = try identity(named: name) { return identity }
        let new = make()
        return try write { database in
            if let other = try IdentityRecord.all(database).first(where: { $0.name == name }) { return other.identity }
            try IdentityRecord(name: name, new).save(database)
            return new
        }
    }

    /// The identity of this name, if there is one.
    public func identity(named name: String) throws(BondDatabaseError) -> LocalIdentity? {
        try identities().first { $0.name == name }?.identity
    }

    /// All identities, ordered by name.
    public func identities() throws(BondDatabaseError) -> [(name: String, identity: LocalIdentity)] {
        try read { database in
            try IdentityRecord.all(database).map { (name: $0.name, identity: $0.identity) }
                .sorted { $0.name < $1.name }
        }
    }

    // MARK: Transactions

    private func read<Result>(_ body: (Database) throws -> Result) throws(BondDatabaseError) -> Result {
        do {
            return try queue.read(body)
        } catch {
            throw .from(error, path: path)
        }
    }

    private func write<Result>(_ body: (Database) throws -> Result) throws(BondDatabaseError) -> Result {
        do {
            return try queue.write(body)
        } catch {
            throw .from(error, path: path)
        }
    }
}

extension BondDatabaseError {
    /// What comes out of a transaction.
    static func from(_ error: any Error, path: String) -> Self {
        switch error {
        case let error as BondDatabaseError: error
        case let error as PrivateFiles.Failure: Self(error)
        case let error as GRDB.DatabaseError:
            PrivateDatabase.refusal(for: error, of: path).map { Self($0) } ?? Self(error, path: path)
        case let error as DamagedRow: .damaged(path: path, reason: error.reason)
        default: .failed(path: path, reason: "\(error)")
        }
    }
}

extension BondDatabaseError {
    /// The same for a host, which knows nothing of files.
    fileprivate var whileReading: BondStoreError {
        if case .newerVersion(_, let found, _) = self { return .newerSchema(version: found) }
        return .unreadable(reason: description)
    }

    /// The same for a host that wants something kept.
    fileprivate var whileWriting: BondStoreError { .writeFailed(reason: description) }
}
