import BluethroatEvents
import Foundation
import Synchronization
import Testing

@testable import BluethroatStudies

@Suite("Where studies are written to")
struct StudyFilesTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("files-\(UUID().uuidString)")

    @Test("A file is written once, and has a name")
    func once() throws {
        let path = folder.appendingPathExtension("csv").path
        let sibling = folder.deletingLastPathComponent().path + "/./" + folder.lastPathComponent + ".csv"
        #expect(throws: OperationFailure("--csv and --svg are the same file, \(path); give two files")) {
            try StudyFiles(csv: path, svg: sibling).check()
        }
        for files in [StudyFiles(csv: "", svg: nil), StudyFiles(csv: nil, svg: "")] {
            let failure = #expect(throws: OperationFailure.self) { try files.check() }
            #expect(failure?.message.contains("a file without a name") == true)
        }
        #expect(throws: Never.self) { try StudyFiles(csv: "/dev/null", svg: "/dev/null").check() }
    }

    @Test("What was there before stays until the new file is whole: its mode, and a link to it, too")
    func whole() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, link) = (folder.appendingPathComponent("a.csv"), folder.appendingPathComponent("b.csv"))
        func write(_ text: String, to path: String) throws {
            try StudyFiles(csv: path, svg: nil).write(csv: text, svg: "", output: { _ in })
        }
        try write("first", to: file.path)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(chmod(file.path, 0o640) == 0)
        try write("second", to: link.path)
        #expect(try String(contentsOf: file, encoding: .utf8) == "second")
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == file.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.csv", "b.csv"])
        #expect(throws: OperationFailure("cannot write /dev/full: the disk is full; make room")) {
            try write("third", to: "/dev/full")
        }
        try write("nothing is kept", to: "/dev/null")
    }

    @Test("The file that is read is not written to, also not by another name")
    func input() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = ["a.yaml", "b.yaml", "c.yaml"].map { folder.appendingPathComponent($0) }
        try Data("length: 1 s\n".utf8).write(to: names[0])
        try FileManager.default.createSymbolicLink(at: names[1], withDestinationURL: names[0])
        try FileManager.default.linkItem(at: names[0], to: names[2])
        for path in names.map(\.path) {
            #expect(throws: OperationFailure("cannot write \(path): it is a file that is read; choose another one")) {
                try StudyFiles(csv: nil, svg: path).check(sparing: ["/dev/null", names[0].path])
            }
        }
        #expect(throws: Never.self) {
            try StudyFiles(csv: names[1].path + ".csv", svg: "-").check(sparing: [names[0].path])
        }
    }

    @Test("A link to a file that is not there yet stays one, and is another name of that file")
    func linkToNothing() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, link) = (folder.appendingPathComponent("a.csv"), folder.appendingPathComponent("b.csv"))
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "a.csv")
        let both = StudyFiles(csv: link.path, svg: file.path)
        #expect(throws: OperationFailure("--csv and --svg are the same file, \(link.path); give two files")) {
            try both.check()
        }
        let files = StudyFiles(csv: link.path, svg: nil)
        try files.check()
        try files.write(csv: "rows", svg: "", output: { _ in })
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "a.csv")
        #expect(try String(contentsOf: file, encoding: .utf8) == "rows")
    }

    @Test("Where everybody may leave files, a link of another user is not followed", .enabled(if: geteuid() == 0))
    func foreignLink() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, link) = (folder.appendingPathComponent("a.csv"), folder.appendingPathComponent("b.csv"))
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "a.csv")
        try #require(lchown(link.path, 65_534, 65_534) == 0)
        let files = StudyFiles(csv: link.path, svg: nil)
        let refusal = "cannot write \(link.path): it is a link of another user; choose another file"
        for mode: mode_t in [0o1777, 0o1757, 0o777] {
            chmod(folder.path, mode)
            #expect(throws: OperationFailure(refusal)) { try files.check() }
            #expect(throws: OperationFailure(refusal)) { try files.write(csv: "rows", svg: "", output: { _ in }) }
        }
        #expect(access(file.path, F_OK) != 0)
        // In a folder of its own a user may have links of anybody.
        chmod(folder.path, 0o755)
        try files.check()
        try files.write(csv: "rows", svg: "", output: { _ in })
        #expect(try String(contentsOf: file, encoding: .utf8) == "rows")
    }

    @Test(
        "Nor one of another user's to a folder, and nothing is written into a file of his, where everybody may put things",
        .enabled(if: geteuid() == 0, "only root can make what is another user's")
    )
    func foreignFolders() throws {
        let inner = folder.appendingPathComponent("all"), own = folder.appendingPathComponent("own")
        for one in [inner, own] { try FileManager.default.createDirectory(at: one, withIntermediateDirectories: true) }
        defer { try? FileManager.default.removeItem(at: folder) }
        chmod(inner.path, 0o1777)
        let link = inner.appendingPathComponent("out"), file = inner.appendingPathComponent("b.csv")
        symlink(own.path, link.path)
        func refusal(_ path: String) -> String? {
            let files = StudyFiles(csv: path, svg: nil)
            do throws(OperationFailure) {
                try files.check()
                try files.write(csv: "rows", svg: "", output: { _ in })
                return nil
            } catch { return error.message }
        }
        let through = link.path + "/a.csv"
        #expect(refusal(through) == nil, "one's own")
        lchown(link.path, 65_534, 65_534)
        #expect(refusal(through) == "cannot write \(through): it is behind a link of another user; choose another file")
        // Nor behind a link of one's own.
        let way = own.appendingPathComponent("way")
        symlink(link.path, way.path)
        #expect(refusal(way.path + "/a.csv")?.contains("is behind a link of another user") == true)
        try Data("his".utf8).write(to: file)
        #expect(refusal(file.path) == nil)
        chown(file.path, 65_534, 65_534)
        #expect(refusal(file.path) == "cannot write \(file.path): it is a file of another user; choose another file")
        // In a folder of one's own nobody else has put it there.
        chown(own.appendingPathComponent("a.csv").path, 65_534, 65_534)
        #expect(refusal(own.path + "/a.csv") == nil)
    }

    @Test(
        "Nor is one that another user makes and takes away while the file is written",
        .enabled(if: geteuid() == 0, "only root can make what is another user's")
    )
    func racingLink() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        chmod(folder.path, 0o1777)
        let precious = folder.appendingPathExtension("precious"), link = folder.appendingPathComponent("b.csv").path
        try Data("precious".utf8).write(to: precious)
        defer { try? FileManager.default.removeItem(at: precious) }
        let racer = Racer(link, to: precious.path)
        var written = 0
        for _ in 0..<2_000 {
            if (try? StudyFiles(csv: link, svg: nil).write(csv: "rows", svg: "", output: { _ in })) != nil {
                written += 1
            }
        }
        racer.stop()
        #expect(written > 0, "it was never the turn of the file")
        #expect(try String(contentsOf: precious, encoding: .utf8) == "precious")
    }

    @Test("Any name that the system takes can be written to, and others are refused before anything is computed")
    func long() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func name(_ length: Int) -> String { folder.path + "/" + String(repeating: "n", count: length) }
        let files = StudyFiles(csv: name(255), svg: nil)
        try files.check()
        try files.write(csv: "rows", svg: "", output: { _ in })
        #expect(try String(contentsOfFile: name(255), encoding: .utf8) == "rows")
        func objection(_ path: String) -> String? {
            do throws(OperationFailure) {
                try StudyFiles(csv: path, svg: nil).check()
                return nil
            } catch { return error.message.replacing(path, with: "@") }
        }
        #expect(objection(name(256)) == "cannot write @: its name is too long; give a shorter one")
        for path in [name(255) + "/a", folder.path + "/none/a"] {
            #expect(objection(path) == "cannot write @: there is no directory for it that can be written to")
        }
    }

    @Test("A file that is open already, such as a log behind standard output, is not replaced")
    func openAlready() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let log = folder.appendingPathComponent("log")
        try Data("before".utf8).write(to: log)
        let handle = try FileHandle(forWritingTo: log)
        defer { try? handle.close() }
        let path = "/dev/fd/\(handle.fileDescriptor)"
        #expect(throws: OperationFailure("cannot write \(path): it is open already; give the name of a file, or -")) {
            try StudyFiles(csv: path, svg: nil).check()
        }
        let pipe = Pipe()
        let end = StudyFiles(csv: "/dev/fd/\(pipe.fileHandleForWriting.fileDescriptor)", svg: nil)
        try end.check()
        try end.write(csv: "rows", svg: "", output: { _ in })
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() == Data("rows".utf8))
    }
}

/// Another user, who has a link at a name, and takes it away, again and again.
private final class Racer: Sendable {
    private let isDone = Atomic(false)
    private let hasStopped = DispatchSemaphore(value: 0)

    init(_ link: String, to target: String) {
        Thread.detachNewThread { [self] in
            while !isDone.load(ordering: .relaxed) {
                symlink(target, link + ".own")
                lchown(link + ".own", 65_534, 65_534)
                rename(link + ".own", link)
                unlink(link)
            }
            hasStopped.signal()
        }
    }

    func stop() {
        isDone.store(true, ordering: .relaxed)
        hasStopped.wait()
    }
}
