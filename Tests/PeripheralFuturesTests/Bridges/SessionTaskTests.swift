import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("A whole session, told by a task")
struct SessionTaskTests {
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
}
