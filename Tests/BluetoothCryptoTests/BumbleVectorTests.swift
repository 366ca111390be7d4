import BluethroatByteCoding
import Foundation
import Testing

@testable import crypto_answers

/// Our functions against another stack's on random input. The input of this file is always the same, so that it needs no
/// Bumble; Tests/Interop/test_crypto_differential.py draws another every time.
@Suite("Cryptography as Bumble computes it")
struct BumbleVectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let question: Question
        let results: [[UInt8]]
    }

    static let vectors: [Vector] = {
        guard let file = Bundle.module.url(forResource: "bumble", withExtension: "txt", subdirectory: "Vectors"),
            let text = try? String(contentsOf: file, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").enumerated().compactMap { number, line in
            let sides = line.split(separator: "=")
            guard !line.hasPrefix("#"), sides.count == 2, let question = Question(sides[0]) else { return nil }
            return Vector(
                testDescription: "\(question.function), line \(number + 1)",
                question: question,
                results: sides[1].split(separator: " ").map { [UInt8](hex: $0) ?? [] }
            )
        }
    }()

    @Test("The same result for the same arguments", arguments: vectors)
    func sameResult(vector: Vector) throws {
        #expect(try vector.question.answer() == vector.results)
    }

    @Test("The file has every function")
    func count() {
        let counts = Dictionary(grouping: Self.vectors, by: \.question.function).mapValues(\.count)
        for function in ["e", "ah", "cmac", "c1", "s1", "f4", "f5", "f6", "g2", "h6", "h7", "dh"] {
            #expect(counts[function] == 25, "\(function)")
        }
        #expect(counts["ccm"] == 32)
    }

    @Test(
        "What is no question has no answer",
        arguments: [
            "", "e", "e 00 11", "h8 00", "e zz",
            "ah \(String(repeating: "0", count: 32)) \(String(repeating: "1", count: 18))",
        ]
    )
    func malformed(line: String) {
        #expect(CryptoAnswersProgram.answer(to: line) == "?")
    }
}
