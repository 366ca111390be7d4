import BluethroatTesting
import CoreBluetooth
import PeripheralFutures
import Testing

@Suite("A whole session, told by futures and by tasks")
struct AsyncCentralTests {
    /// Finds the strap, reads its battery and hears three beats.
    static func session(_ manager: CentralManager) async throws -> [String] {
        var log: [String] = []
        for try await state in manager.whenStateChanges() where state == .poweredOn { break }
        var found: Peripheral?
        for try await peripheral in manager.startScanning(forServiceUUIDs: [CBUUID(string: "180D")], timeout: 10) {
            found = peripheral
            break
        }
        manager.stopScanning()
        guard let peripheral = found else { return log }
        for try await _ in peripheral.connect(connectionTimeout: 5) { break }
        try await peripheral.discoverAllServices(timeout: 5).value
        for service in peripheral.services { try await service.discoverAllCharacteristics().value }
        let characteristics = peripheral.services.flatMap(\.characteristics)
        guard let battery = characteristics.first(where: { $0.uuid == CBUUID(string: "2A19") }),
            let measurement = characteristics.first(where: { $0.uuid == CBUUID(string: "2A37") })
        else { return log }
        try await battery.read(timeout: 5).value
        log.append("battery \(battery.value() as UInt8? ?? 0)")
        let updates = measurement.receiveNotificationUpdates(capacity: 10)
        try await measurement.startNotifying().value
        for try await value in updates {
            log.append("beat \(value?.last ?? 0)")
            if log.count == 4 { break }
        }
        peripheral.disconnect()
        return log
    }

    @Test("Twenty runs are the same, packet for packet")
    func tasks() async throws {
        var digests: [String] = []
        for _ in 0..<20 {
            try await withAir(seed: 9) { air in
                air.add(HeartRateSensor(beatsPerMinute: 72, batteryLevel: 80), at: .near)
                let manager = CentralManager()
                let task = Task { try await Self.session(manager) }
                await air.run(for: .seconds(12))
                let log = try await task.value
                #expect(log == ["battery 80", "beat 72", "beat 72", "beat 72"])
                digests.append(air.digest)
            }
        }
        #expect(digests.count == 20 && Set(digests).count == 1)
    }

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
