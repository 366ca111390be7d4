import BluethroatRankGroups
import Foundation
import Testing

@Suite("Results that are kept")
struct ResultFolderTests {
    private func temporary() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("results-\(UUID().uuidString)").path
    }

    @Test("A result is there under its key only, also for another process")
    func kept() throws {
        let path = temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try ResultFolder(path)
        #expect(try folder.result(for: "seed 1") == nil)
        try folder.keep(Data([1, 2, 10, 3]), for: "seed 1")
        try folder.keep(Data(), for: "seed 2")
        let again = try ResultFolder(path)
        #expect(try again.result(for: "seed 1") == Data([1, 2, 10, 3]))
        #expect(try again.result(for: "seed 2") == Data())
        #expect(try again.result(for: "seed 3") == nil)
    }

    @Test("A file that was changed is not believed: the error names it and says what to do")
    func damaged() throws {
        let path = temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try ResultFolder(path)
        try folder.keep(Data([1]), for: "seed 1")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: path).first)
        try Data("seed".utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        let failure = #expect(throws: ResultFolder.Failure.self) { try folder.result(for: "seed 1") }
        let line = "\(path)/\(name) is not what was kept there; remove it, and it is computed again"
        #expect(failure?.description == line)
    }

    @Test("A folder that cannot be is refused with one line")
    func impossible() {
        let failure = #expect(throws: ResultFolder.Failure.self) { try ResultFolder("/dev/null/results") }
        #expect(failure?.description.hasPrefix("cannot keep results in /dev/null/results: ") == true)
    }
}
