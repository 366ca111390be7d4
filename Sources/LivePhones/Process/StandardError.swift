import Foundation

/// Where people read what is wrong.
enum StandardError {
    /// Writes a line at once, under our name: the program is somebody else's.
    static func write(_ line: String) {
        FileHandle.standardError.write(Data("bluethroat: \(line)\n".utf8))
    }
}
