#if canImport(OverflowStudy)
    import Foundation
    import OverflowStudy

    /// Where a study is written to. `-` is standard output, on which nothing else is then.
    struct StudyFiles {
        var csv: String?
        var svg: String?

        static let standardOutput = "-"

        var takesStandardOutput: Bool { [csv, svg].contains(Self.standardOutput) }

        /// Whether there will be somewhere to write to, asked before anything is computed.
        func check() throws(CommandFailure) {
            for path in [csv, svg].compactMap(\.self) where path != Self.standardOutput {
                var isDirectory = ObjCBool(false)
                let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
                if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) {
                    if isDirectory.boolValue { throw CommandFailure("cannot write \(path): it is a directory") }
                    guard FileManager.default.isWritableFile(atPath: path) else {
                        throw CommandFailure("cannot write \(path): it may not be changed; choose another file")
                    }
                } else if !FileManager.default.isWritableFile(atPath: folder) {
                    throw CommandFailure("cannot write \(path): there is no directory for it that can be written to")
                }
            }
        }

        func write(_ report: StudyReport) throws(CommandFailure) {
            if let csv { try write(report.csv, to: csv) }
            if let svg { try write(report.svg, to: svg) }
        }

        private func write(_ text: String, to path: String) throws(CommandFailure) {
            guard path != Self.standardOutput else { return StandardOutput.writeBytes(text) }
            do { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) } catch {
                throw CommandFailure("cannot write \(path): \(error.localizedDescription)")
            }
        }
    }
#endif
