import BluethroatPrivateFiles
import Foundation
import Testing

@Suite("Files that hold secrets")
struct PrivateFilesTests {
    private let folder = TestFolder()
    private var file: URL { folder.url.appendingPathComponent("secret") }
    private let secret = Data("secret".utf8)

    /// Every way to use a file that is there.
    private var uses: [(String, (URL) throws -> Void)] {
        [
            ("read", { _ = try PrivateFiles.read($0) }),
            ("readText", { _ = try PrivateFiles.readText($0) }),
            ("openForWriting", { _ = try PrivateFiles.openForWriting($0, over: "note") { _ in true } }),
            ("openOrCreate", { _ = try PrivateFiles.openOrCreate($0) }),
            ("find", { _ = try PinnedFile.find($0.path) }),
            ("creating", { _ = try PinnedFile.creating($0.path) }),
        ]
    }

    /// Each use fails with this line, and the file's bytes stay.
    private func expectRefused(_ line: String, _ file: URL, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for (name, use) in uses {
            let failure = #expect(throws: PrivateFiles.Failure.self, "\(name)", sourceLocation: sourceLocation) {
                try use(file)
            }
            #expect(failure?.description == line, "\(name)", sourceLocation: sourceLocation)
        }
    }

    @Test(
        "One that group or others may read, write or run is refused, with the command that puts it right; its mode stays"
    )
    func modes() throws {
        try PrivateFiles.create(file, with: secret)
        for mode: mode_t in [0o666, 0o644, 0o640, 0o620, 0o602, 0o604, 0o610, 0o601, 0o777] {
            chmod(file.path, mode)
            let octal = String(mode, radix: 8)
            try expectRefused("\(file.path) is open to others (mode \(octal)): chmod 600 \(file.path)", file)
            #expect(folder.mode(file) == mode)
            #expect(try Data(contentsOf: file) == secret)
        }
        chmod(file.path, 0o600)
        #expect(try PrivateFiles.read(file) == secret)
        chmod(file.path, 0o400)
        #expect(try PrivateFiles.read(file) == secret)
    }

    @Test("A symbolic link is refused, also to a private file, and what it leads to stays")
    func links() throws {
        let link = folder.url.appendingPathComponent("link")
        try PrivateFiles.create(file, with: secret)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        try expectRefused("\(link.path) is a symbolic link; name the file itself", link)
        #expect(try Data(contentsOf: file) == secret)
        // One that leads to nothing: nothing is made there.
        unlink(file.path)
        try expectRefused("\(link.path) is a symbolic link; name the file itself", link)
        #expect(throws: PrivateFiles.Failure.exists(link.path)) { try PrivateFiles.create(link, with: secret) }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        // To replace a link is to take it away.
        try secret.write(to: file)
        try PrivateFiles.replace(link, with: Data("new".utf8))
        #expect(try Data(contentsOf: file) == secret && PrivateFiles.read(link) == Data("new".utf8))
    }

    @Test("A folder, a pipe, a socket and a device are no files; nothing waits for a pipe's other end")
    func others() throws {
        mkdir(file.path, 0o700)
        try expectRefused("\(file.path) is no file; name another one", file)
        rmdir(file.path)
        #expect(mkfifo(file.path, 0o600) == 0)
        try expectRefused("\(file.path) is no file; name another one", file)
        unlink(file.path)
        let device = URL(fileURLWithPath: "/dev/null")
        try expectRefused("/dev/null is no file; name another one", device)
        _ = try PrivateFiles.openForWriting(device, admitsDevices: true, over: "note") { _ in false }
    }

    @Test("Another user's file is refused, whatever its mode", .enabled(if: geteuid() == 0, "only root can make one"))
    func owner() throws {
        try PrivateFiles.create(file, with: secret)
        chown(file.path, 65_534, 65_534)
        for mode: mode_t in [0o600, 0o666] {
            chmod(file.path, mode)
            try expectRefused("\(file.path) belongs to another user; name a file of your own", file)
        }
        #expect(try Data(contentsOf: file) == secret)
        chown(folder.url.path, 65_534, 65_534)
        #expect(throws: PrivateFiles.Failure.foreign(folder.url.path)) { try PrivateFiles.makeFolder(folder.url) }
    }

    @Test(
        "One that is not there is nil, or made with mode 0600 whatever the umask, and a new file takes no other's place"
    )
    func making() throws {
        #expect(try PrivateFiles.read(file) == nil)
        try PrivateFiles.create(file, with: secret)
        #expect(folder.mode(file) == 0o600)
        #expect(throws: PrivateFiles.Failure.exists(file.path)) { try PrivateFiles.create(file, with: Data()) }
        #expect(try PrivateFiles.read(file) == secret)
        try PrivateFiles.replace(file, with: Data())
        #expect(folder.mode(file) == 0o600)
        #expect(try PrivateFiles.read(file) == Data())
        let other = folder.url.appendingPathComponent("other")
        _ = try PrivateFiles.openForWriting(other, over: "note") { _ in true }
        #expect(folder.mode(other) == 0o600)
    }

    @Test("A file that is opened for writing stays as it is until it is emptied, and a new one is known as new")
    func emptied() throws {
        try PrivateFiles.create(file, with: secret)
        let (handle, isNew) = try PrivateFiles.openForWriting(file, over: "note") { _ in true }
        #expect(try !isNew && PrivateFiles.read(file) == secret)
        let other = folder.url.appendingPathComponent("other")
        #expect(try PrivateFiles.openForWriting(other, over: "note") { _ in true }.isNew)
        try PrivateFiles.empty(handle, file.path)
        try handle.write(contentsOf: Data("n".utf8))
        #expect(try PrivateFiles.read(file) == Data("n".utf8))
    }

    @Test("A file of another kind is not emptied, and stays as it is")
    func otherKinds() throws {
        try PrivateFiles.create(file, with: secret)
        var heads: [[UInt8]] = []
        let failure = #expect(throws: PrivateFiles.Failure.self) {
            try PrivateFiles.openForWriting(file, over: "note") { head in
                heads.append(head)
                return false
            }
        }
        #expect(failure?.description == "\(file.path) is no note, and would be lost; name another file")
        #expect(try heads == [Array(secret)] && PrivateFiles.read(file) == secret)
        try PrivateFiles.replace(file, with: Data())
        _ = try PrivateFiles.openForWriting(file, over: "note") { _ in false }
    }

    @Test("A file that is longer than it may be is refused, and one that is no text where text is meant")
    func contents() throws {
        try PrivateFiles.create(file, with: Data(count: 101))
        #expect(try PrivateFiles.read(file, limit: 101)?.count == 101)
        #expect(throws: PrivateFiles.Failure.tooLong(file.path, limit: 100)) {
            try PrivateFiles.read(file, limit: 100)
        }
        try PrivateFiles.replace(file, with: Data([0xC0, 0x80]))
        #expect(throws: PrivateFiles.Failure.failed(file.path, "is no text in UTF-8")) {
            try PrivateFiles.readText(file)
        }
    }

    @Test("A folder that others may enter, one behind a link and one that is none are refused")
    func folders() throws {
        let inner = folder.url.appendingPathComponent("a/b")
        try PrivateFiles.makeFolder(inner)
        #expect(folder.mode(inner) == 0o700)
        for mode: mode_t in [0o755, 0o770, 0o711, 0o777] {
            chmod(inner.path, mode)
            let failure = #expect(throws: PrivateFiles.Failure.self) { try PrivateFiles.makeFolder(inner) }
            #expect(failure?.description.hasSuffix(": chmod 700 \(inner.path)") == true)
            #expect(folder.mode(inner) == mode)
        }
        chmod(inner.path, 0o700)
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: inner)
        #expect(throws: PrivateFiles.Failure.self) { try PrivateFiles.openFolder(link) }
        try PrivateFiles.create(file, with: secret)
        #expect(throws: PrivateFiles.Failure.self) { try PrivateFiles.openFolder(file) }
    }

    @Test("A file that takes another one's name after it was checked is noticed")
    func swapped() throws {
        try PrivateFiles.create(file, with: secret)
        guard let found = try PinnedFile.find(file.path) else { return _ = Issue.record("not there") }
        let pinned = Kept(found)
        try pinned.file.confirm()
        let other = folder.url.appendingPathComponent("other")
        try PrivateFiles.create(other, with: Data("other".utf8))
        rename(other.path, file.path)
        #expect(throws: PrivateFiles.Failure.failed(file.path, "was replaced by another file while it was opened")) {
            try pinned.file.confirm()
        }
        unlink(file.path)
        #expect(throws: PrivateFiles.Failure.self) { try pinned.file.confirm() }
    }

    @Test("A folder in which others could put a file in the place of ours is refused, unless it has the sticky bit")
    func namesThatStay() {
        let inner = folder.url.appendingPathComponent("inner"), file = inner.appendingPathComponent("a").path
        func find() -> String? {
            do throws(PrivateFiles.Failure) { _ = try PinnedFile.find(file) } catch { return error.description }
            do throws(PrivateFiles.Failure) { _ = try PinnedFile.creating(file) } catch { return error.description }
            unlink(file)
            return nil
        }
        mkdir(inner.path, 0o700)
        let refused = "\(inner.path) may be written to by others, who could replace the file: chmod "
        for mode: mode_t in [0o700, 0o755, 0o770, 0o775, 0o1777, 0o1770] {
            chmod(inner.path, mode)
            #expect(find() == nil, "\(mode)")
        }
        for mode: mode_t in [0o777, 0o757, 0o702] {
            chmod(inner.path, mode)
            #expect(find() == "\(refused)o-w \(inner.path)", "\(mode)")
        }
        guard geteuid() == 0 else { return }
        chown(inner.path, 0, 65_534)
        for mode: mode_t in [0o750, 0o1770] {
            chmod(inner.path, mode)
            #expect(find() == nil, "\(mode)")
        }
        chmod(inner.path, 0o770)
        #expect(find() == "\(refused)g-w \(inner.path)")
    }

    #if os(Linux)
        @Test("With an access control list a folder's group bits are what others may do in it")
        func accessLists() throws {
            let inner = folder.url.appendingPathComponent("listed"), file = inner.appendingPathComponent("a").path
            mkdir(inner.path, 0o755)
            // Version 2: the owner rwx, the user 65534 rwx, the group r-x, at most rwx, others r-x. See acl(5).
            func entry(_ tag: UInt16, _ rights: UInt16, _ id: UInt32 = .max) -> [UInt8] {
                [UInt32(tag) | UInt32(rights) << 16, id].flatMap { number in
                    (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
                }
            }
            let list: [UInt8] =
                [2, 0, 0, 0] + entry(1, 7) + entry(2, 7, 65_534) + entry(4, 5) + entry(16, 7) + entry(32, 5)
            typealias SetAttribute =
                @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, CInt) -> CInt
            let function = unsafeBitCast(try #require(dlsym(nil, "setxattr")), to: SetAttribute.self)
            // Not every file system has them.
            guard function(inner.path, "system.posix_acl_access", list, list.count, 0) == 0 else { return }
            let failure = #expect(throws: PrivateFiles.Failure.self) { _ = try PinnedFile.find(file)?.size }
            #expect(failure?.description.hasSuffix("chmod g-w \(inner.path)") == true, "\(String(describing: failure))")
            chmod(inner.path, 0o755)
            #expect(try PinnedFile.find(file)?.size == nil)
        }
    #endif

    @Test("Looking at a file drops none of the locks that the process has on it")
    func locks() throws {
        try PrivateFiles.create(file, with: secret)
        let holder = open(file.path, O_RDWR)
        defer { close(holder) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        #expect(fcntl(holder, F_SETLK, &lock) == 0)
        _ = try PinnedFile.find(file.path)
        // Another process still finds it locked.
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)",
            file.path,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
    }
}

/// Noncopyable values go through no closure.
private final class Kept {
    let file: PinnedFile
    init(_ file: consuming PinnedFile) { self.file = file }
}

/// A folder of mode 0700 that is gone when the test is over.
final class TestFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("private-\(UUID().uuidString)")

    init() { mkdir(url.path, 0o700) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func mode(_ file: URL) -> mode_t {
        var status = stat()
        return lstat(file.path, &status) == 0 ? status.st_mode & 0o777 : 0
    }
}
