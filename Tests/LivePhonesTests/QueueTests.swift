import BluethroatLivePhones
import BluethroatRadioMedium
import CoreBluetooth
import Synchronization
import Testing

@testable import app_peer

@Suite("Queues, actors and threads in real time", .timeLimit(.minutes(2)))
struct QueueTests {
    @Test("An actor that runs on the manager's queue may assume its isolation in every callback")
    func actors() async throws {
        let phone = LiveAir(seed: 1).addPhone(named: "phone")
        let scanner = ScannerActor()
        await scanner.begin(in: phone.addApp())
        try await scanner.listener.wait(for: "state 5")
        phone.switchPower(false)
        try await scanner.listener.wait(for: "state 4")
    }

    @Test("Managers made and let go on many threads, while data flows, leave everything in order")
    func threads() async throws {
        let air = LiveAir(seed: 2)
        let (one, two) = (air.addPhone(named: "one"), air.addPhone(named: "two", at: .metres(x: 1)))
        let (left, right) = (Listener(), Listener())
        let publisher = one.addApp().run { PublishingPeer(Plan(bytes: 50_000), queue: nil, tell: left.story) }
        let central = two.addApp().run {
            CentralPeer(Plan(bytes: 50_000), queue: DispatchQueue(label: "central"), tell: right.story)
        }
        let apps = [one.addApp(named: "third"), two.addApp(named: "fourth")]
        let watchers = (0..<120).map { number in
            OrderWatcher(queue: DispatchQueue(label: "app \(number)"), usesMainQueue: number % 3 == 0)
        }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                DispatchQueue.concurrentPerform(iterations: watchers.count) { number in
                    let watcher = watchers[number]
                    let manager = apps[number % 2].run {
                        CBCentralManager(delegate: watcher, queue: watcher.usesMainQueue ? nil : watcher.queue)
                    }
                    // Some are let go before they have heard anything, some by their own callback.
                    if number % 4 != 0 { watcher.manager.withLock { $0 = manager } }
                    if number % 5 == 0 { two.switchPower(true) }
                }
                continuation.resume()
            }
        }
        try await right.wait(for: "done")
        for (number, watcher) in watchers.enumerated() where number % 4 != 0 {
            try await watcher.listener.wait(for: "state 5")
        }
        #expect(watchers.allSatisfy { !$0.wasCalledElsewhere })
        withExtendedLifetime((publisher, central)) {}
    }

    @Test("What an app hears comes in the order in which it happened")
    func order() async throws {
        let phone = LiveAir(seed: 3).addPhone(named: "phone")
        let app = StateWatcher()
        let manager = phone.addApp().run { CBCentralManager(delegate: app, queue: DispatchQueue(label: "app")) }
        try await app.listener.wait(for: "state 5")
        for _ in 0..<20 {
            phone.switchPower(false)
            phone.switchPower(true)
        }
        try await app.listener.wait("twenty times off") { events in
            events.count { $0.name == "state 4" } == 20 && events.last?.name == "state 5"
        }
        let states = app.listener.events.map(\.name).filter { $0.hasPrefix("state") }
        #expect(zip(states, states.dropFirst()).allSatisfy { $0 != $1 })
        withExtendedLifetime(manager) {}
    }
}

/// Lets its manager go as soon as it has heard of its state, and notices where it is called.
private final class OrderWatcher: NSObject, CBCentralManagerDelegate, Sendable {
    let queue: DispatchQueue
    let listener = Listener()
    let manager = Mutex<CBCentralManager?>(nil)
    private let strayed = Mutex(false)
    let usesMainQueue: Bool
    private let key = DispatchSpecificKey<Bool>()

    init(queue: DispatchQueue, usesMainQueue: Bool) {
        self.queue = queue
        self.usesMainQueue = usesMainQueue
        super.init()
        queue.setSpecific(key: key, value: true)
    }

    var wasCalledElsewhere: Bool { strayed.withLock { $0 } }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if !usesMainQueue, DispatchQueue.getSpecific(key: key) == nil { strayed.withLock { $0 = true } }
        listener.note("state \(central.state.rawValue)")
        manager.withLock { $0 = nil }
    }
}

private actor ScannerActor {
    private let queue = DispatchSerialQueue(label: "scanner")
    private var manager: CBCentralManager?
    private var states: [Int] = []
    private lazy var proxy = Proxy(owner: self)
    nonisolated let listener = Listener()

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    func begin(in app: LiveApp) {
        let (proxy, queue) = (proxy, queue)
        manager = app.run { CBCentralManager(delegate: proxy, queue: queue) }
    }

    private func heard(_ state: Int) {
        states.append(state)
        listener.note("state \(state)")
    }

    /// An actor cannot inherit from a class.
    private final class Proxy: NSObject, CBCentralManagerDelegate {
        private unowned let owner: ScannerActor

        init(owner: ScannerActor) { self.owner = owner }

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            let state = central.state.rawValue
            owner.assumeIsolated { $0.heard(state) }
        }
    }
}
