import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Restoration of the central manager", .air)
struct CentralRestorationTests {
    /// An app that the system launches again.
    final class Tracker {
        let manager: CentralManager
        let restored: Future<Void>

        init() {
            let profiles = ProfileManager()
            profiles.addService(ServiceProfile(uuid: "FFE0", name: "Known"))
            manager = CentralManager(
                profileManager: profiles,
                options: [CBCentralManagerOptionRestoreIdentifierKey: "tracker"]
            )
            restored = manager.whenStateRestored()
        }
    }

    @Test("Peripherals come back with their services and characteristics, and the profiles that are known")
    func peripherals() throws {
        let air = Air.current
        let sensor = SimulatedPeripheral(
            named: "Sensor",
            services: [
                SimulatedService(
                    "FFE0",
                    characteristics: [SimulatedCharacteristic("FFE2", [.read, .notify], value: [3])]
                )
            ]
        )
        air.add(sensor)
        let app = air.phone.install(named: "tracker", backgroundModes: .bluetoothCentral) { _ in Tracker() }
        app.launch()
        let first = try #require(app.root(as: Tracker.self))
        try air.run(until: first.manager.poweredOn)
        first.manager.startScanning().onSuccess { _ = $0.connect() }
        try air.run(until: sensor.isConnected && first.manager.peripherals.first?.state == .connected)
        first.manager.stopScanning()
        let peripheral = try #require(first.manager.peripherals.first)
        let discovery = peripheral.discoverAllServices()
        try air.run(until: discovery.completed)
        let service = try #require(peripheral.services(withUUID: CBUUID(string: "FFE0"))?.first)
        let more = service.discoverAllCharacteristics()
        try air.run(until: more.completed)
        let notifying = try #require(service.characteristics.first).startNotifying()
        try air.run(until: notifying.completed)
        #expect(notifying.result?.isSuccess() == true && sensor.subscriberCount(of: "FFE2") == 1)
        #expect(!first.restored.completed)

        app.terminate()
        air.after(.seconds(5)) { _ in sensor.send([9], of: "FFE2") }
        try air.run(until: app.root(as: Tracker.self) != nil && app.root(as: Tracker.self) !== first)
        let second = try #require(app.root(as: Tracker.self))
        try air.run(until: second.restored.completed)
        #expect(second.restored.result?.isSuccess() == true)
        let restored = try #require(second.manager.peripherals.first)
        let known = try #require(restored.services(withUUID: CBUUID(string: "FFE0"))?.first)
        #expect(restored.state == .connected && known.name == "Known")
        let characteristic = try #require(known.characteristics.first)
        #expect(characteristic.isNotifying)
        let updates = Record(characteristic.receiveNotificationUpdates())
        sensor.send([10], of: "FFE2")
        try air.run(until: updates.values.contains(Data([10])))
        let reading = characteristic.read()
        try air.run(until: reading.completed)
        #expect(reading.result?.isSuccess() == true)
    }

    @Test("Where there were no peripherals restoration fails, also for who asks late")
    func nothing() throws {
        let air = Air.current
        let app = air.phone.install(named: "tracker", backgroundModes: .bluetoothCentral) { _ in Tracker() }
        app.launch()
        let first = try #require(app.root(as: Tracker.self))
        try air.run(until: first.manager.poweredOn)
        _ = first.manager.startScanning(forServiceUUIDs: [CBUUID(string: "FFE0")])
        air.run(for: .seconds(1))
        app.terminate()
        air.run(for: .seconds(1))
        app.launch()
        let second = try #require(app.root(as: Tracker.self))
        try air.run(until: second.manager.poweredOn)
        try air.run(until: second.restored.completed)
        #expect(second.restored.result?.error as? CentralManagerError == .restoreFailed)
    }
}
