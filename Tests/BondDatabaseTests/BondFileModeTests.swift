import BluethroatHost
import Foundation
import GRDB
import Testing

@testable import BluethroatBondDatabase

@Suite("Who may read a bond file")
struct BondFileModeTests {
    private let folder = TestFolder()

    @Test("File, journal and new folders are for the user alone, from the first byte")
    func modes() throws {
        let file = folder.path + "/state/bluethroat/bonds.sqlite"
        let database = try BondDatabase(path: file)
        #expect(folder.mode(folder.path + "/state") == 0o700)
        #expect(folder.mode(folder.path + "/state/bluethroat") == 0o700)
        #expect(folder.mode(file) == 0o600)
        try database.save(Sample.bond(1))
        try database.queue.write { connection in
            try connection.execute(sql: "DELETE FROM bond")
            #expect(folder.mode(file + "-journal") == 0o600)
        }
        // It was there before, and is somebody's business.
        #expect(folder.mode(folder.path) == 0o755)
    }

    @Test("A file that others may read or write is refused, and left as it is, with its mode and its bytes")
    func openToOthers() throws {
        try BondDatabase(path: folder.file).save(Sample.bond(1))
        let bytes = try folder.bytes(folder.file)
        for mode: mode_t in [0o644, 0o660, 0o602, 0o666] {
            chmod(folder.file, mode)
            for open in [
                { _ = try BondDatabase(path: folder.file) }, { _ = try BondDatabase.existing(path: folder.file) },
            ] {
                let error = #expect(throws: BondDatabaseError.self) { try open() }
                let line = "is open to others (mode \(String(mode, radix: 8))): chmod 600 "
                #expect(error?.description.contains(line) == true, "\(error as Any)")
            }
            #expect(folder.mode(folder.file) == UInt32(mode))
        }
        #expect(try folder.bytes(folder.file) == bytes)
        chmod(folder.file, 0o600)
        #expect(try BondDatabase(path: folder.file).bonds().count == 1)
    }

    @Test("A journal of another mode beside the file is refused before SQLite believes it")
    func foreignJournal() throws {
        try BondDatabase(path: folder.file).save(Sample.bond(1))
        let bytes = try folder.bytes(folder.file)
        for sideFile in ["-journal", "-wal", "-shm"] {
            try folder.write([UInt8](repeating: 0xD9, count: 600), to: folder.file + sideFile)
            chmod(folder.file + sideFile, 0o666)
            #expect(throws: BondDatabaseError.self) { try BondDatabase(path: folder.file) }
            #expect(try folder.bytes(folder.file) == bytes)
            unlink(folder.file + sideFile)
        }
        #expect(try BondDatabase(path: folder.file).bonds().count == 1)
    }

    /// Runs the writer as a user who may do nothing, and returns its complaint. Root may do everything.
    private func complaint(file: String) throws -> String {
        let process = Process()
        let writer = BondWriterProcess.path
        let isRoot = geteuid() == 0
        process.executableURL = URL(fileURLWithPath: isRoot ? "/usr/bin/setpriv" : writer)
        process.arguments =
            (isRoot ? ["--reuid=65534", "--regid=65534", "--clear-groups", writer] : []) + [file, "1", "0", "1"]
        let errors = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    /// Makes the file the one of the user as whom the writer runs.
    private func giveAway(_ mode: mode_t) {
        if geteuid() == 0 { chown(folder.file, 65_534, 65_534) }
        chmod(folder.file, mode)
    }

    private static var canBecomeNobody: Bool {
        geteuid() != 0
            || (FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") && BondWriterProcess.isReadableByAll)
    }

    @Test("No permission is one clear line", .enabled(if: canBecomeNobody))
    func denied() throws {
        try BondDatabase(path: folder.file).save(Sample.bond(1))
        let theirs = try complaint(file: folder.file)
        #expect(theirs.hasSuffix("bonds.sqlite belongs to another user; name a file of your own\n") || geteuid() != 0)
        giveAway(0)
        let text = try complaint(file: folder.file)
        #expect(
            text.hasSuffix("may not be read and written by this user; change its permissions, or name another file\n")
        )
        chmod(folder.path, 0o555)
        let other = try complaint(file: folder.path + "/new.sqlite")
        #expect(other.contains("may not be read and written"))
        chmod(folder.path, 0o755)
    }

    @Test("A file that can only be read is called so when something is to be written", .enabled(if: canBecomeNobody))
    func readOnly() throws {
        try BondDatabase(path: folder.file).save(Sample.bond(1))
        giveAway(0o400)
        let text = try complaint(file: folder.file)
        #expect(text.contains("cannot be written") || text.contains("may not be"))
        #expect(text.split(separator: "\n").count == 1)
    }
}
