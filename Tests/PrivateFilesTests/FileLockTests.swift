import BluethroatPrivateFiles
import Foundation
import Testing

@Suite("The right to a file, which one has at a time")
struct FileLockTests {
    private let folder = TestFolder()
    private var file: URL { folder.url.appendingPathComponent("wallet") }

    @Test("A second one gets none, beside the file or on the folder, until the first one is gone")
    func oneAtATime() throws {
        var lock = try FileLock(beside: file)
        #expect(lock != nil)
        #expect(try FileLock(beside: file) == nil)
        #expect(folder.mode(URL(fileURLWithPath: file.path + ".lock")) == 0o600)
        lock = nil
        #expect(try FileLock(beside: file) != nil)
        func openFolder() throws -> FileHandle {
            FileHandle(fileDescriptor: try #require(try PrivateFiles.openFolder(folder.url)), closeOnDealloc: true)
        }
        var claim = FileLock(try openFolder())
        #expect(try claim != nil && FileLock(openFolder()) == nil)
        claim = nil
        #expect(try FileLock(openFolder()) != nil)
    }

    @Test("Who waits has it after the other one, and what eight do at a time is as if they had done it in turn")
    func inTurn() async throws {
        let file = file
        try Data("0".utf8).write(to: file)
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<25 {
                        let lock = try FileLock(waitingBeside: file)
                        try withExtendedLifetime(lock) {
                            let count = Int(String(decoding: try Data(contentsOf: file), as: UTF8.self)) ?? -1_000
                            try Data("\(count + 1)".utf8).write(to: file)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self) == "200")
    }
}
