import BluethroatListening
import Dispatch
import Foundation

/// Room in the table of open files.
package enum SpareDescriptors {
    /// What a command needs besides its standard streams: files, SQLite's journal, and what libraries open for themselves,
    /// which end the process where they find none.
    private static let fewest = 8
    /// The limit that leaves ports something to give away (RLIMIT_NOFILE).
    private static let leastLimit = 64

    /// Why there is too little room, in one line; nil if there is enough.
    package static func fault() -> String? {
        let advice = "too few files may be open at once; raise the limit with ulimit -n \(leastLimit)"
        guard DescriptorLimit.current >= leastLimit else { return advice }
        var opened: [CInt] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < fewest {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE ? advice : nil }
            opened.append(descriptor)
        }
        return nil
    }

    /// Has Dispatch open its descriptors now. On Linux it does that with the first timer of each of its three clocks; where
    /// the table of open files is full by then it traps (SIGILL), or the timer never fires.
    package static func openThoseOfDispatch() async {
        // Timers that are far away: one that is due before Dispatch looks at it, as on a busy machine, opens nothing.
        let far = 86_400.0, shortest = 0.001
        DispatchQueue.global().asyncAfter(deadline: .now() + far) {}
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + far) {}
        Task { try await Task.sleep(for: .seconds(far), clock: .continuous) }
        // A busy machine arms them when it comes to it.
        for _ in 0..<200 where timers < 3 {
            try? await Task.sleep(for: .seconds(shortest), clock: .continuous)
            try? await Task.sleep(for: .seconds(shortest), clock: .suspending)
        }
    }

    /// How many timers of the kernel the process has open, as Dispatch has one for each of its clocks; all where that cannot
    /// be seen.
    private static var timers: Int {
        let folder = "/proc/self/fd"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return 3 }
        return names.count { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            return target?.contains("timerfd") ?? false
        }
    }
}
