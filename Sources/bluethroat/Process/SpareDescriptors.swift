import Foundation

/// Room in the table of open files.
enum SpareDescriptors {
    /// What a command needs besides its standard streams: files, SQLite's journal, and what libraries open for themselves,
    /// which end the process where they find none.
    private static let fewest = 8

    /// Why there is too little room, in one line; nil if there is enough.
    static func fault() -> String? {
        var opened: [CInt] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < fewest {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                guard errno == EMFILE || errno == ENFILE else { return nil }
                return "too few files may be open at once; raise the limit with ulimit -n 64"
            }
            opened.append(descriptor)
        }
        return nil
    }
}
