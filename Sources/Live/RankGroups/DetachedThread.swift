#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Threads of which it is known whether they have begun: Foundation's do not say so, and who waits for one would wait for ever.
package enum DetachedThread {
    /// What is to be said where none could be begun.
    package static let refusal =
        "no more threads may be begun; give fewer, or raise the limit of processes (ulimit -u) or of memory (ulimit -v)"

    /// Runs `body` on a thread of its own.
    ///
    /// - Parameter stackSize: in bytes, a multiple of 4,096.
    /// - Returns: whether it has begun; else `body` is not called.
    package static func begin(stackSize: Int = 8 << 20, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { pthread_attr_destroy(&attributes) }
        guard pthread_attr_setstacksize(&attributes, stackSize) == 0,
            pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED)) == 0
        else { return false }
        #if os(Linux)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let work = Unmanaged.passRetained(Work(body))
        guard pthread_create(&thread, &attributes, { runWork($0) }, work.toOpaque()) == 0 else {
            work.release()
            return false
        }
        return true
    }

    fileprivate final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

private func runWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let work else { return nil }
    Unmanaged<DetachedThread.Work>.fromOpaque(work).takeRetainedValue().body()
    return nil
}
