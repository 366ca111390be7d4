public import BluethroatRanks
import Foundation

#if MPI
    import BluethroatMPIShim
#endif

/// Says which rank was killed, and by what: a process that is killed cannot say so itself.
public enum RankWatch {
    /// In a process that `mpirun` or `srun` has started as one of several: begins the program anew, as a process of its own that
    /// is the rank, and returns there. This one waits for it, passes signals on to it, and ends as it does; if it was killed,
    /// with the signal's number and 128, after `report` was told. If this one is killed, so is the other.
    ///
    /// Any other process goes on as it is, and so does one in a build without the trait `MPI`, or where there can be no other
    /// process. To be called before the program does anything.
    public static func begin(report: (RankFailure) -> Void) {
        #if MPI && os(Linux)
            let environment = ProcessInfo.processInfo.environment
            if let watch = environment[mark] {
                mpi_shim_end_with_parent()
                // The watch may have been killed before that.
                if "\(getppid())" != watch { exit(1) }
                return
            }
            guard let (rank, count) = place(environment), count > 1, let worker = spawn() else { return }
            let (status, asked) = wait(for: worker)
            // As wait(2) has it: the low seven bits are the signal.
            let signal = status & 0x7F
            guard signal != 0 else { exit(status >> 8 & 0xFF) }
            // Who was told to end is not the one that failed.
            if !asked.contains(signal) {
                let name = String(cString: strsignal(signal))
                report(RankFailure(rank: rank, of: count, "it was ended by signal \(signal) (\(name))"))
            }
            exit(128 + signal)
        #endif
    }

    /// Whether `mpirun` or `srun` has started this process as another rank than the first. False in a build without `MPI`.
    public static var isOfAnotherRank: Bool {
        #if MPI && os(Linux)
            place(ProcessInfo.processInfo.environment).map { $0.rank > 0 } ?? false
        #else
            false
        #endif
    }

    #if MPI && os(Linux)
        /// In the environment of the process that is the rank: its parent's number.
        private static let mark = "BLUETHROAT_RANK_WATCH"

        /// What is passed on, and what says that the other process has ended.
        private static let awaited = [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT, SIGCHLD]

        private static func set(of signals: [Int32]) -> sigset_t {
            var set = sigset_t()
            sigemptyset(&set)
            for signal in signals { sigaddset(&set, signal) }
            return set
        }

        /// Which rank this is, and how many there are, as Open MPI and Slurm say it to each process.
        private static func place(_ environment: [String: String]) -> (rank: Int, count: Int)? {
            for (rank, count) in [("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("SLURM_PROCID", "SLURM_NTASKS")] {
                let numbers = [rank, count].compactMap { environment[$0].flatMap { Int($0) } }
                if numbers.count == 2 { return (numbers[0], numbers[1]) }
            }
            return nil
        }

        /// Begins the program anew, in a process group of its own, so that what is sent to this one's reaches it once.
        private static func spawn() -> pid_t? {
            let link = "/proc/self/exe"
            guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
                setenv(mark, "\(getpid())", 1) == 0
            else { return nil }
            defer { unsetenv(mark) }
            var signals = set(of: awaited), none = set(of: [])
            // They wait until `wait` takes them.
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
            var worker: pid_t = 0
            guard posix_spawn(&worker, own, nil, &attributes, CommandLine.unsafeArgv, environ) == 0 else {
                pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                return nil
            }
            return worker
        }

        /// Passes signals on until the process has ended, and answers how, and which signals these were.
        private static func wait(for worker: pid_t) -> (status: Int32, passed: Set<Int32>) {
            var signals = set(of: awaited)
            var status: Int32 = 0, sent: Set<Int32> = []
            while waitpid(worker, &status, WNOHANG) != worker {
                var signal: Int32 = 0
                guard sigwait(&signals, &signal) == 0, signal != SIGCHLD else { continue }
                kill(worker, signal)
                sent.insert(signal)
            }
            return (status, sent)
        }
    #endif
}
