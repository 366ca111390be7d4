public import FuzzInputs
import Glibc
import LibFuzzer

/// Gives libFuzzer's inputs to one target.
public enum FuzzHarness {
    /// The longest that an input may take: 50 ms of the processor's time, by the thread's clock, which never goes back and
    /// does not count what other processes take of a busy machine.
    private static let longest: Int = 50_000_000

    nonisolated(unsafe) private static var target: FuzzTarget?

    /// Runs libFuzzer with this program's command line, on the target that `FUZZ_TARGET` names; without that, lists the
    /// targets: name, kind, longest input.
    public static func main(_ targets: [FuzzTarget]) -> Never {
        guard let name = getenv("FUZZ_TARGET").map({ String(cString: $0) }) else {
            for target in targets { print(target.name, target.kind.rawValue, target.limit) }
            exit(0)
        }
        guard let named = targets.first(where: { $0.name == name }) else {
            print("there is no target \(name) in this program")
            exit(2)
        }
        target = named
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments) { start, count in FuzzHarness.play(start, count) })
    }

    private static func play(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        guard let target else { return 0 }
        let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
        guard time(target, bytes) > longest else { return 0 }
        // The first time something is done may cost what no other does: tables are filled, libraries are bound.
        let taken = time(target, bytes)
        guard taken > longest else { return 0 }
        fatalError("\(target.name): \(count) bytes took \(taken / 1_000_000) ms; \(longest / 1_000_000) ms are allowed")
    }

    /// Plays an input and answers the processor's time in nanoseconds.
    private static func time(_ target: FuzzTarget, _ bytes: [UInt8]) -> Int {
        let start = now()
        do { try target.play(bytes) } catch { fatalError("\(target.name): \(error)") }
        return now() - start
    }

    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
