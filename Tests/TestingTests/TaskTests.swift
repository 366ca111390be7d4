import BluethroatTesting
import CoreBluetooth
import Synchronization
import Testing

@Suite("Asynchronous tests", .air)
struct TaskTests {
    let air = Air.current

    @Test("Tasks sleep on the air's clock, and wake at their instants and in their order")
    func sleeping() async throws {
        let heard = Heard()
        let clock = air.clock
        async let one: Void = heard.sleep(.seconds(2), "two", clock)
        async let other: Void = heard.sleep(.seconds(1), "one", clock)
        await air.run(for: .milliseconds(1_999))
        #expect(heard.all == ["one at 1.0 seconds"])
        await air.run(for: .seconds(10))
        try await one
        try await other
        #expect(heard.all == ["one at 1.0 seconds", "two at 2.0 seconds"])
        #expect(clock.now.sinceStart == .milliseconds(11_999))
    }

    @Test("A sleep that is cancelled ends at once; one until a past instant does not begin")
    func cancelling() async throws {
        let clock = air.clock
        let task = Task { try await clock.sleep(for: .seconds(5)) }
        await air.run(for: .seconds(1))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await clock.sleep(until: clock.now)
        #expect(air.now == .seconds(1))
    }

    @Test("Unstructured tasks have gone as far as they can before time goes on, from test to app and back")
    func unstructured() async throws {
        let heard = Heard()
        let clock = air.clock
        for number in 0..<3 {
            Task {
                for round in 0..<3 {
                    try await clock.sleep(for: .seconds(1))
                    await heard.actor.add("\(number) in round \(round) at \(clock.now.sinceStart)")
                }
            }
        }
        await air.run(for: .seconds(3))
        let all = await heard.actor.all
        let rounds = (0..<3).flatMap { round in
            (0..<3).map { "\($0) in round \(round) at \(round + 1).0 seconds" }
        }
        #expect(all == rounds)
    }

    @Test("An app that hears of Bluetooth by streams and actors is tested in virtual time")
    func app() async throws {
        let sensor = air.add(HeartRateSensor(beatsPerMinute: 70))
        let app = StreamingApp()
        try await air.run { await app.rates.count == 3 }
        #expect(await app.rates == [70, 70, 70])
        air.move(sensor, to: .outOfRange)
        await air.run(for: .seconds(20))
        air.move(sensor, to: .near)
        sensor.beatsPerMinute = 90
        try await air.run(within: .seconds(60)) { await app.rates.last == 90 }
    }

    @Test("Code of the main actor comes to its turn, too")
    func mainActor() async throws {
        air.add(HeartRateSensor(beatsPerMinute: 70))
        let model = await MainModel()
        try await air.run { await model.count == 3 }
        #expect(air.now < .seconds(6))
    }

    @Test("Tests that run on the main actor run their air there, so that delegates may assume it")
    @MainActor
    func onMainActor() async throws {
        let delegate = MainDelegate()
        try await air.run(until: delegate.states == [.poweredOn])
    }

    @Test("In a test that is not asynchronous tasks run whenever time does")
    func synchronous() throws {
        let heard = Heard()
        let clock = air.clock
        Task { try await heard.sleep(.seconds(1), "late", clock) }
        air.run(for: .milliseconds(999))
        #expect(heard.all.isEmpty)
        air.run(for: .seconds(1))
        #expect(heard.all == ["late at 1.0 seconds"])
    }

    @Test("Twenty runs of an app made of tasks and actors are the same, to the last bit on the air")
    func determinism() async {
        var digests: Set<String> = []
        for _ in 0..<20 {
            await withAir(seed: 5) { air in
                let sensor = air.add(HeartRateSensor(beatsPerMinute: 70))
                air.setLossEverywhere(0.05)
                let app = StreamingApp()
                let clock = air.clock
                await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<10 {
                        group.addTask {
                            try await clock.sleep(for: .milliseconds(300 + 100 * number))
                            await app.touch(number)
                        }
                    }
                    await air.run(for: .seconds(10))
                }
                air.move(sensor, to: .outOfRange)
                await air.run(for: .seconds(10))
                air.move(sensor, to: .near)
                await air.run(for: .seconds(10))
                digests.insert("\(air.digest) \(await app.diary)")
            }
        }
        #expect(digests.count == 1, "\(digests.sorted().joined(separator: "\n"))")
    }
}

/// What happened, in order.
final class Heard: Sendable {
    actor Diary {
        private(set) var all: [String] = []
        func add(_ text: String) { all.append(text) }
    }

    let actor = Diary()
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) { texts.withLock { $0.append(text) } }

    func sleep(_ span: Duration, _ text: String, _ clock: AirClock) async throws {
        try await clock.sleep(for: span)
        texts.withLock { $0.append("\(text) at \(clock.now.sinceStart)") }
    }
}

/// An app as they are written today: a delegate that feeds a stream, a task that reads it, an actor that keeps the
/// state.
actor StreamingApp {
    private(set) var rates: [Int] = []
    private(set) var diary: [String] = []
    private let radio = StreamingRadio()

    init() {
        Task { await listen() }
    }

    func touch(_ number: Int) { diary.append("touched \(number) after \(rates.count)") }

    private func listen() async {
        for await value in radio.values {
            rates.append(value)
            diary.append("rate \(value)")
            let count = rates.count
            Task { self.note(count) }
        }
    }

    private func note(_ count: Int) { diary.append("noted \(count)") }
}

private final class StreamingRadio: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    let values: AsyncStream<Int>
    private let feed: AsyncStream<Int>.Continuation
    private nonisolated(unsafe) var manager: CBCentralManager!
    private nonisolated(unsafe) var peripheral: CBPeripheral?

    override init() {
        (values, feed) = AsyncStream.makeStream()
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBUUID(string: "180D")]) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        self.peripheral = peripheral
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices(nil)
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) { central.connect(peripheral) }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        for characteristic in service.characteristics ?? [] where characteristic.uuid == CBUUID(string: "2A37") {
            peripheral.setNotifyValue(true, for: characteristic)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let value = characteristic.value, value.count == 2 { feed.yield(Int(value[1])) }
    }
}

/// A model for a screen.
@MainActor
final class MainModel {
    private(set) var count = 0
    private let radio = StreamingRadio()

    init() {
        Task {
            for await _ in radio.values {
                count += 1
            }
        }
    }
}

/// A delegate that takes it for granted where it is called.
@MainActor
private final class MainDelegate: NSObject, CBCentralManagerDelegate {
    private(set) var states: [CBManagerState] = []
    private var manager: CBCentralManager!

    override init() {
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    nonisolated func centralManagerDidUpdateState(_ central: CBCentralManager) {
        MainActor.assumeIsolated { states.append(central.state) }
    }
}
