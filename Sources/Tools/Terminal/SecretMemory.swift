import Foundation

/// What a process does so that its passwords and keys stay in its memory.
package enum SecretMemory {
    /// Leaves no core dump of this process. For every command, since each may hold keys of links.
    ///
    /// RLIMIT_CORE is 1 on Linux: no file is that short, and the kernel begins no program to take the dump, which it does
    /// at 0 where `kernel.core_pattern` is a pipe (fs/coredump.c). Where the limit is 0 and cannot be raised, the process is
    /// not dumpable.
    package static func leaveNoCoreDump() {
        #if os(Linux)
            var least = rlimit(rlim_cur: 1, rlim_max: 1)
            if setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &least) != 0 { shield() }
        #else
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            _ = setrlimit(RLIMIT_CORE, &none)
        #endif
    }

    /// Lets no other process of the same user read the memory of this one: on Linux it is not dumpable (prctl(2),
    /// PR_SET_DUMPABLE), and a crash has no backtrace. For a backtrace Swift's runtime starts a process that can read all memory and
    /// is itself dumpable; any process of the user could cause that by a signal. For commands that hold passwords.
    package static func shield() {
        for crash in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS] { signal(crash, SIG_DFL) }
        #if os(Linux)
            // It takes any number of arguments, which Swift does not import.
            typealias Control =
                @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt
            let setDumpable: CInt = 4
            if let function = dlsym(nil, "prctl") {
                _ = unsafeBitCast(function, to: Control.self)(setDumpable, 0, 0, 0, 0)
            }
        #endif
    }
}
