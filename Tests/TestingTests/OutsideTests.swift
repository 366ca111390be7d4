import CoreBluetooth
import Foundation
import FuzzInputs
import Synchronization
import Testing

@testable import BluethroatTesting

@Suite("Apps with dispatch queues of their own")
struct OutsideTests {
    /// An app that does nothing where it is called: each order comes from the second of two queues of its own.
    private final class HoppingApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
        private let first = DispatchQueue(label: "first")
        private let second = DispatchQueue(label: "second")
        private let clock: AirClock
        private let notes = Mutex<[String]>([])
        private var manager: CBCentralManager!
        private var peripheral: CBPeripheral?

        init(on air: Air) {
            clock = air.clock
            super.init()
            manager = CBCentralManager(delegate: self, queue: nil)
        }

        var heard: [String] { notes.withLock { $0 } }

        /// Waits until both queues have done all that is in them.
        func drain() {
            first.sync {}
            second.sync {}
        }

        private func hop(_ what: String, _ body: @escaping @Sendable () -> Void) {
            notes.withLock { $0.append("\(clock.now.sinceStart) \(what)") }
            first.async { self.second.async(execute: body) }
        }

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            guard central.state == .poweredOn else { return }
            hop("on") { central.scanForPeripherals(withServices: [CBUUID(string: "180D")]) }
        }

        func centralManager(
            _ central: CBCentralManager,
            didDiscover peripheral: CBPeripheral,
            advertisementData: [String: Any],
            rssi RSSI: NSNumber
        ) {
            self.peripheral = peripheral
            peripheral.delegate = self
            hop("discovered") {
                central.stopScan()
                central.connect(peripheral)
            }
        }

        func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
            hop("connected") { peripheral.discoverServices([CBUUID(string: "180D")]) }
        }

        func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
            hop("services") {
                for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
            }
        }

        func peripheral(
            _ peripheral: CBPeripheral,
            didDiscoverCharacteristicsFor service: CBService,
            error: (any Error)?
        ) {
            hop("characteristics") {
                for value in service.characteristics ?? [] where value.uuid == CBUUID(string: "2A38") {
                    peripheral.readValue(for: value)
                }
            }
        }

        func peripheral(
            _ peripheral: CBPeripheral,
            didUpdateValueFor characteristic: CBCharacteristic,
            error: (any Error)?
        ) {
            let value = Array(characteristic.value ?? Data())
            hop("value \(value)") { self.notes.withLock { $0.append("end") } }
        }
    }

    @Test("Time waits for what they do: the same calls at the same instants, and the same on the air, in each run")
    func hops() throws {
        var runs: [([String], String)] = []
        for _ in 0..<3 {
            try withAir(seed: 3) { air in
                air.waitsForQueues = .milliseconds(100)
                air.add(HeartRateSensor())
                let app = HoppingApp(on: air)
                air.realTime = .stepped { _ in app.drain() }
                try air.run(until: app.heard.last == "end", within: .seconds(20))
                runs.append((app.heard, air.digest))
            }
        }
        #expect(runs[0].0.count == 7 && runs[0].0[0].hasSuffix(" on"))
        #expect(runs.allSatisfy { $0.0 == runs[0].0 && $0.1 == runs[0].1 })
    }

    /// With the clock of the machine, whatever else it has to do: 1,000 runs each with `BLUETHROAT_EFFORT=all`.
    @Test(
        "In real time, too: each run of a seed has the same calls in the same order, and leaves the same digest",
        arguments: [nil, 20.0]
    )
    func manyRuns(pace: Double?) throws {
        var first: (calls: [String], digest: String)?
        for run in 1...Effort.count(1_000, usually: 5) {
            try withAir(seed: 4) { air in
                air.waitsForQueues = .milliseconds(20)
                air.pace = pace
                air.add(HeartRateSensor())
                let app = HoppingApp(on: air)
                try air.run(until: app.heard.last == "end", within: .seconds(20))
                let outcome = (calls: app.heard, digest: air.digest)
                let wanted = first ?? outcome
                try #require(outcome.calls == wanted.calls && outcome.digest == wanted.digest, "run \(run)")
                first = wanted
            }
        }
        #expect(first?.calls.count == 7)
    }

    @Test("A wait goes on while other threads are at work, up to ten times as long, and no longer")
    func busyThreads() throws {
        for isAtWork in [false, true] {
            let air = Air(seed: 5)
            air.waitsForQueues = .milliseconds(20)
            var passed = Duration.zero
            air.realTime = .stepped { passed = $0 }
            air.realTime.othersAreAtWork = { isAtWork }
            air.run(for: .milliseconds(1))
            // The air waits once before the phone's host is up, and once for what that has brought about.
            let waits = passed / Duration.milliseconds(isAtWork ? 200 : 20)
            #expect(waits >= 1 && waits == waits.rounded(), "\(passed)")
        }
    }

    @Test("The kernel says whether a thread of the process is at work")
    func threadStates() {
        let stop = Flag()
        let spinning = Flag()
        Thread.detachNewThread {
            while !stop.isRaised { spinning.raise() }
        }
        while !spinning.isRaised {}
        #expect(ThreadStates.othersAreAtWork)
        stop.raise()
    }

    @Test(
        "Where nothing is due an air waits a moment by itself, so that the app's order comes before the time is over",
        .air
    )
    func idle() throws {
        let air = Air.current
        let app = HoppingApp(on: air)
        air.realTime = .stepped { _ in app.drain() }
        air.run(for: .seconds(600))
        #expect(app.heard.count == 1 && app.heard[0].hasSuffix(" on"))
        let order = try #require(air.log.text.split(separator: "\n").first { $0.contains("scan for 180D") })
        let on = try #require(air.log.text.split(separator: "\n").first { $0.contains("poweredOn") })
        #expect(order.split(separator: " ")[0] == on.split(separator: " ")[0], "at the same instant")
    }

    @Test("With a pace of 1 what an app has put off by asyncAfter comes in time", .air(pace: 1))
    func timers() throws {
        let air = Air.current
        let flag = Flag()
        // The clock of the machine, and a timer of Dispatch.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) { flag.raise() }
        try air.run(until: flag.isRaised, within: .seconds(60))
        // A busy machine is late with either.
        #expect(air.now > .milliseconds(50) && air.now < .seconds(20), "\(air.now)")
    }

    @Test("With a pace of 1 as much time passes as in reality", .air(pace: 1))
    func pace() throws {
        let air = Air.current
        let flag = Flag()
        air.realTime = .stepped { if $0 >= .milliseconds(300) { flag.raise() } }
        try air.run(until: flag.isRaised, within: .seconds(60))
        #expect(air.now >= .milliseconds(270) && air.now <= .milliseconds(330))
    }
}

extension RealTime {
    /// Time that passes in pauses only, 0.1 ms in each. What happens in a pause is told how much has passed since the first.
    fileprivate static func stepped(_ happening: @escaping (Duration) -> Void) -> Self {
        let start = ContinuousClock.now
        var passed = Duration.zero
        return Self(
            now: { start + passed },
            pause: {
                passed += .microseconds(100)
                happening(passed)
            }
        )
    }
}

private final class Flag: Sendable {
    private let state = Atomic(false)

    var isRaised: Bool { state.load(ordering: .acquiring) }

    func raise() { state.store(true, ordering: .releasing) }
}
