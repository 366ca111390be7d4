import BluethroatByteCoding
public import BluethroatEvents
public import BluethroatKeyFobConsole
import BluethroatLive
import Foundation

extension KeyFobScript {
    /// A file is read so far; a longer one is refused.
    static let longestFile = 1_000_000

    /// How long it lasts, if it asks for the end.
    public var length: Seconds? { end.map(Seconds.init(span:)) }

    /// Reads a script from a file. The error is one line with the file's name, and where there is one with that of a line.
    public init(file path: String, of vocabulary: KeyFobWord.Vocabulary, fobs: Int = 1) throws(InvalidText) {
        let unreadable = InvalidText("\(path) cannot be read; give a file of words, one a line")
        guard let file = fopen(path, "rb") else { throw unreadable }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: Self.longestFile + 1)
        let count = fread(&bytes, 1, bytes.count, file)
        bytes.removeLast(bytes.count - count)
        guard ferror(file) == 0 else { throw unreadable }
        guard bytes.count <= Self.longestFile else {
            throw InvalidText("\(path) is longer than \(Self.longestFile) bytes; that is no script")
        }
        do throws(KeyFobWordError) {
            let text = String(String(decoding: bytes, as: UTF8.self).withoutByteOrderMark)
            try self.init(parsing: text, named: path, of: vocabulary, fobs: fobs)
        } catch {
            throw InvalidText(error.description)
        }
    }
}
