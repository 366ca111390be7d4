import Foundation

/// What every command does first that holds passwords or keys.
enum KeptSecrets {
    /// Leaves no core dump of this process, and lets no other process of the same user read its memory: RLIMIT_CORE is 0, and on
    /// Linux the process is not dumpable (prctl(2), PR_SET_DUMPABLE). Where one of the two cannot be had, the other still is.
    static func shield() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if os(Linux)
            _ = setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
            // It takes any number of arguments, which Swift does not import.
            typealias Control =
                @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt
            let setDumpable: CInt = 4
            if let function = dlsym(nil, "prctl") {
                _ = unsafeBitCast(function, to: Control.self)(setDumpable, 0, 0, 0, 0)
            }
        #else
            _ = setrlimit(RLIMIT_CORE, &none)
        #endif
    }
}
