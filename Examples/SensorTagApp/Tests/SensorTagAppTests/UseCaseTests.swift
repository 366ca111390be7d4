// The simulation runs on Linux. Elsewhere these tests are left out; the app is the same.
#if canImport(BluethroatTesting)
    import BluethroatTesting
    import CoreBluetooth
    import PeripheralFutures
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
    }
#endif
