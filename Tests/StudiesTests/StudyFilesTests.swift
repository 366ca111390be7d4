import BluethroatEvents
import Foundation
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
        let (file, link) = (folder.appendingPathComponent("a.yaml"), folder.appendingPathComponent("b.yaml"))
        try Data("length: 1 s\n".utf8).write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        for path in [file.path, link.path] {
            #expect(throws: OperationFailure("cannot write \(path): it is the file that is read; choose another one")) {
                try StudyFiles(csv: nil, svg: path).check(sparing: file.path)
            }
        }
        #expect(throws: Never.self) { try StudyFiles(csv: link.path + ".csv", svg: "-").check(sparing: file.path) }
    }
}
