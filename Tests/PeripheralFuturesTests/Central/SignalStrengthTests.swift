import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Signal strength of peripherals", .air)
struct SignalStrengthTests {
    @Test("It is read over the connection; who asks meanwhile has the same future")
    func read() throws {
        let scene = CentralScene()
        let peripheral = try scene.connect()
        let reading = peripheral.readRSSI()
        #expect(peripheral.readRSSI() === reading)
        let strength = try scene.finish(reading)
        #expect(strength < 0 && peripheral.RSSI == strength)
        #expect(peripheral.readRSSI() !== reading)
    }

    @Test("Without a connection it cannot be read")
    func disconnected() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        #expect(peripheral.readRSSI().result?.error as? PeripheralError == .disconnected)
    }

    @Test("A reading that is under way when the connection ends fails")
    func connectionLost() throws {
        let scene = CentralScene()
        let peripheral = try scene.connect()
        peripheral.disconnect()
        let reading = peripheral.readRSSI()
        #expect(!reading.completed)
        try scene.air.run(until: peripheral.state == .disconnected)
        #expect(reading.result?.error as? PeripheralError == .disconnected)
    }

    @Test("It is polled at once and each period, in one stream, until that is stopped")
    func poll() throws {
        let scene = CentralScene()
        let peripheral = try scene.connect()
        let stream = peripheral.startPollingRSSI(period: 2)
        #expect(peripheral.startPollingRSSI() === stream)
        let strengths = Record(stream)
        scene.air.run(for: .milliseconds(500))
        #expect(strengths.count == 1)
        scene.air.run(for: .seconds(6))
        #expect(strengths.count == 4 && strengths.errors.isEmpty)
        peripheral.stopPollingRSSI()
        scene.air.run(for: .seconds(6))
        #expect(strengths.count == 4)
    }

    @Test("Polling that is begun anew is not polled twice as often")
    func pollAnew() throws {
        let scene = CentralScene()
        let peripheral = try scene.connect()
        _ = peripheral.startPollingRSSI(period: 2)
        scene.air.run(for: .seconds(1))
        peripheral.stopPollingRSSI()
        let strengths = Record(peripheral.startPollingRSSI(period: 2))
        scene.air.run(for: .milliseconds(7_500))
        #expect(strengths.count == 4)
    }

    @Test("Polling fails each time without a connection, goes on with the next, and ends when the app disconnects")
    func pollThroughDisconnections() throws {
        let scene = CentralScene()
        let peripheral = try scene.connect()
        let strengths = Record(peripheral.startPollingRSSI(period: 2))
        scene.air.run(for: .seconds(1))
        scene.sensor.disconnect()
        scene.air.run(for: .seconds(2))
        #expect(strengths.texts == ["value", "Peripheral disconnected."])
        peripheral.reconnect()
        scene.air.run(for: .seconds(2))
        #expect(strengths.texts.last == "value")
        peripheral.disconnect()
        scene.air.run(for: .seconds(1))
        let count = strengths.count
        #expect(strengths.errors.last as? PeripheralError == .disconnected)
        scene.air.run(for: .seconds(10))
        #expect(strengths.count == count)
    }
}
