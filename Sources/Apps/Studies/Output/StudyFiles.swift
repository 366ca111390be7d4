package import BluethroatEvents
import Foundation

/// Where a study is written to. `-` is standard output, on which nothing else is then.
package struct StudyFiles {
    package var csv: String?
    package var svg: String?

    package init(csv: String?, svg: String?) {
        self.csv = csv
        self.svg = svg
    }

    package static let standardOutput = "-"

    package var takesStandardOutput: Bool { [csv, svg].contains(Self.standardOutput) }

    /// Whether there will be somewhere to write to, asked before anything is computed.
    package func check() throws(OperationFailure) {
        if let csv, let svg, csv != Self.standardOutput, Self.isSame(csv, svg) {
            throw OperationFailure("--csv and --svg are the same file, \(csv); give two files")
        }
        for path in [csv, svg].compactMap(\.self) where path != Self.standardOutput {
            guard !path.isEmpty else { throw OperationFailure("cannot write a file without a name; give one") }
            var isDirectory = ObjCBool(false)
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) {
                if isDirectory.boolValue { throw OperationFailure("cannot write \(path): it is a directory") }
                guard FileManager.default.isWritableFile(atPath: path) else {
                    throw OperationFailure("cannot write \(path): it may not be changed; choose another file")
                }
            } else if !FileManager.default.isWritableFile(atPath: folder) {
                throw OperationFailure("cannot write \(path): there is no directory for it that can be written to")
            }
        }
    }

    /// Says whether one of the files would replace this one, which is read.
    package func check(sparing input: String) throws(OperationFailure) {
        for path in [csv, svg].compactMap(\.self) where path != Self.standardOutput && Self.isSame(path, input) {
            throw OperationFailure("cannot write \(path): it is the file that is read; choose another one")
        }
    }

    /// Whether both are names of one file. What is no file, such as /dev/null, may be written to twice.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        let paths = [one, other].map { URL(fileURLWithPath: $0).standardizedFileURL.resolvingSymlinksInPath().path }
        guard paths[0] == paths[1] else { return false }
        let type = try? FileManager.default.attributesOfItem(atPath: paths[0])[.type] as? FileAttributeType
        return type == nil || type == .typeRegular
    }

    /// `output` takes what is for standard output.
    package func write(
        csv rows: @autoclosure () -> String,
        svg plot: @autoclosure () -> String,
        output: (String) -> Void
    ) throws(OperationFailure) {
        if let csv { try write(rows(), to: csv, output) }
        if let svg { try write(plot(), to: svg, output) }
    }

    private func write(_ text: String, to path: String, _ output: (String) -> Void) throws(OperationFailure) {
        guard path != Self.standardOutput else { return output(text) }
        try ResultFile.write(text, to: path)
    }
}
