import BluethroatBondDatabase
import BluethroatHost
import Foundation
import GRDB
import Testing

@Suite("A bond file that is not as it was left")
struct BondFileDamageTests {
    private let folder = TestFolder()

    /// The bytes of a sound file with some bonds in it, and what is in it.
    private func soundFile(bonds: UInt64 = 6) throws -> (bytes: [UInt8], bonds: [Bond]) {
        let database = try BondDatabase(path: folder.path + "/sound.sqlite")
        for number in 0..<bonds { try database.save(Sample.bond(number)) }
        let all = try database.bonds()
        return (try folder.bytes(folder.path + "/sound.sqlite"), all)
    }

    /// Opens a file with these bytes. It is either sound, with all the bonds, or moved aside with all its bytes.
    private func expectNothingLost(_ bytes: [UInt8], _ bonds: [Bond], _ change: String) throws -> Bool {
        let path = "\(folder.path)/\(UUID().uuidString).sqlite"
        try folder.write(bytes, to: path)
        let database: BondDatabase
        do throws(BondDatabaseError) {
            database = try BondDatabase(path: path)
        } catch {
            // Refused, and left as it is.
            #expect(try folder.bytes(path) == bytes, "\(change): \(error)")
            return true
        }
        defer { for suffix in ["", ".damaged-1"] { unlink(path + suffix) } }
        guard let damage = database.damage else {
            let found = try database.bonds()
            #expect(found == bonds, "\(change)")
            return false
        }
        #expect(damage.movedTo == path + ".damaged-1" && !damage.reason.isEmpty, "\(change)")
        let kept = try folder.bytes(damage.movedTo)
        #expect(kept == bytes, "\(change)")
        let found = try database.bonds()
        #expect(found.isEmpty, "\(change)")
        return true
    }

    /// What a bond file begins with, and nonsense after it.
    private static func garbage(_ text: String) -> [UInt8] { Array("SQLite format 3\0\(text)".utf8) }

    @Test("Garbage is moved aside, byte for byte, and the next file begins empty")
    func garbage() throws {
        for bytes in [Self.garbage("garbage"), Array("SQLite".utf8), [UInt8](repeating: 0, count: 8_192), []] {
            try folder.write(bytes, to: folder.file)
            let damage = try #require(try BondDatabase(path: folder.file).damage, "\(bytes.count) bytes")
            #expect(try folder.bytes(damage.movedTo) == bytes)
            #expect(try BondDatabase(path: folder.file).bonds().isEmpty)
        }
    }

    @Test("A file of any other kind is refused and left as it is, also by whoever would make one")
    func otherKinds() throws {
        for text in ["This is somebody's diary.", "{}", "-----BEGIN OPENSSH PRIVATE KEY-----\n", "S\0"] {
            try folder.write(Array(text.utf8), to: folder.file)
            let error = BondDatabaseError.foreignFile(path: real(folder.file))
            #expect(throws: error) { try BondDatabase(path: folder.file) }
            #expect(throws: error) { try BondDatabase.existing(path: folder.file) }
            #expect(try folder.bytes(folder.file) == Array(text.utf8))
            #expect(folder.contents == ["bonds.sqlite"])
        }
    }

    @Test("A file truncated at any page, within a page or to nothing is moved aside")
    func truncated() throws {
        let (bytes, bonds) = try soundFile(bonds: 60)
        #expect(bytes.count >= 6 * 4_096)
        for length in stride(from: 0, to: bytes.count, by: 4_096) {
            #expect(try expectNothingLost(Array(bytes[..<length]), bonds, "\(length) bytes left"))
            let within = length + 1_000
            #expect(try expectNothingLost(Array(bytes[..<within]), bonds, "\(within) bytes left"))
        }
        #expect(try expectNothingLost(bytes, bonds, "all bytes left") == false)
    }

    @Test("A flipped bit anywhere is found, or changes nothing that was saved")
    func flipped() throws {
        let (bytes, bonds) = try soundFile()
        var noticed = 0
        // Every seventeenth byte that says something, and some of those between.
        let places = bytes.indices.filter { bytes[$0] == 0 ? $0 % 809 == 0 : $0 % 17 == 0 || $0 < 100 }
        for place in places {
            var changed = bytes
            changed[place] ^= 1 << UInt8(place % 8)
            if try expectNothingLost(changed, bonds, "bit \(place % 8) of byte \(place)") { noticed += 1 }
        }
        #expect(noticed > places.count / 2)
    }

    @Test("Damaged files get numbers, and none replaces another")
    func numbered() throws {
        for number in 1...3 {
            try folder.write(Self.garbage("\(number)"), to: folder.file)
            let damage = try #require(try BondDatabase(path: folder.file).damage)
            #expect(damage.movedTo == "\(folder.file).damaged-\(number)")
            #expect(try folder.bytes(damage.movedTo) == Self.garbage("\(number)"))
        }
    }

    @Test("A damaged file is reported by whoever only looks, too")
    func onlyLooking() throws {
        try folder.write([0, 0, 0], to: folder.file)
        let database = try #require(try BondDatabase.existing(path: folder.file))
        #expect(database.damage?.movedTo == folder.file + ".damaged-1")
    }

    @Test("Whoever only looks makes no file and no folder")
    func nothingThere() throws {
        #expect(try BondDatabase.existing(path: folder.path + "/new/bonds.sqlite") == nil)
        #expect(folder.contents.isEmpty)
    }

    @Test("A journal whose file is gone is not taken for that of the next file")
    func strayJournal() throws {
        try folder.write([UInt8](repeating: 0xD9, count: 600), to: folder.file + "-journal")
        let database = try BondDatabase(path: folder.file)
        try database.save(Sample.bond(1))
        #expect(database.damage?.movedTo == folder.file + ".damaged-1")
        #expect(folder.contents == ["bonds.sqlite", "bonds.sqlite.damaged-1-journal"])
    }

    @Test("A file that was emptied takes its journal along, which SQLite would throw away")
    func journalOfEmptied() throws {
        try folder.write([], to: folder.file)
        try folder.write([4, 5, 6], to: folder.file + "-journal")
        _ = try BondDatabase(path: folder.file)
        #expect(
            folder.contents == ["bonds.sqlite", "bonds.sqlite.damaged-1", "bonds.sqlite.damaged-1-journal"]
        )
    }

    @Test("What another process left halfway when it made the file does no harm")
    func halfMade() throws {
        try folder.write(Array("half a file".utf8), to: folder.file + ".new")
        try folder.write(Array("half a journal".utf8), to: folder.file + ".new-journal")
        let database = try BondDatabase(path: folder.file)
        #expect(database.damage == nil)
        #expect(folder.contents == ["bonds.sqlite"])
    }

    @Test("Another program's database is refused and left as it is")
    func foreign() throws {
        let queue = try DatabaseQueue(path: folder.file)
        try queue.write { try $0.execute(sql: "CREATE TABLE recipe (name TEXT)") }
        try queue.close()
        chmod(folder.file, 0o600)
        let bytes = try folder.bytes(folder.file)
        #expect(throws: BondDatabaseError.foreignFile(path: real(folder.file))) { try BondDatabase(path: folder.file) }
        #expect(try folder.bytes(folder.file) == bytes && folder.mode(folder.file) == 0o600)
    }

    @Test("What is no file is refused")
    func noFile() throws {
        mkdir(folder.file, 0o755)
        #expect(throws: BondDatabaseError.notAFile(path: real(folder.file))) { try BondDatabase(path: folder.file) }
        #expect(throws: BondDatabaseError.notAFile(path: "/dev/null")) { try BondDatabase(path: "/dev/null") }
        #expect(throws: BondDatabaseError.self) { try BondDatabase(path: "/dev/null/bonds.sqlite") }
        #expect(throws: BondDatabaseError.notAFile(path: "")) { try BondDatabase(path: "") }
        let dangling = folder.path + "/dangling"
        symlink(folder.path + "/nowhere/bonds.sqlite", dangling)
        #expect(throws: BondDatabaseError.self) { try BondDatabase(path: dangling) }
    }

    @Test("A symbolic link is refused, and what it leads to is neither moved nor changed, be it a bond file or not")
    func link() throws {
        mkdir(folder.path + "/elsewhere", 0o755)
        let target = folder.path + "/elsewhere/real.sqlite"
        symlink(target, folder.file)
        // Some other secret of this user's, which would be moved aside as a damaged bond file.
        try folder.write([1, 2, 3], to: target)
        let line = "\(real(folder.path))/bonds.sqlite is a symbolic link; name the file itself"
        for _ in 0..<2 {
            let error = #expect(throws: BondDatabaseError.self) { try BondDatabase(path: folder.file) }
            #expect(error?.description == line)
            #expect(throws: BondDatabaseError.self) { try BondDatabase.existing(path: folder.file) }
            try BondDatabase(path: target + ".sound").save(Sample.bond(1))
            #expect(try folder.bytes(target) == [1, 2, 3])
        }
        #expect(folder.contents == ["bonds.sqlite", "elsewhere"])
    }

    @Test("A link on the way to the folder is followed, and the journal lies beside the file")
    func linkedFolder() throws {
        mkdir(folder.path + "/elsewhere", 0o755)
        symlink(folder.path + "/elsewhere", folder.path + "/here")
        let database = try BondDatabase(path: folder.path + "/here/bonds.sqlite")
        #expect(database.path == real(folder.path) + "/elsewhere/bonds.sqlite")
    }

    private func real(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
