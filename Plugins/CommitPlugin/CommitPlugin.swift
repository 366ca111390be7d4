import Foundation
import PackagePlugin

/// Has `Scripts/write-commit` write down from which commit a target is built, anew whenever the repository is at another
/// one. docs/decisions/226-from-which-commit.md
@main
struct CommitPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
        let tree = context.package.directoryURL
        let script = tree.appending(path: "Scripts/write-commit")
        let file = context.pluginWorkDirectoryURL.appending(path: "BuiltCommit.swift")
        return [
            .buildCommand(
                displayName: "Writing down the commit",
                executable: URL(filePath: "/bin/sh"),
                arguments: [script.path(), tree.path(), file.path()],
                inputFiles: [script] + heads(of: tree),
                outputFiles: [file]
            )
        ]
    }

    /// The files of the repository that change when it is at another commit; none if there is no repository.
    private func heads(of tree: URL) -> [URL] {
        var repository = tree.appending(path: ".git")
        // In a second working tree this is a file that says where the repository is.
        if let text = try? String(contentsOf: repository, encoding: .utf8), text.hasPrefix("gitdir: ") {
            let path = text.dropFirst("gitdir: ".count).trimmingCharacters(in: .whitespacesAndNewlines)
            repository = URL(filePath: path, relativeTo: tree)
        }
        return ["HEAD", "logs/HEAD"].map { repository.appending(path: $0) }
            .filter { FileManager.default.fileExists(atPath: $0.path()) }
    }
}
