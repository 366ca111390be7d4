import Foundation
import Testing

@testable import BluethroatTesting

@Suite("Where the log of a failing test is written")
struct LogFilesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "logs-\(UUID())")

    /// A folder of this mode in which a test's files are links to one that is worth keeping.
    private func prepare(_ name: String, mode: Int) throws -> (precious: URL, logs: URL) {
        let logs = folder.appending(path: name), precious = folder.appending(path: "precious")
        try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: logs.path)
        try Data("kept".utf8).write(to: precious)
        for kind in ["pcapng", "txt"] {
            let link = logs.appending(path: "test.\(kind)")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: precious)
        }
        return (precious, logs)
    }

    @Test("Among the temporary files it is no folder in which others can put links", arguments: [0o777, 0o755, 0o700])
    func temporary(mode: Int) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (precious, _) = try prepare("bluethroat-logs", mode: mode)
        let files = LogFiles(test: "test", named: nil, temporary: folder.path)
        files.write(Air())
        let isWritten = try FileManager.default.attributesOfItem(atPath: files.capture)[.type] as? FileAttributeType
        #expect((isWritten == .typeRegular) == (mode == 0o700))
        #expect(try Data(contentsOf: precious) == Data("kept".utf8))
    }

    @Test("In a folder that was chosen, it takes the place of a link and is not written where that leads to")
    func chosen() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (precious, logs) = try prepare("chosen", mode: 0o777)
        let files = LogFiles(test: "test", named: logs.path)
        files.write(Air())
        #expect(try Data(contentsOf: precious) == Data("kept".utf8))
        #expect(try Data(contentsOf: URL(fileURLWithPath: files.capture)).count > 0)
    }
}
