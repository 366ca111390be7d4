import BluethroatTesting
import CoreBluetoothMock
import Foundation
import Testing

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
}
