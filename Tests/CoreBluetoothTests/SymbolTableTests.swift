import Foundation
import Testing

/// What the generated uses have to say: row by row, whether it holds.
struct RowUses {
    private(set) var holds: [String: Bool] = [:]

    mutating func row(_ number: Int, _ declaration: String, _ condition: Bool) {
        holds["\(number) \(declaration)"] = condition
    }
}

/// Called through a protocol, since a call of what is deprecated would be warned of.
protocol UsesOfRows {
    func useAll(_ uses: inout RowUses)
}

@Suite("The symbols of CoreBluetooth")
struct SymbolTableTests {
    @Test("Every row of the table is used once, with its value, and compiles")
    func everyRow() throws {
        let url = try #require(
            Bundle.module.url(forResource: "corebluetooth-api", withExtension: "tsv", subdirectory: "Resources")
        )
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst()
        let declarations = lines.map { String($0.split(separator: "\t", omittingEmptySubsequences: false)[2]) }
        var uses = RowUses()
        (EveryRow() as any UsesOfRows).useAll(&uses)

        var covered = 0
        for (index, declaration) in declarations.enumerated() {
            switch uses.holds["\(index + 1) \(declaration)"] {
            case true?: covered += 1
            case false?: Issue.record("row \(index + 1) has another value here: \(declaration)")
            case nil: Issue.record("row \(index + 1) is not used; run Scripts/corebluetooth-uses: \(declaration)")
            }
        }
        print("CoreBluetooth: \(covered) of \(declarations.count) rows of the symbol table are there")
        #expect(covered == declarations.count)
    }
}
