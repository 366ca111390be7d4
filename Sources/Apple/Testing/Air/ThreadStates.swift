import Foundation

/// What the threads of this process are doing, as the kernel has it.
enum ThreadStates {
    /// Whether a thread other than the caller's runs, or waits for a processor. False where the kernel does not say.
    static var othersAreAtWork: Bool {
        #if os(Linux)
            guard let own, let directory = opendir("/proc/self/task") else { return false }
            defer { closedir(directory) }
            while let entry = readdir(directory) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != own, state(of: name) == UInt8(ascii: "R") { return true }
            }
        #endif
        return false
    }

    #if os(Linux)
        /// The number of the calling thread. The link reads `4711/task/4712`.
        private static var own: String? {
            var buffer = [CChar](repeating: 0, count: 64)
            let count = readlink("/proc/thread-self", &buffer, buffer.count)
            guard count > 0 else { return nil }
            let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return path.split(separator: "/").last.map(String.init)
        }

        /// The letter behind the name, which is in parentheses and may have some itself. proc(5).
        private static func state(of thread: String) -> UInt8? {
            let file = open("/proc/self/task/\(thread)/stat", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            var buffer = [UInt8](repeating: 0, count: 128)
            let count = read(file, &buffer, buffer.count)
            guard count > 0, let end = buffer[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else {
                return nil
            }
            return buffer[end + 2]
        }
    #endif
}
