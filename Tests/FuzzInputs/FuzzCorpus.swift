import Foundation
import Testing

/// The inputs that are kept for a target: those that once broke a promise, and a few that reach much of its code.
public struct FuzzCorpus {
    /// The inputs with the names of their files, in the order of the names.
    public let inputs: [(name: String, bytes: [UInt8])]

    /// Reads `Fuzzing/Corpora` of this package.
    public init(of target: FuzzTarget) throws {
        // Tests/FuzzInputs/FuzzCorpus.swift is three levels below the package.
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = package.appendingPathComponent("Fuzzing/Corpora/\(target.name)", isDirectory: true)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        inputs = try files.sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { (name: $0.lastPathComponent, bytes: [UInt8](try Data(contentsOf: $0))) }
    }

    /// Plays all inputs of a target; each one that throws is an issue of the test that runs.
    public static func play(_ target: FuzzTarget) throws {
        let corpus = try Self(of: target)
        #expect(!corpus.inputs.isEmpty, "no inputs are kept for \(target)")
        for input in corpus.inputs {
            do { try target.play(input.bytes) } catch { Issue.record("\(target)/\(input.name): \(error)") }
        }
    }
}
