import BluethroatSimulation
import Foundation
import SceneRecords

/// Prints the digests of seeded worlds of the engine, or compares them with recorded ones. The same seed prints the same
/// line in every process.
///
/// With a seed alone it prints one line for a minute of the scene `key-fobs`.
@main
struct TraceDigestProgram {
    static func main() {
        let program = RecordProgram(
            name: "trace-digest",
            scenes: KeyFobScenes.all + PairingScenes.all + PrivacyScenes.all + DataScenes.all + LinkScenes.all
                + ForeignScenes.all
        )
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let code = program.run(arguments) { exit(code) }
        guard arguments.count < 2, let seed = UInt64(arguments.first ?? "1") else {
            program.printError("not understood: \(arguments.joined(separator: " "))\n\(program.usage)")
            exit(2)
        }
        var fobs = KeyFobWorld(seed: seed)
        fobs.run(seconds: 60)
        print("seed \(seed) digest \(fobs.world.digest) frames \(fobs.world.transmissionCount)")
    }
}
