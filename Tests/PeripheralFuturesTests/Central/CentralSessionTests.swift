import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("A whole session, told by futures")
struct CentralSessionTests {
    @Test(
        "Twenty runs with callbacks on the default context are the same, packet for packet, and none leaves the thread"
    )
    func callbacks() throws {
        var digests: [String] = []
        for _ in 0..<20 {
            try withAir(seed: 9) { air in
                let sensor = HeartRateSensor(beatsPerMinute: 72, batteryLevel: 80)
                air.add(sensor, at: .near)
                let manager = CentralManager()
                let thread = pthread_self()
                var log: [String] = []
                func note(_ text: String) {
                    #expect(pthread_equal(thread, pthread_self()) != 0)
                    log.append("\(air.now) \(text)")
                }
                let service = CBUUID(string: "180D")
                let connection = manager.whenStateChanges()
                    .withFilter { $0 == .poweredOn }
                    .flatMap { _ in manager.startScanning(forServiceUUIDs: [service], capacity: 10) }
                    .flatMap { peripheral -> FutureStream<Void> in
                        manager.stopScanning()
                        return peripheral.connect(connectionTimeout: 5, capacity: 10)
                    }
                let discovery =
                    connection
                    .flatMap { manager.peripherals[0].discoverServices([service]) }
                    .flatMap { manager.services[0].discoverAllCharacteristics() }
                let updates =
                    discovery
                    .flatMap { () -> Future<Void> in
                        note("discovered")
                        return manager.services[0].characteristics[0].startNotifying()
                    }
                    .flatMap { manager.services[0].characteristics[0].receiveNotificationUpdates(capacity: 10) }
                updates.onSuccess { note("beat \($0?.last ?? 0)") }
                try air.run(until: log.count == 4, within: .seconds(12))
                manager.disconnectAllPeripherals()
                air.run(for: .seconds(1))
                #expect(!sensor.isConnected)
                digests.append(air.digest + log.joined())
            }
        }
        #expect(Set(digests).count == 1)
    }
}
