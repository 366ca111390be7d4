// The simulation runs on Linux. Elsewhere these tests are left out; the app is the same.
#if canImport(BluethroatTesting)
    import BluethroatTesting
    import CoreBluetooth
    import HeartRateMonitor
    import Testing

    @Suite("The monitor and a simulated sensor", .air(forbidsMisuse: true))
    struct HeartRateMonitorTests {
        let air = Air.current
        let sensor = HeartRateSensor(named: "Strap", beatsPerMinute: 72)

        @Test("A sensor nearby is found, and its beats arrive every second")
        func beats() throws {
            air.add(sensor, at: .near)
            let monitor = HeartRateMonitor()
            var rates: [Int] = []
            monitor.onMeasurement = { rates.append($0.beatsPerMinute) }
            try air.run(until: monitor.latest != nil)
            #expect(monitor.state == .connected(name: "Strap"))

            sensor.beatsPerMinute = 140
            air.run(for: .seconds(10))
            #expect(rates.count >= 10 && rates.first == 72 && rates.last == 140)
        }

        @Test("Rates above 255 and intervals between beats arrive, too")
        func allFields() throws {
            air.add(sensor)
            sensor.beatsPerMinute = 280
            sensor.rrIntervals = [0.25, 0.1875]
            sensor.hasContact = true
            let monitor = HeartRateMonitor()
            try air.run(until: monitor.latest != nil)
            #expect(monitor.latest?.beatsPerMinute == 280 && monitor.latest?.hasContact == true)
            #expect(monitor.latest?.rrIntervals == [0.25, 0.1875])
        }

        @Test("Nobody is found where nobody is, and a sensor that comes later is")
        func late() throws {
            let monitor = HeartRateMonitor()
            air.add(SimulatedPeripheral.battery())
            air.run(for: .seconds(60))
            #expect(monitor.state == .searching)
            air.add(sensor)
            try air.run(until: monitor.state == .connected(name: "Strap"))
        }

        @Test("A sensor out of range is lost and waited for; back again, it is connected and sends")
        func outOfRangeAndBack() throws {
            air.add(sensor)
            let monitor = HeartRateMonitor()
            var states: [HeartRateMonitor.State] = []
            monitor.onStateChange = { states.append($0) }
            try air.run(until: monitor.latest != nil)

            air.move(sensor, to: .outOfRange)
            try air.run(until: monitor.state == .lost(name: "Strap"))
            air.run(for: .seconds(3_600))
            sensor.beatsPerMinute = 99
            air.move(sensor, to: .far)
            try air.run(until: monitor.latest?.beatsPerMinute == 99)
            #expect(
                states == [
                    .searching, .connecting(name: "Strap"), .connected(name: "Strap"), .lost(name: "Strap"),
                    .connected(name: "Strap"),
                ]
            )
        }

        @Test("A sensor whose battery is taken out and put in again comes back")
        func switchedOff() throws {
            air.add(sensor)
            let monitor = HeartRateMonitor()
            try air.run(until: monitor.latest != nil)
            sensor.switchOff()
            try air.run(until: monitor.state == .lost(name: "Strap"))
            sensor.switchOn()
            let before = sensor.measurementCount
            try air.run(until: sensor.measurementCount > before)
            #expect(monitor.state == .connected(name: "Strap"))
        }

        @Test("Bluetooth switched off is said, and after it is on again the sensor is back")
        func bluetoothOff() throws {
            air.add(sensor)
            let monitor = HeartRateMonitor()
            try air.run(until: monitor.latest != nil)
            air.switchPower(false)
            try air.run(until: monitor.state == .unavailable(.poweredOff))
            air.run(for: .seconds(30))
            air.switchPower(true)
            try air.run(until: monitor.state == .connected(name: "Strap"))
        }

        @Test("After the controller has failed the sensor is found anew")
        func reset() throws {
            air.add(sensor)
            let monitor = HeartRateMonitor()
            try air.run(until: monitor.latest != nil)
            var states: [HeartRateMonitor.State] = []
            monitor.onStateChange = { states.append($0) }
            air.resetController()
            try air.run(until: sensor.connectionCount == 2 && monitor.state == .connected(name: "Strap"))
            #expect(states.contains(.unavailable(.resetting)) && states.contains(.searching))
        }

        @Test("An app that may not use Bluetooth says so")
        func unauthorized() throws {
            air.add(sensor)
            air.app.authorization = .denied
            let monitor = HeartRateMonitor()
            try air.run(until: monitor.state == .unavailable(.unauthorized))
        }

        @Test("Bytes that make no sense are counted and passed over")
        func malformed() throws {
            air.add(sensor)
            let monitor = HeartRateMonitor()
            try air.run(until: monitor.latest != nil)
            for bytes in [[], [0x01, 60], [0xFF], [0x10, 60, 1]] as [[UInt8]] { sensor.send(bytes, of: "2A37") }
            try air.run(until: monitor.malformedCount == 4)
            #expect(monitor.latest?.beatsPerMinute == 72)
        }

        @Test("With a third of all packets lost the beats still arrive", arguments: 1...5)
        func losses(seed: UInt64) throws {
            try withAir(seed: seed) { air in
                let sensor = air.add(HeartRateSensor())
                let monitor = HeartRateMonitor()
                var count = 0
                monitor.onMeasurement = { _ in count += 1 }
                air.setLossEverywhere(0.33)
                try air.run(until: count == 20, within: .seconds(90))
                #expect(sensor.connectionCount >= 1)
            }
        }
    }
#endif
