import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Connecting to peripherals", .air)
struct ConnectingTests {
    @Test("A peripheral says who it is, and what it has advertised")
    func identity() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        #expect(peripheral.name == "Sensor" && peripheral.state == .disconnected)
        #expect(scene.manager.discoveredPeripherals[peripheral.identifier] === peripheral)
        #expect(peripheral.advertisements.localName == "Sensor")
        #expect(peripheral.advertisements.serviceUUIDs == [CBUUID(string: "FFE0")])
        #expect(peripheral.advertisements.manufacturerData == Data([0xFF, 0xFF, 1]))
        #expect(peripheral.advertisements.txPower == 4)
        #expect(peripheral.advertisements.isConnectable?.boolValue == true)
        #expect(peripheral.advertisements.serviceData == nil)
        #expect(peripheral.advertisements.overflowServiceUUIDs == nil)
        #expect(peripheral.advertisements.solicitedServiceUUIDs == nil)
    }

    @Test("A peripheral without a name is called Unknown")
    func noName() throws {
        let air = Air.current
        let silent = SimulatedPeripheral(named: "", advertising: SimulatedAdvertisement(name: .none))
        air.add(silent)
        let manager = CentralManager()
        try air.run(until: manager.poweredOn)
        _ = manager.startScanning()
        try air.run(until: !manager.peripherals.isEmpty)
        #expect(manager.peripherals.first?.name == "Unknown")
    }

    @Test("Each connection is an event, each disconnection a failure with what the system said")
    func events() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        let connection = Record(peripheral.connect())
        try scene.air.run(until: connection.texts == ["value"])
        scene.sensor.disconnect()
        try scene.air.run(until: connection.count == 2)
        #expect((connection.errors.first as? CBError)?.code == .peripheralDisconnected)
        peripheral.reconnect()
        try scene.air.run(until: connection.count == 3)
        scene.air.move(scene.sensor, to: .outOfRange)
        try scene.air.run(until: connection.count == 4)
        #expect((connection.errors.last as? CBError)?.code == .connectionTimeout)
        #expect(peripheral.connectionCount == 2 && peripheral.disconnectionCount == 2)
    }

    @Test("A connection that the app ends is a failure, forcedDisconnect, and not counted as a disconnection")
    func forced() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        let connection = Record(peripheral.connect())
        try scene.air.run(until: connection.count == 1)
        peripheral.disconnect()
        try scene.air.run(until: connection.count == 2)
        #expect(connection.errors as? [PeripheralError] == [.forcedDisconnect])
        #expect(peripheral.disconnectionCount == 0)
        try scene.air.run(until: !scene.sensor.isConnected)
    }

    @Test("An attempt that takes too long is given up, and counted")
    func timeout() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        scene.air.move(scene.sensor, to: .outOfRange)
        let connection = Record(peripheral.connect(connectionTimeout: 4))
        scene.air.run(for: .milliseconds(3_900))
        #expect(connection.count == 0 && peripheral.state == .connecting)
        scene.air.run(for: .milliseconds(200))
        #expect(connection.errors as? [PeripheralError] == [.connectionTimeout])
        #expect(peripheral.timeoutCount == 1 && peripheral.disconnectionCount == 0 && peripheral.state == .disconnected)
        scene.air.move(scene.sensor, to: .near)
        scene.air.run(for: .seconds(5))
        #expect(!scene.sensor.isConnected)
    }

    @Test("A connection that came in time is not ended by the timer")
    func timeoutMissed() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        let connection = Record(peripheral.connect(connectionTimeout: 2))
        scene.air.run(for: .seconds(5))
        #expect(connection.texts == ["value"] && peripheral.timeoutCount == 0)
    }

    @Test("Each reconnection has the time of the connection, and tells the same stream: retries are a line")
    func retries() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        scene.air.move(scene.sensor, to: .outOfRange)
        let stream = peripheral.connect(connectionTimeout: 2)
        let connection = Record(stream)
        stream.onFailure { _ in
            if peripheral.timeoutCount < 3 { peripheral.reconnect(withDelay: 1) }
        }
        scene.air.run(for: .milliseconds(4_900))
        #expect(connection.count == 1)
        scene.air.run(for: .seconds(20))
        #expect(peripheral.timeoutCount == 3 && peripheral.connectionCount == 3)
        #expect(
            connection.errors as? [PeripheralError] == [.connectionTimeout, .connectionTimeout, .connectionTimeout]
        )
    }

    @Test("A reconnection waits as long as it was told")
    func delay() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        let connection = Record(peripheral.connect())
        try scene.air.run(until: connection.count == 1)
        scene.sensor.disconnect()
        try scene.air.run(until: connection.count == 2)
        peripheral.reconnect(withDelay: 3)
        scene.air.run(for: .milliseconds(2_900))
        #expect(peripheral.state == .disconnected)
        scene.air.run(for: .seconds(1))
        #expect(connection.texts.last == "value" && peripheral.state == .connected)
    }

    @Test("Disconnecting calls off a reconnection that waits")
    func delayCalledOff() throws {
        let scene = CentralScene()
        let peripheral = try scene.connect()
        scene.sensor.disconnect()
        try scene.air.run(until: peripheral.state == .disconnected)
        peripheral.reconnect(withDelay: 3)
        peripheral.disconnect()
        scene.air.run(for: .seconds(6))
        #expect(peripheral.state == .disconnected)
    }

    @Test("Connecting to a connected peripheral does nothing, and the new stream is empty")
    func alreadyConnected() throws {
        let scene = CentralScene()
        let peripheral = try scene.connect()
        let again = Record(peripheral.connect())
        scene.air.run(for: .seconds(2))
        #expect(again.count == 0 && peripheral.connectionCount == 1)
        scene.sensor.disconnect()
        try scene.air.run(until: again.count == 1)
    }

    @Test("Each call of connect has a stream of its own, and the one before is told nothing more")
    func newStream() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        let first = peripheral.connect()
        let second = peripheral.connect()
        #expect(first !== second)
        try scene.air.run(until: second.count == 1)
        #expect(first.count == 0)
    }

    @Test("Terminating has the manager forget the peripheral, which still hears that it is disconnected")
    func terminate() throws {
        let scene = CentralScene()
        let connection = try {
            let peripheral = try scene.discover()
            let connection = Record(peripheral.connect())
            try scene.air.run(until: connection.count == 1)
            peripheral.terminate()
            return connection
        }()
        #expect(scene.manager.peripherals.isEmpty)
        try scene.air.run(until: connection.count == 2)
        #expect(connection.errors as? [PeripheralError] == [.forcedDisconnect])
        try scene.air.run(until: !scene.sensor.isConnected)
    }

    @Test("When Bluetooth is switched off connections fail, since the system says no more of them")
    func powerLost() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        let connection = Record(peripheral.connect())
        try scene.air.run(until: connection.count == 1)
        scene.air.switchPower(false)
        try scene.air.run(until: connection.count == 2)
        #expect(connection.errors as? [PeripheralError] == [.disconnected])
        scene.air.run(for: .seconds(1))
        let again = Record(peripheral.connect())
        scene.air.run(for: .seconds(1))
        #expect(again.errors as? [CentralManagerError] == [.isPoweredOff] && peripheral.connectionCount == 1)
    }

    @Test("A reconnection waits until Bluetooth is on: a retry in a failure handler is asked once, and comes true")
    func reconnectionWithoutPower() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        let stream = peripheral.connect()
        let connection = Record(stream)
        stream.onFailure { _ in peripheral.reconnect() }
        try scene.air.run(until: connection.count == 1)
        scene.air.switchPower(false)
        scene.air.run(for: .seconds(3))
        #expect(connection.texts == ["value", "Peripheral disconnected."] && peripheral.connectionCount == 1)
        scene.air.switchPower(true)
        try scene.air.run(until: connection.texts.last == "value")
        scene.air.switchPower(false)
        scene.air.run(for: .seconds(1))
        peripheral.disconnect()
        scene.air.run(for: .seconds(1))
        #expect(connection.errors.last as? PeripheralError == .forcedDisconnect)
    }

    @Test("When the controller fails connections do, and can be had again, as can scans, with the same objects")
    func controllerFails() throws {
        let scene = CentralScene()
        let (peripheral, characteristic) = try scene.characteristic("FFE1")
        let connection = Record(peripheral.connect())
        let read = characteristic.read()
        scene.air.resetController()
        try scene.air.run(until: connection.count == 1)
        #expect(read.result?.error as? PeripheralError == .disconnected)
        try scene.air.run(until: scene.manager.poweredOn)
        peripheral.reconnect()
        try scene.air.run(until: connection.texts.last == "value")
        try scene.finish(peripheral.discoverAllServices())
        scene.air.resetController()
        try scene.air.run(until: connection.count == 3)
        scene.air.run(for: .seconds(1))
        let sightings = Record(scene.manager.startScanning())
        try scene.air.run(until: sightings.count > 1)
        #expect(sightings.errors as? [CentralManagerError] == [.invalidPeripheral])
        #expect(sightings.values.first === peripheral)
    }

    @Test("Who disconnects and connects at once hears of both, each on its own stream, and nothing stays open")
    func connectingWhileDisconnecting() throws {
        let scene = CentralScene()
        let (peripheral, characteristic) = try scene.characteristic("FFE1")
        let first = Record(peripheral.connect())
        let read = characteristic.read()
        peripheral.disconnect()
        let second = Record(peripheral.connect())
        try scene.air.run(until: second.count == 1)
        #expect(first.errors as? [PeripheralError] == [.forcedDisconnect] && second.texts == ["value"])
        #expect(read.result?.error as? PeripheralError == .disconnected)
        peripheral.disconnect()
        peripheral.reconnect()
        try scene.air.run(until: second.count == 3)
        #expect(second.texts == ["value", "Peripheral disconnect called.", "value"])
        peripheral.disconnect()
        let third = Record(peripheral.connect())
        peripheral.disconnect()
        scene.air.run(for: .seconds(5))
        #expect(third.errors as? [PeripheralError] == [.forcedDisconnect] && peripheral.state == .disconnected)
        #expect(second.count == 4 && second.errors.last as? PeripheralError == .forcedDisconnect)
    }

    @Test("Retries that were ordered are made, and nothing is told until they are used up")
    func orderedRetries() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        scene.air.move(scene.sensor, to: .outOfRange)
        let connection = Record(
            peripheral.connect(timeoutRetries: 2, disconnectRetries: 1, connectionTimeout: 1, capacity: 5)
        )
        scene.air.run(for: .milliseconds(2_900))
        #expect(connection.count == 0 && peripheral.timeoutCount == 2)
        scene.air.run(for: .milliseconds(200))
        #expect(connection.errors as? [PeripheralError] == [.connectionTimeout] && peripheral.timeoutCount == 3)
        scene.air.move(scene.sensor, to: .near)
        peripheral.reconnect()
        try scene.air.run(until: connection.count == 2)
        scene.sensor.disconnect()
        try scene.air.run(until: connection.count == 3)
        #expect(connection.texts.suffix(2) == ["value", "value"] && peripheral.disconnectionCount == 1)
        scene.sensor.disconnect()
        try scene.air.run(until: connection.count == 4)
        #expect(connection.errors.count == 2 && peripheral.disconnectionCount == 2)
        scene.air.run(for: .seconds(5))
        #expect(peripheral.state == .disconnected)
    }

    @Test("How long there was a connection is counted in the air's time")
    func statistics() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        #expect(peripheral.connectedAt == nil && peripheral.secondsConnected == 0)
        scene.air.run(for: .seconds(3))
        let connection = Record(peripheral.connect())
        try scene.air.run(until: connection.count == 1)
        let start = try #require(peripheral.connectedAt)
        scene.air.run(for: .seconds(10))
        #expect(peripheral.disconnectedAt == nil && peripheral.totalSecondsConnected == 0)
        #expect((10...10.1).contains(peripheral.secondsConnected))
        #expect(peripheral.cumlativeSecondsConnected == peripheral.secondsConnected)
        scene.sensor.disconnect()
        try scene.air.run(until: connection.count == 2)
        let end = try #require(peripheral.disconnectedAt)
        let first = end.timeIntervalSince(start)
        scene.air.run(for: .seconds(5))
        #expect(peripheral.secondsConnected == first && peripheral.totalSecondsConnected == first)
        peripheral.reconnect()
        try scene.air.run(until: connection.count == 3)
        scene.air.run(for: .seconds(4))
        #expect(abs(peripheral.cumlativeSecondsConnected - first - 4) < 0.1)
        #expect(peripheral.totalSecondsConnected == first)
        #expect((7.9...10).contains(peripheral.cumlativeSecondsDisconnected))
        #expect(peripheral.discoveredAt < start)
    }

    @Test("An attempt that comes to nothing does not count as time of a connection")
    func timeouts() throws {
        let scene = CentralScene()
        let peripheral = try scene.connect()
        scene.air.run(for: .seconds(5))
        scene.sensor.disconnect()
        try scene.air.run(until: peripheral.state == .disconnected)
        let total = peripheral.totalSecondsConnected
        scene.air.move(scene.sensor, to: .outOfRange)
        _ = peripheral.connect(connectionTimeout: 2)
        try scene.air.run(until: peripheral.timeoutCount == 1)
        #expect(peripheral.totalSecondsConnected == total)
    }
}
