import Foundation

/// A program that records worlds of its scenes, or compares them with what was recorded.
public struct RecordProgram {
    private let name: String
    private let scenes: [RecordedScene]

    /// - Parameters:
    ///   - name: the program's, for what it says about itself.
    ///   - scenes: in the order in which they are printed.
    public init(name: String, scenes: [RecordedScene]) {
        self.name = name
        self.scenes = scenes
    }

    public var usage: String {
        """
        \(name) --list                     prints the names of the scenes, and how many seeds each has
        \(name) --all                      prints a line for each world: scene, seed, digest, frames
        \(name) --scene NAME [--seed SEED] prints these lines of it
        \(name) --check FILE               compares all worlds with the lines in a file; exit code 1 if any differs
        """
    }

    /// Does what the arguments say; nil where they are none of this program's. The exit code is 1 if a world differs or
    /// fails, and 2 if something is wrong with the file.
    public func run(_ arguments: [String]) -> Int32? {
        switch arguments {
        case ["--list"]:
            for scene in scenes { print("\(scene.name)\t\(scene.seeds.count)") }
            return 0
        case ["--all"]: return printLines(of: scenes)
        case let words where words.count == 2 && words[0] == "--scene":
            return printLines(of: scenes.filter { $0.name == words[1] })
        case let words where words.count == 4 && words[0] == "--scene" && words[2] == "--seed":
            guard let seed = UInt64(words[3]) else { return nil }
            return printLines(of: scenes.filter { $0.name == words[1] }, seed: seed)
        case let words where words.count == 2 && words[0] == "--check": return check(words[1])
        default: return nil
        }
    }

    public func printError(_ text: String) { FileHandle.standardError.write(Data("\(name): \(text)\n".utf8)) }

    private func printLines(of scenes: [RecordedScene], seed: UInt64? = nil) -> Int32 {
        var code: Int32 = scenes.isEmpty ? 2 : 0
        if scenes.isEmpty { printError("there is no scene of that name; --list prints all") }
        for scene in scenes {
            for seed in seed.map({ $0...$0 }) ?? scene.seeds {
                guard let line = line(of: scene, seed) else {
                    code = 1
                    continue
                }
                print(line)
            }
        }
        return code
    }

    /// Runs one world; nil, after an error is printed, if it fails.
    private func line(of scene: RecordedScene, _ seed: UInt64) -> RecordLine? {
        do {
            return RecordLine(scene: scene.name, seed: seed, record: try scene.record(seed: seed))
        } catch {
            printError("\(scene.name) \(seed): \(error)")
            return nil
        }
    }

    private func check(_ path: String) -> Int32 {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            printError("\(path) cannot be read")
            return 2
        }
        var recorded: [RecordLine] = []
        for (number, row) in text.split(separator: "\n").enumerated() where !row.hasPrefix("#") {
            guard let line = RecordLine(row) else {
                printError("\(path): record \(number + 1) is no line of scene, seed, digest and frames")
                return 2
            }
            recorded.append(line)
        }
        return compare(recorded)
    }

    private func text(of record: SceneRecord?) -> String {
        record.map { "\($0.digest) with \($0.frames) frames" } ?? "nothing"
    }

    /// Names every world that differs, the first one once more at the end.
    private func compare(_ recorded: [RecordLine]) -> Int32 {
        var rest: [String: RecordLine] = [:]
        for line in recorded { rest[line.world] = line }
        var differing: [String] = []
        var count = 0
        for scene in scenes {
            for seed in scene.seeds {
                count += 1
                let world = "\(scene.name) \(seed)"
                let expected = rest.removeValue(forKey: world)?.record
                let current = line(of: scene, seed)?.record
                guard current == nil || current != expected else { continue }
                differing.append(world)
                printError("\(world) differs: recorded \(text(of: expected)), now \(text(of: current))")
            }
        }
        for line in recorded where rest[line.world] != nil {
            differing.append(line.world)
            printError("\(line.world) is recorded and does not exist")
        }
        guard let first = differing.first else {
            print("\(count) worlds are as recorded")
            return 0
        }
        printError("\(differing.count) of \(count) worlds differ; the first is \(first)")
        return 1
    }
}
