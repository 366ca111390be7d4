import BluethroatByteCoding
import BluethroatHCI
import Foundation
import Testing

/// The samples against the bytes that another stack writes for the same values.
@Suite("Packets as Bumble writes them")
struct BumbleVectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let kind: String
        let name: String
        let bytes: [UInt8]

        var testDescription: String { "\(kind) \(name)" }
    }

    static let vectors: [Vector] = {
        guard let file = Bundle.module.url(forResource: "bumble", withExtension: "txt", subdirectory: "Vectors"),
            let text = try? String(contentsOf: file, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 3, let bytes = [UInt8](hex: words[2]) else { return nil }
            return Vector(kind: String(words[0]), name: String(words[1]), bytes: bytes)
        }
    }()

    @Test("Bumble writes each packet as we do and we read it as Bumble meant it", arguments: vectors)
    func sameBytes(vector: Vector) throws {
        switch vector.kind {
        case "command":
            let command = try Command(parsing: vector.bytes)
            #expect(command.packet() == vector.bytes)
            #expect(Samples.commands.contains(command), "\(command)")
        case "return":
            let matches = Samples.returns.filter { $0.bytes == vector.bytes }
            #expect(!matches.isEmpty, "\(vector.bytes.hex)")
            for match in matches { #expect(try match.isRead(vector.bytes)) }
        case "event":
            let event = try Event(parsing: vector.bytes)
            #expect(event.packet() == vector.bytes)
            #expect(Samples.events.contains(event), "\(event)")
        default:
            Issue.record("what is a \(vector.kind)?")
        }
    }

    @Test("The file has all the packets that Bumble knows among ours")
    func count() {
        #expect(Self.vectors.filter { $0.kind == "command" }.count == 72)
        #expect(Self.vectors.filter { $0.kind == "return" }.count == 62)
        #expect(Self.vectors.filter { $0.kind == "event" }.count == 18)
    }
}
