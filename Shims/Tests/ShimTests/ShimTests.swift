import Combine
import Foundation
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

    @Test("Merged publishers publish what comes from any, fail with the first, and end with the last")
    func merging() {
        enum Fault: Error { case some }
        let (one, two, three) = (
            PassthroughSubject<Int, Fault>(), PassthroughSubject<Int, Fault>(), PassthroughSubject<Int, Fault>()
        )
        var heard: [Int] = []
        var ends: [String] = []
        func listen(_ publisher: some Publisher<Int, Fault>) -> AnyCancellable {
            publisher.sink { end in
                if case .finished = end { ends.append("finished") } else { ends.append("failed") }
            } receiveValue: {
                heard.append($0)
            }
        }
        let pair = listen(one.map { $0 }.merge(with: two))
        one.send(1)
        two.send(2)
        one.send(3)
        one.send(completion: .finished)
        two.send(4)
        #expect(heard == [1, 2, 3, 4] && ends.isEmpty)
        two.send(completion: .finished)
        #expect(ends == ["finished"])
        pair.cancel()

        heard = []
        let (four, five) = (PassthroughSubject<Int, Fault>(), PassthroughSubject<Int, Fault>())
        let many = listen(Publishers.MergeMany([three, four, five]))
        let several = listen(three.map { $0 * 10 }.merge(with: four, five.filter { $0 > 5 }))
        three.send(1)
        five.send(6)
        // Which of a subject's subscribers hears first is not promised.
        #expect(Set(heard.prefix(2)) == [1, 10] && heard.dropFirst(2) == [6, 6])
        four.send(completion: .failure(.some))
        three.send(2)
        #expect(heard.count == 4 && ends == ["finished", "failed", "failed"])
        withExtendedLifetime((many, several)) {}
        // Nothing to merge ends at once.
        _ = listen(Publishers.MergeMany([PassthroughSubject<Int, Fault>]()))
        #expect(ends.last == "finished" && ends.count == 4)
    }

    @Test(
        "A property is published at once and when it is another, to whom its module tells of changes, until cancelled"
    )
    func properties() {
        let lamp = Lamp()
        let observer = NotificationCenter.default.addObserver(
            forName: Notification.Name("BluethroatObserveProperties"),
            object: lamp,
            queue: nil
        ) { request in
            guard let lamp = request.object as? Lamp, let look = request.userInfo?["look"] as? () -> Void,
                let answer = request.userInfo?["answer"] as? NSMutableDictionary
            else { return }
            lamp.look = look
            let stop: () -> Void = { lamp.look = nil }
            answer["stop"] = stop
        }
        var heard: [Bool] = []
        var changes: [Bool] = []
        var subscription: AnyCancellable? = lamp.publisher(for: \.isOn).sink { heard.append($0) }
        lamp.isOn = true
        // Something else has changed.
        lamp.look?()
        lamp.isOn = false
        #expect(heard == [false, true, false] && subscription != nil)
        subscription = nil
        #expect(lamp.look == nil)
        subscription = lamp.publisher(for: \.isOn, options: [.new]).sink { changes.append($0) }
        lamp.isOn = true
        #expect(heard.count == 3 && changes == [true])
        subscription = nil
        NotificationCenter.default.removeObserver(observer)
    }

    @Test(
        "What changes while a subscription begins is published, with the first value and without",
        arguments: [true, false]
    )
    func earlyChange(publishesFirst: Bool) {
        let lamp = Lamp()
        let observer = NotificationCenter.default.addObserver(
            forName: Notification.Name("BluethroatObserveProperties"),
            object: lamp,
            queue: nil
        ) { request in
            guard let lamp = request.object as? Lamp, let look = request.userInfo?["look"] as? () -> Void,
                let answer = request.userInfo?["answer"] as? NSMutableDictionary
            else { return }
            // Nobody can be told yet.
            lamp.isOn = true
            lamp.look = look
            let stop: () -> Void = { lamp.look = nil }
            answer["stop"] = stop
        }
        var heard: [Bool] = []
        let first: NSObject.KeyValueObservingPublisher<Lamp, Bool>.Options = publishesFirst ? [.initial] : []
        let subscription = lamp.publisher(for: \.isOn, options: first.union(.new)).sink { heard.append($0) }
        #expect(heard == [true])
        lamp.isOn = false
        #expect(heard == [true, false])
        subscription.cancel()
        NotificationCenter.default.removeObserver(observer)
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

/// Tells of its changes, as the classes of CoreBluetooth do.
private final class Lamp: NSObject, @unchecked Sendable {
    var look: (() -> Void)?
    var isOn = false { didSet { look?() } }
}
