// The simulation runs on Linux. Elsewhere these tests are left out; the app is the same.
#if canImport(BluethroatTesting)
    import BluethroatTesting
    import CoreBluetooth
    import BluethroatPeripheralFutures
    import SensorTagApp
    import Testing

    @Suite("What the app does on a simulated phone", .air(forbidsMisuse: true))
    struct UseCaseTests {
        let air = Air.current

        @Test("Bluetooth off and on, and permission taken away, are seen")
        func states() throws {
            let states = States()
            try air.run(until: states.seen == ["ready"])
            air.switchPower(false)
            try air.run(until: states.seen.last == "switch Bluetooth on")
            air.switchPower(true)
            try air.run(until: states.seen.last == "ready")
            air.app.authorization = .denied
            try air.run(until: states.seen.last == "allow Bluetooth in the settings")
        }

        @Test("The service is published and advertised")
        func publishing() throws {
            let accelerometer = Accelerometer()
            try air.run(until: accelerometer.started.completed)
            #expect(accelerometer.manager.isAdvertising && accelerometer.manager.services.count == 1)
        }

        @Test("A beacon begins and ends")
        func beacon() throws {
            let beacon = DoorBeacon(uuid: UUID(), major: 1, minor: 2)
            try air.run(until: beacon.started.completed)
            #expect(beacon.manager.isAdvertising)
            let stopped = beacon.stop()
            try air.run(until: stopped.completed)
            #expect(!beacon.manager.isAdvertising)
        }

        @Test("Values are notified to a central on another phone, and its writes of one byte are answered")
        func accelerometer() throws {
            let accelerometer = Accelerometer()
            try air.run(until: accelerometer.started.completed)
            let visitor = try visitor()
            let data = try visitor.characteristic(Accelerometer.Tag.Data.uuid)
            let notified = try finish(data.startNotifying()).flatMap { data.receiveNotificationUpdates(capacity: 10) }
            try accelerometer.measured(x: 0.5, y: 0, z: 1)
            try air.run(until: notified.count == 1)
            let value: Accelerometer.Tag.Data? = data.value()
            #expect(value?.x == 0.5 && value?.z == 1)
            accelerometer.set(x: 0, y: 0, z: 1.5)
            try finish(data.read())
            #expect(data.dataValue == Data([0, 0, 96]))
            let enabled = try visitor.characteristic(Accelerometer.Tag.Enabled.uuid)
            try finish(enabled.write(Accelerometer.Tag.Enabled.yes))
            #expect(accelerometer.accepted == [.yes])
            let refused = enabled.write(data: Data([1, 2]))
            try air.run(until: refused.completed)
            #expect((refused.result?.error as? CBATTError)?.code == .invalidAttributeValueLength)
        }

        @Test("A write launches the app that the system has ended, and is answered")
        func restoration() throws {
            let app = air.phone.install(named: "Tag", backgroundModes: .bluetoothPeripheral) { launch in
                RestoredTag(isRestored: !launch.peripherals.isEmpty)
            }
            app.launch()
            try air.run(until: app.root(as: RestoredTag.self)?.manager.isAdvertising == true)
            let visitor = try visitor()
            let enabled = try visitor.characteristic(RestoredTag.Tag.Enabled.uuid)
            app.enterBackground()
            app.terminate()
            #expect(app.root(as: RestoredTag.self) == nil)
            try finish(enabled.write(RestoredTag.Tag.Enabled.yes))
            let again = try #require(app.root(as: RestoredTag.self))
            #expect(again.writes == [Data([1])] && again.restored.result?.value?.localName == "Tag")
        }

        // MARK: The other end

        /// An app on another phone that has connected to this one, and found what it has.
        private func visitor() throws -> Peripheral {
            var manager: CentralManager?
            air.addPhone(named: "visitor").addApp().run { manager = CentralManager() }
            let central = try #require(manager)
            try air.run(until: central.poweredOn)
            _ = central.startScanning()
            try air.run(until: !central.peripherals.isEmpty)
            central.stopScanning()
            let peripheral = try #require(central.peripherals.first)
            _ = peripheral.connect()
            try air.run(until: peripheral.state == .connected)
            try finish(peripheral.discoverAllServices())
            for service in peripheral.services { try finish(service.discoverAllCharacteristics()) }
            visitors.kept.append(central)
            return peripheral
        }

        /// A manager that nobody keeps is gone, and its connections with it.
        private let visitors = Kept()

        private final class Kept { var kept: [CentralManager] = [] }

        @discardableResult
        private func finish<T>(_ future: Future<T>) throws -> Future<T> {
            try air.run(until: future.completed)
            if let error = future.result?.error { throw error }
            return future
        }
    }

    extension Peripheral {
        func characteristic(_ uuid: String) throws -> Characteristic {
            try #require(services.flatMap(\.characteristics).first { $0.uuid == CBUUID(string: uuid) })
        }
    }
#endif
