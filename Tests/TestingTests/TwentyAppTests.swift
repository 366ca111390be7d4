import BluethroatTesting
import CoreBluetooth
import Testing

/// A suite as an app might have it: twenty tests of ten minutes each, side by side. How long it takes altogether is
/// measured by `make test`, which prints the durations of suites; it is to be less than ten seconds.
@Suite("Twenty tests of ten minutes each", .air)
struct TwentyAppTests {
    let air = Air.current
    let sensor = HeartRateSensor()

    private func start() throws -> Monitor {
        air.add(sensor)
        let monitor = Monitor()
        try air.run(until: monitor.values.count == 3)
        return monitor
    }

    /// The rest of the ten minutes.
    private func finish() { air.run(for: .seconds(600) - air.now) }

    @Test("Beats arrive for ten minutes", arguments: 1...5)
    func beats(number: Int) throws {
        sensor.beatsPerMinute = 60 + number
        let monitor = try start()
        finish()
        #expect(monitor.values.count > 580 && monitor.values.last == Data([0, UInt8(60 + number)]))
    }

    @Test("A sensor leaves and comes back", arguments: 1...5)
    func leaves(minute: Int) throws {
        let monitor = try start()
        air.move(sensor, to: .outOfRange)
        air.run(for: .seconds(60 * minute))
        #expect(!monitor.isConnected)
        air.move(sensor, to: .near)
        finish()
        #expect(monitor.isConnected && sensor.connectionCount == 2)
    }

    @Test("Bluetooth is off for a while", arguments: 1...5)
    func power(minute: Int) throws {
        let monitor = try start()
        air.switchPower(false)
        air.run(for: .seconds(60 * minute))
        #expect(!monitor.isConnected)
        air.switchPower(true)
        finish()
        #expect(monitor.isConnected && sensor.connectionCount == 2)
    }

    @Test("Some packets are lost all the time", arguments: [0.05, 0.1, 0.15, 0.2, 0.25])
    func losses(share: Double) throws {
        air.setLossEverywhere(share)
        let monitor = try start()
        finish()
        #expect(monitor.values.count > 500)
    }
}
