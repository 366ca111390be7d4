import Foundation
import RecordedPrograms
import Testing

@Suite("Recorded worlds with phones and apps")
struct AppTraceDigestTests {
    @Test("Every world is as recorded")
    func recorded() throws {
        let records = RecordedProgram.records("apps.tsv")
        let program = try RecordedProgram("app-trace-digest", ["--check", records.path])
        #expect(program.status == 0, "\(program.errors)")
        let count = try RecordedProgram.lines(of: records).count
        #expect(count >= 90 && program.output == "\(count) worlds are as recorded\n")
    }
}
