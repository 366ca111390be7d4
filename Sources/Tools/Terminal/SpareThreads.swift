#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Room for threads: where none can be begun, libraries end the process, or wait for ever.
package enum SpareThreads {
    /// What a command needs besides its own: those of ports, signals and timers, and one for each processor.
    private static var fewest: Int { 6 + max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }

    /// Why there is too little room, in one line; nil if there is enough.
    package static func fault() -> String? {
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { gate.deallocate() }
        pthread_mutex_init(gate, nil)
        pthread_mutex_lock(gate)
        var begun: [pthread_t] = [], isFull = false
        for _ in 0..<fewest where !isFull {
            #if os(Linux)
                var thread = pthread_t()
            #else
                var thread: pthread_t?
            #endif
            // All of them are there at once: each waits at the gate.
            let code = pthread_create(&thread, nil, { waitAtGate($0) }, gate)
            isFull = code == EAGAIN
            #if os(Linux)
                if code == 0 { begun.append(thread) }
            #else
                if code == 0, let thread { begun.append(thread) }
            #endif
        }
        pthread_mutex_unlock(gate)
        for thread in begun { pthread_join(thread, nil) }
        pthread_mutex_destroy(gate)
        return isFull
            ? "too few threads may be begun; raise the limit of processes with ulimit -u, or that of the container"
            : nil
    }
}

private func waitAtGate(_ gate: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self)
    pthread_mutex_lock(gate!)
    pthread_mutex_unlock(gate!)
    return nil
}
