import BluethroatPhoneService
import CoreBluetooth
import Synchronization
import Testing

@testable import CoreBluetoothStrangers
@testable import CoreBluetoothStrangersOfOld

/// Begins to scan right after it was asked, the first time, whether it scans: as if another thread did.
private final class HastyManager: CBCentralManager, @unchecked Sendable {
    private var wasAsked = false

    var isScanningHastily: Bool {
        let answer = isScanning
        if !wasAsked {
            wasAsked = true
            scanForPeripherals(withServices: nil)
        }
        return answer
    }
}

@Suite("Properties can be observed")
struct ObservationTests {
    let port = ScriptedPort()
    let manager: CBCentralManager
    let peer = PeerID(high: 1, low: 2)
    let link = LinkID(number: 1)

    init() {
        let environment = BluetoothEnvironment(port: port, delivery: .inline)
        manager = CBCentralManager(delegate: nil, queue: nil, options: nil, environment: environment)
        port.tell(.state(.poweredOn), .central(.peerKnown(PeerSummary(id: peer))))
    }

    @Test(
        "An observer of isScanning hears of changes, with old and new values, and of nothing else [M; product decision]"
    )
    func scanning() {
        let style = ObservingStyle()
        style.watch(manager)
        manager.scanForPeripherals(withServices: nil)
        manager.scanForPeripherals(withServices: nil)
        port.tell(.central(.peerKnown(PeerSummary(id: PeerID(high: 3, low: 4)))))
        manager.stopScan()
        #expect(style.scanning == [true, false])
        manager.scanForPeripherals(withServices: nil)
        port.tell(.state(.poweredOff))
        #expect(style.scanning == [true, false, true, false])
        style.stopWatching()
        port.tell(.state(.poweredOn))
        manager.scanForPeripherals(withServices: nil)
        #expect(style.scanning.count == 4)
    }

    @Test(
        "An observer of a peripheral's state hears of each step, with what there was when it began [M; product decision]"
    )
    func states() throws {
        let peripheral = try #require(peripheral)
        let style = ObservingStyle()
        style.watch(peripheral)
        manager.connect(peripheral)
        port.tell(.central(.connected(peer, link, LinkLimits(writeWindow: 1))))
        manager.cancelPeripheralConnection(peripheral)
        port.tell(.central(.disconnected(peer, Disconnection(time: 0))))
        #expect(style.states == [.disconnected, .connecting, .connected, .disconnecting, .disconnected])
    }

    @Test("A module that does not know this one, such as the Combine of Shims, observes objects by a notification")
    func requests() throws {
        func observe(_ object: NSObject, _ look: @escaping () -> Void) -> (() -> Void)? {
            let answer = NSMutableDictionary()
            NotificationCenter.default.post(
                name: Notification.Name("BluethroatObserveProperties"),
                object: object,
                userInfo: ["look": look, "answer": answer]
            )
            return answer["stop"] as? () -> Void
        }
        var states: [CBManagerState] = []
        let look: () -> Void = { [manager] in states.append(manager.state) }
        let stop = try #require(observe(manager, look))
        port.tell(.state(.poweredOff))
        #expect(states.last == .poweredOff)
        stop()
        let count = states.count
        port.tell(.state(.poweredOn))
        #expect(states.count == count)
        #expect(observe(NSObject()) {} == nil, "nobody answers for other objects")
    }

    @Test("An observation ends when it is let go of")
    func letGo() throws {
        let heard = Atomic(0)
        var observation: NSKeyValueObservation? = manager.observe(\.state) { _, _ in
            heard.add(1, ordering: .relaxed)
        }
        port.tell(.state(.poweredOff))
        #expect(heard.load(ordering: .relaxed) == 1)
        #expect(observation != nil)
        observation = nil
        port.tell(.state(.poweredOn))
        #expect(heard.load(ordering: .relaxed) == 1)
    }

    @Test("What changes while an observation is put in place is not missed")
    func changeBeforeRegistration() {
        let environment = BluetoothEnvironment(port: port, delivery: .inline)
        let manager = HastyManager(delegate: nil, queue: nil, options: nil, environment: environment)
        port.tell(.state(.poweredOn), session: 1)
        let heard = Mutex<[[Bool?]]>([])
        let observation = manager.observe(\.isScanningHastily, options: [.old, .new]) { _, change in
            heard.withLock { $0.append([change.oldValue, change.newValue]) }
        }
        #expect(heard.withLock { $0 } == [[false, true]])
        manager.stopScan()
        #expect(heard.withLock { $0 } == [[false, true], [true, false]])
        withExtendedLifetime(observation) {}
    }

    @Test("Libraries observe any property of any object through a key path")
    func generic() throws {
        let peripheral = try #require(peripheral)
        var names: [String?] = []
        var room: [Bool] = []
        let watches = (
            PropertyWatch(peripheral, \.name) { names.append($0) },
            PropertyWatch(peripheral, \.canSendWriteWithoutResponse) { room.append($0) }
        )
        port.tell(.central(.connected(peer, link, LinkLimits(writeWindow: 1))))
        port.tell(.central(.peer(peer, link, .nameChanged("Fob"))))
        port.tell(.central(.disconnected(peer, Disconnection(time: 0))))
        #expect(names == ["Fob"])
        #expect(room == [true, false])
        withExtendedLifetime(watches) {}
    }

    @Test("States come as a sequence, from the present one on, until nobody asks")
    func sequence() async throws {
        let peripheral = try #require(peripheral)
        var states = manager.states.makeAsyncIterator()
        var steps = peripheral.states.makeAsyncIterator()
        var scans = manager.values(of: \.isScanning).makeAsyncIterator()
        #expect(await states.next() == .poweredOn)
        #expect(await steps.next() == .disconnected)
        #expect(await scans.next() == false)
        manager.scanForPeripherals(withServices: nil)
        manager.connect(peripheral)
        #expect(await scans.next() == true)
        #expect(await steps.next() == .connecting)
        port.tell(.state(.poweredOff))
        #expect(await states.next() == .poweredOff)
        #expect(await steps.next() == .disconnected)
        #expect(await scans.next() == false)
    }

    @Test("Threads that enter the same object wait for each other, and may enter it twice")
    func objectLocks() async {
        final class Counter: @unchecked Sendable { var count = 0 }
        let counter = Counter()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 { synchronized(counter) { synchronized(counter) { counter.count += 1 } } }
                }
            }
        }
        #expect(counter.count == 8_000)
        #expect(objc_sync_exit(counter) == -1)
    }

    private var peripheral: CBPeripheral? {
        manager.retrievePeripherals(
            withIdentifiers: [UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2))]
        ).first
    }
}
