public import Foundation

/// A folder in which results are kept, each in a file of its own, so that what is finished is not computed again: neither
/// by a run that goes on where another one was ended, nor by a larger one that has some of the same to do.
///
/// A result has a key, one line with everything that it follows from. A file is there as a whole or not at all, and any
/// number of processes may write to the same folder at once.
public struct ResultFolder: Sendable {
    /// A file or the folder cannot be used; one line that says which, and what to do.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    private let folder: URL

    /// Makes the folder, if it is not there.
    public init(_ path: String) throws(Failure) {
        folder = URL(fileURLWithPath: path, isDirectory: true)
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            throw Failure(description: "cannot keep results in \(path): \(error.localizedDescription)")
        }
        guard FileManager.default.isWritableFile(atPath: folder.path) else {
            throw Failure(description: "cannot keep results in \(path): it may not be changed; choose another folder")
        }
    }

    /// The result with this key, if it is finished.
    public func result(for key: String) throws(Failure) -> Data? {
        let file = file(of: key)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let bytes: Data
        do { bytes = try Data(contentsOf: file) } catch {
            throw Failure(description: "cannot read \(file.path): \(error.localizedDescription)")
        }
        let head = Data((key + "\n").utf8)
        guard bytes.starts(with: head) else { throw Self.damaged(file) }
        return bytes.dropFirst(head.count)
    }

    /// Keeps a result.
    public func keep(_ result: Data, for key: String) throws(Failure) {
        let file = file(of: key)
        do { try (Data((key + "\n").utf8) + result).write(to: file, options: .atomic) } catch {
            throw Failure(description: "cannot write \(file.path): \(error.localizedDescription)")
        }
    }

    /// For a result that its reader does not understand.
    public func damaged(_ key: String) -> Failure { Self.damaged(file(of: key)) }

    private static func damaged(_ file: URL) -> Failure {
        Failure(description: "\(file.path) is not what was kept there; remove it, and it is computed again")
    }

    private func file(of key: String) -> URL {
        // FNV-1a, twice with other beginnings: the name is only a place; the file says the key.
        func hash(_ start: UInt64) -> String {
            let hash = key.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return folder.appendingPathComponent(hash(0xcbf2_9ce4_8422_2325) + hash(0x8422_2325_cbf2_9ce4) + ".result")
    }
}
