import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("The page docs/workstation.md and the protocol")
struct ProtocolPageTests {
    static func page() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("docs/workstation.md"), encoding: .utf8)
    }

    private static func table(_ phases: [String], _ inputs: [String], _ cell: (Int, Int) -> String) -> String {
        let head =
            "| | " + phases.joined(separator: " | ") + " |\n|" + String(repeating: "---|", count: phases.count + 1)
        let rows = inputs.indices.map { input in
            "| \(inputs[input]) | " + phases.indices.map { cell($0, input) }.joined(separator: " | ") + " |"
        }
        return ([head] + rows).joined(separator: "\n") + "\n"
    }

    private static func list(_ words: [(String, String)]) -> String {
        "| | |\n|---|---|\n" + words.map { "| \($0.0) | \($0.1) |\n" }.joined()
    }

    static var phoneTables: [String] {
        let (phases, inputs) = (PhoneProtocol.Phase.allCases, PhoneProtocol.Input.allCases)
        return [
            table(phases.map(\.rawValue), inputs.map(\.rawValue)) {
                PhoneProtocol.reaction(in: phases[$0], to: inputs[$1]).rawValue
            }, list(PhoneProtocol.Reaction.allCases.map { ($0.rawValue, $0.meaning) }),
        ]
    }

    static var deskTables: [String] {
        let (phases, inputs) = (DeskProtocol.Phase.allCases, DeskProtocol.Input.allCases)
        return [
            table(phases.map(\.rawValue), inputs.map(\.rawValue)) {
                DeskProtocol.reaction(in: phases[$0], to: inputs[$1]).rawValue
            }, list(DeskProtocol.Reaction.allCases.map { ($0.rawValue, $0.meaning) }),
        ]
    }

    @Test("The page's tables of phases and messages are those that the code obeys")
    func tables() throws {
        let page = try Self.page()
        for table in Self.phoneTables + Self.deskTables {
            #expect(page.contains(table), "docs/workstation.md has to have this table:\n\(table)")
        }
    }
}
