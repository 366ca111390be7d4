import Foundation
import Testing

@Suite("Signatures of futures and of the central side")
struct FuturesSignatureTests {
    /// A declaration that code written for the API may use; without a type it is a statement.
    private struct Row {
        let section: String
        let expression: String
        let type: String

        init?(_ line: Substring) {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3, fields[0] != "section" else { return nil }
            (section, expression, type) = (fields[0], fields[1], fields[2])
        }

        var use: String { type.isEmpty ? expression : "let _: \(type) = \(expression)" }
    }

    private static func rows() throws -> [Row] {
        let table = try #require(
            Bundle.module.url(forResource: "futures-api", withExtension: "tsv", subdirectory: "Resources")
        )
        return try String(contentsOf: table, encoding: .utf8).split(separator: "\n").compactMap(Row.init)
    }

    /// Lines may be broken anywhere.
    private static func withoutSpace(_ text: String) -> String { text.filter { !$0.isWhitespace } }

    @Test("Every row of the table is used, with its type")
    func complete() throws {
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "FuturesSignatures.swift")
        let text = Self.withoutSpace(try String(contentsOf: source, encoding: .utf8))
        let rows = try Self.rows()
        #expect(rows.count > 240)
        for row in rows {
            let isUsed = text.contains(Self.withoutSpace(row.use))
            #expect(isUsed, "\(row.section) \(row.expression)")
        }
        let sections = Set(rows.map(\.section))
        #expect(sections == ["7.1", "7.2", "7.3", "8.1", "8.2", "8.3", "10", "11"])
    }
}
