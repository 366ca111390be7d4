import Combine
import Testing
import os
import os.log

@testable import os

@Suite("Modules of Apple's systems under their own names")
struct ShimTests {
    @Test("A format for os_log loses only what Apple's alone understands")
    func formats() {
        #expect(formatted("%{public}@ is %{private, mask.hash}d of %ld", ["one" as NSString, 1, 2]) == "one is 1 of 2")
        #expect(formatted("plain", []) == "plain")
    }

    @Test("A message holds its values, formatted and aligned, whatever their privacy")
    func messages() {
        struct Thing { let a = 1 }
        let nothing: Int? = nil
        func text(_ message: OSLogMessage) -> String { message.text }
        #expect(text("\(255, format: .hex) \("x", privacy: .public)") == "ff x")
        #expect(text("\(1.5, format: .fixed(precision: 2), privacy: .private(mask: .hash))|") == "1.50|")
        #expect(text("\("a", align: .right(columns: 3))\(true)\(nothing)") == "  atruenil")
        #expect(text("\(Thing())").contains("a: 1"))
    }

    @Test("Both orders of arguments compile, and a disabled log takes messages")
    func orders() {
        let log = OSLog(subsystem: "test", category: .pointsOfInterest)
        os_log("one %d", log: .disabled, type: .error, 1)
        os_log(.info, log: .disabled, "two %@", "2" as NSString)
        os_log("three", log: .disabled)
        Logger(.disabled).warning("\(OSLogType.error == .error)")
        #expect(log.isEnabled(type: .debug) && !OSLog.disabled.isEnabled(type: .fault))
    }

    @Test("A lock keeps others out")
    func locks() async {
        let counter = OSAllocatedUnfairLock(initialState: 0)
        await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<100 { counter.withLock { $0 += 1 } } } }
        }
        #expect(counter.withLock { $0 } == 800)
        let lock = os_unfair_lock_t.allocate(capacity: 1)
        lock.initialize(to: os_unfair_lock())
        os_unfair_lock_lock(lock)
        #expect(!os_unfair_lock_trylock(lock))
        os_unfair_lock_unlock(lock)
        #expect(os_unfair_lock_trylock(lock))
        lock.deallocate()
    }

    @Test("Publishers publish")
    func publishers() {
        final class Model: ObservableObject { @Published var value = 0 }
        let model = Model()
        var heard: [Int] = []
        let subscription = model.$value.map { $0 * 2 }.removeDuplicates().sink { heard.append($0) }
        model.value = 3
        subscription.cancel()
        #expect(heard == [0, 6])
    }
}
