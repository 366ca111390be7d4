import Foundation

/// Large pages of memory, for programs with very much in it: the processor's table of pages (TLB) does not hold small ones of
/// a gigabyte.
enum LargePages {
    /// Has Linux give what this program allocates in large pages. The C library asks for them only if it is told so as a
    /// program begins, by GLIBC_TUNABLES; so the program begins anew, as the same process, with the same arguments.
    /// Nothing happens if that variable is set already, or if the program cannot be begun anew.
    ///
    /// To be called first: what the process has opened or changed until then would stay.
    static func take() {
        #if os(Linux)
            let name = "GLIBC_TUNABLES"
            let link = "/proc/self/exe"
            guard getenv(name) == nil, let own = try? FileManager.default.destinationOfSymbolicLink(atPath: link) else {
                return
            }
            setenv(name, "glibc.malloc.hugetlb=1", 1)
            execv(own, CommandLine.unsafeArgv)
            unsetenv(name)
        #endif
    }
}
