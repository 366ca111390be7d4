import BluethroatEvents
import BluethroatStudies
import Foundation
import Testing

@testable import BluethroatDeviceStudy

@Suite("The studies in Examples")
struct ExampleTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Examples/Studies").standardizedFileURL

    static let names =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
        .filter { $0.hasSuffix(".yaml") }.sorted() ?? []

    @Test("There are several") func several() { #expect(Self.names.count >= 8) }

    @Test("Each gives numbers in every column, the same ones on one thread as on three", arguments: names)
    func runs(name: String) throws {
        var plan = try StudyPlan(file: Self.folder.appendingPathComponent(name).path)
        plan.worlds = 2
        // Short: what is tested is that all of it works.
        for row in plan.rows.indices where !plan.varied.contains("length") {
            plan.rows[row]["length"] = .number(min(plan.rows[row].number("length"), plan.isCrowd ? 12 : 5))
        }
        for group in plan.groups {
            for row in plan.rows.indices {
                plan.rows[row]["\(group.name).count"] = .number(min(plan.rows[row].number("\(group.name).count"), 40))
            }
        }
        plan.rows = [plan.rows.first, plan.rows.last].compactMap(\.self)
        let results = try #require(try plan.results(on: ThreadedRunner(threads: 1)))
        let again = try #require(try plan.results(on: ThreadedRunner(threads: 3)))
        #expect(results.csv == again.csv && results.json == again.json && results.svg == again.svg)
        #expect(results.table == again.table && results.table.count == 5 + plan.rows.count)
        for column in plan.columns.indices {
            #expect(
                plan.rows.indices.contains { results.estimate(row: $0, column: column) != nil },
                "\(plan.columns[column].name) has no number"
            )
        }
        let lines = results.csv.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).count
        }
        #expect(Set(lines).count == 1)
        for line in results.json {
            #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any])
        }
        plan.seed = 99
        #expect(try plan.results(on: ThreadedRunner(threads: 2))?.csv != results.csv)
    }
}
