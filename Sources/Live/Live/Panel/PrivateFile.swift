package import BluethroatEvents
import BluethroatPrivateFiles
import Foundation

/// A file with secrets in it that a command writes: for this user alone, and never in the place of another.
package enum PrivateFile {
    /// Writes a new file, mode 0600 from the first byte. Where that fails there is none.
    package static func write(_ text: String, to path: String) throws(OperationFailure) {
        guard !path.isEmpty, !path.hasSuffix("/") else {
            throw OperationFailure("\"\(path)\" is no name of a file", .wrongUsage)
        }
        do throws(PrivateFiles.Failure) {
            try PrivateFiles.create(URL(fileURLWithPath: path), with: Data(text.utf8))
        } catch {
            throw OperationFailure("\(error)", error.isFullDisk ? .refused : .wrongUsage)
        }
    }
}

extension PrivateFiles.Failure {
    fileprivate var isFullDisk: Bool { if case .diskFull = self { true } else { false } }
}
