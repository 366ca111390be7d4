/// A path that names what this process has open already, such as standard input, rather than a place in a folder.
package enum OpenPath {
    package static func isOne(_ path: String) -> Bool {
        ["/dev/stdin", "/dev/stdout", "/dev/stderr"].contains(path) || path.hasPrefix("/dev/fd/")
            || path.hasPrefix("/proc/")
    }
}
