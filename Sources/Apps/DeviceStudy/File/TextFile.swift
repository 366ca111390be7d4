import BluethroatEvents
import Foundation

/// A file of text in UTF-8, which may be a pipe or a terminal.
enum TextFile {
    /// - Parameter mebibytes: how long it may be; no more is read, so that a file without end has an end, too.
    static func contents(_ path: String, mebibytes: Int) throws(OperationFailure) -> String {
        guard !path.isEmpty else { throw OperationFailure("cannot read a file without a name; give one") }
        var (found, data) = (stat(), Data())
        if stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR {
            throw OperationFailure("cannot read \(path): it is a directory")
        }
        do { data = try read(path, atMost: mebibytes << 20 + 1) } catch {
            throw OperationFailure("cannot read \(path): there is no such file, or it may not be read")
        }
        guard data.count <= mebibytes << 20 else {
            throw OperationFailure("cannot read \(path): it is longer than \(mebibytes) MiB")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw OperationFailure("cannot read \(path): it is no text in UTF-8")
        }
        return text
    }

    private static func read(_ path: String, atMost limit: Int) throws -> Data {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var data = Data()
        // A pipe gives a part at a time.
        while data.count < limit, let part = try file.read(upToCount: min(1 << 16, limit - data.count)), !part.isEmpty {
            data += part
        }
        return data
    }
}
