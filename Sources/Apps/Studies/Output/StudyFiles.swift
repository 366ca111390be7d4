package import BluethroatEvents

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
    ///
    /// - Parameter inputs: files that are read, which results would replace.
    package func check(sparing inputs: [String] = []) throws(OperationFailure) {
        let files = [csv, svg].compactMap(\.self).filter { $0 != Self.standardOutput }.map(ResultFile.init)
        for file in files {
            try file.check()
            guard !inputs.contains(where: { file.isSame(as: ResultFile($0)) }) else {
                throw OperationFailure("cannot write \(file.path): it is a file that is read; choose another one")
            }
        }
        if files.count == 2, files[0].isSame(as: files[1]) {
            throw OperationFailure("--csv and --svg are the same file, \(files[0].path); give two files")
        }
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
        try ResultFile(path).write(text)
    }
}
