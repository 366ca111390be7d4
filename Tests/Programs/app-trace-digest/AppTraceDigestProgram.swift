import Foundation
import SceneRecords

/// Prints the digests of seeded worlds with phones and apps, or compares them with recorded ones.
@main
struct AppTraceDigestProgram {
    static func main() {
        let program = RecordProgram(
            name: "app-trace-digest",
            scenes: PhoneScenes.all + OverflowScenes.all + FutureScenes.all + MoneyScenes.all + LoginScenes.all
        )
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let code = program.run(arguments) { exit(code) }
        program.printError("not understood: \(arguments.joined(separator: " "))\n\(program.usage)")
        exit(2)
    }
}
