import BluethroatTesting
import BluethroatVirtualTime
import Foundation
import Testing

@testable import CoreBluetoothMock

/// A test that has no air: the simulation of the process, as for tests that wait by the wall clock.
@Suite("Without an air", .serialized, .timeLimit(.minutes(1)))
struct RealTimeTests {
    @Test("The simulation is in real time: found, connected, read, disconnected, on the app's queue")
    func wholeFlow() async {
        let blinky = Blinky()
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let (heard, continuation) = AsyncStream<String>.makeStream()
        let queue = DispatchQueue(label: "app")
        let isOnQueue = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: isOnQueue, value: true)
        let central = CBMCentralManagerDelegateProxy(), peripheralDelegate = CBMPeripheralDelegateProxy()
        central.didUpdateState = { manager in
            continuation.yield("\(manager.state) \(DispatchQueue.getSpecific(key: isOnQueue) ?? false)")
            if manager.state == .poweredOn { manager.scanForPeripherals(withServices: [Blinky.service]) }
        }
        central.didDiscoverPeripheral = { manager, peripheral, _, _ in
            manager.stopScan()
            peripheral.delegate = peripheralDelegate
            manager.connect(peripheral)
        }
        central.didConnect = { $1.discoverServices([Blinky.service]) }
        central.didDisconnect = { _, _, _, _, error in
            continuation.yield("disconnected \((error as? CBMError)?.code.rawValue ?? -1)")
        }
        peripheralDelegate.didDiscoverServices = { peripheral, _ in
            for service in peripheral.services ?? [] {
                peripheral.discoverCharacteristics([Blinky.ledID], for: service)
            }
        }
        peripheralDelegate.didDiscoverCharacteristics = { peripheral, service, _ in
            for characteristic in service.characteristics ?? [] { peripheral.readValue(for: characteristic) }
        }
        peripheralDelegate.didUpdateCharacteristicValue = { _, characteristic, _ in
            continuation.yield("value \(characteristic.value.map { Array($0) } ?? [])")
        }
        let manager = CBMCentralManagerMock(delegate: central, queue: queue)

        var events = heard.makeAsyncIterator()
        #expect(await events.next() == "poweredOn true")
        #expect(await events.next() == "value [0]")
        #expect(blinky.spec.isConnected && blinky.spec.isKnown)
        blinky.spec.simulateDisconnection()
        #expect(await events.next() == "disconnected \(CBMError.Code.peripheralDisconnected.rawValue)")
        CBMCentralManagerMock.tearDownSimulation()
        #expect(await events.next() == "unknown true")
        #expect(manager.state == .unknown && !blinky.spec.isKnown)
    }

    @Test("At a speed of 20 a supervision timeout takes a part of its time; what is no speed is refused")
    func speed() async {
        defer { CBMCentralManagerMock.simulationSpeed = 1 }
        CBMCentralManagerMock.simulationSpeed = 20
        for wrong: Double in [0, -1, Double.infinity, -Double.infinity, Double.nan] {
            CBMCentralManagerMock.simulationSpeed = wrong
            #expect(CBMCentralManagerMock.simulationSpeed == 20, "\(wrong)")
        }
        let blinky = Blinky()
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let (heard, continuation) = AsyncStream<String>.makeStream()
        let central = CBMCentralManagerDelegateProxy()
        central.didUpdateState = { manager in
            if manager.state == .poweredOn { manager.scanForPeripherals(withServices: [Blinky.service]) }
        }
        central.didDiscoverPeripheral = { manager, peripheral, _, _ in
            manager.stopScan()
            manager.connect(peripheral)
        }
        central.didConnect = { _, _ in continuation.yield("connected") }
        central.didDisconnect = { _, _, _, _, error in
            continuation.yield("disconnected \((error as? CBMError)?.code.rawValue ?? -1)")
        }
        let manager = CBMCentralManagerMock(delegate: central, queue: DispatchQueue(label: "app"))
        var events = heard.makeAsyncIterator()
        #expect(await events.next() == "connected")
        // The device asks for its own timeout within that time.
        manager.simulation.home.after(.seconds(3)) { _ in continuation.yield("three seconds") }
        #expect(await events.next() == "three seconds")
        let start = ContinuousClock.now
        blinky.spec.simulateReset()
        #expect(await events.next() == "disconnected \(CBMError.Code.connectionTimeout.rawValue)")
        // A fifth of a second by the wall clock, and some of what a busy machine makes of it.
        #expect(ContinuousClock.now - start < .milliseconds(3_000))
        CBMCentralManagerMock.tearDownSimulation()
        #expect(CBMCentralManagerMock.simulationSpeed == 20)
    }

    @Test("In a test with an air the speed has no effect: time passes as the test lets it")
    func speedOfAnAir() throws {
        func digest(_ speed: Double) throws -> String {
            try withAir(seed: 8) { air in
                CBMCentralManagerMock.simulationSpeed = speed
                let blinky = Blinky(identifier: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
                CBMCentralManagerMock.simulatePeripherals([blinky.spec])
                CBMCentralManagerMock.simulateInitialState(.poweredOn)
                let app = BlinkyApp()
                try air.run(until: app.isReady)
                blinky.spec.simulateReset()
                try air.run(until: app.ends.count == 1)
                return "\(air.digest) \(air.now)"
            }
        }
        #expect(try digest(20) == digest(1))
        #expect(CBMCentralManagerMock.simulationSpeed == 1)
    }

    @Test("A dialogue is answered on any thread, and a central drives an app's peripheral manager, in real time, too")
    func wishes() async {
        let thermometer = Thermometer(security: .encrypted)
        let central = CBMCentralSpec()
        let (heard, continuation) = AsyncStream<String>.makeStream()
        CBMCentralManagerMock.simulatePeripherals([thermometer.spec])
        CBMPeripheralManagerFactory.simulateCentrals([central])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        CBMCentralManagerMock.simulatePairing = { dialogue in
            continuation.yield("\(dialogue.question)")
            DispatchQueue.global().async { dialogue.accept() }
        }
        let managerDelegate = CBMCentralManagerDelegateProxy(), delegate = CBMPeripheralDelegateProxy()
        managerDelegate.didUpdateState = { manager in
            if manager.state == .poweredOn { manager.scanForPeripherals(withServices: [Thermometer.service]) }
        }
        managerDelegate.didDiscoverPeripheral = { manager, peripheral, _, _ in
            manager.stopScan()
            peripheral.delegate = delegate
            manager.connect(peripheral)
        }
        managerDelegate.didConnect = { $1.discoverServices([Thermometer.service]) }
        delegate.didDiscoverServices = { peripheral, _ in
            for service in peripheral.services ?? [] {
                peripheral.discoverCharacteristics([Thermometer.ownerID], for: service)
            }
        }
        delegate.didDiscoverCharacteristics = { peripheral, service, _ in
            for characteristic in service.characteristics ?? [] { peripheral.readValue(for: characteristic) }
        }
        delegate.didUpdateCharacteristicValue = { _, characteristic, _ in
            continuation.yield("value \(characteristic.value.map { Array($0) } ?? [])")
        }
        let manager = CBMCentralManagerMock(delegate: managerDelegate, queue: DispatchQueue(label: "app"))

        var events = heard.makeAsyncIterator()
        #expect(await events.next() == "consent")
        #expect(await events.next() == "value [21]")

        let app = CounterApp(queue: DispatchQueue(label: "counter"))
        let listener = Listener { continuation.yield("read \(Array($0))") }
        central.delegate = listener
        central.simulateConnection()
        central.simulateRead(of: CounterApp.countID)
        #expect(await events.next() == "read [1]")
        CBMCentralManagerMock.tearDownSimulation()
        withExtendedLifetime((manager, app, listener)) {}
    }
}

private final class Listener: CBMCentralSpecDelegate {
    private let heard: (Data) -> Void

    init(_ heard: @escaping (Data) -> Void) { self.heard = heard }

    func central(_ central: CBMCentralSpec, didReceive value: Data, of characteristic: CBMUUID) { heard(value) }
}
