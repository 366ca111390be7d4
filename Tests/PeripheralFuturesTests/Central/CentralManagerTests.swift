import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("The central manager", .air)
struct CentralManagerTests {
    @Test("It tells its state and each change; a stream that is asked for later takes the place of the first")
    func states() throws {
        let manager = CentralManager()
        let first = Record(manager.whenStateChanges())
        try Air.current.run(until: manager.poweredOn)
        Air.current.run(for: .zero)
        #expect(first.values == [.unknown, .poweredOn] && manager.state == .poweredOn)
        let second = Record(manager.whenStateChanges())
        Air.current.switchPower(false)
        Air.current.run(for: .seconds(1))
        #expect(first.values == [.unknown, .poweredOn])
        #expect(second.values == [.poweredOn, .poweredOff] && !manager.poweredOn)
    }

    @Test("Every sighting is an event with the same object, whose signal strength is the latest")
    func sightings() throws {
        let scene = CentralScene()
        try scene.powerOn()
        let options = [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        let found = Record(scene.manager.startScanning(options: options))
        #expect(scene.manager.isScanning)
        try scene.air.run(until: found.count >= 5)
        let peripheral = try #require(found.values.first)
        #expect(found.values.allSatisfy { $0 === peripheral })
        #expect(peripheral.RSSI < 0)
        let near = peripheral.RSSI
        scene.air.move(scene.sensor, to: .far)
        let count = found.count
        try scene.air.run(until: found.count > count + 1)
        #expect(peripheral.RSSI < near)
    }

    @Test("Options of a scan for everything reach CoreBluetooth")
    func options() throws {
        let scene = CentralScene()
        try scene.powerOn()
        let once = Record(scene.manager.startScanning())
        scene.air.run(for: .seconds(2))
        #expect(once.count == 1)
    }

    @Test("A scan for services finds those that advertise one of them")
    func services() throws {
        let scene = CentralScene()
        scene.air.add(HeartRateSensor(named: "Strap"))
        try scene.powerOn()
        let found = Record(scene.manager.startScanning(forServiceUUIDs: [CBUUID(string: "180D")]))
        scene.air.run(for: .seconds(2))
        #expect(found.values.map(\.name) == ["Strap"])
    }

    @Test("While a scan runs, its stream is returned")
    func runningScan() throws {
        let scene = CentralScene()
        try scene.powerOn()
        let stream = scene.manager.startScanning()
        #expect(scene.manager.startScanning(forServiceUUIDs: [], capacity: 3) === stream)
    }

    @Test("Without power a scan's stream has a failure")
    func noPower() throws {
        let scene = CentralScene()
        let stream = scene.manager.startScanning()
        #expect(stream.futures.first?.result?.error as? CentralManagerError == .isPoweredOff)
        #expect(!scene.manager.isScanning)
    }

    @Test("A scan that found nothing fails when its time is over, and ends")
    func scanTimeout() throws {
        let scene = CentralScene()
        try scene.powerOn()
        scene.air.move(scene.sensor, to: .outOfRange)
        let found = Record(scene.manager.startScanning(timeout: 5))
        scene.air.run(for: .milliseconds(4_900))
        #expect(scene.manager.isScanning && found.count == 0)
        scene.air.run(for: .milliseconds(200))
        #expect(!scene.manager.isScanning && found.errors as? [CentralManagerError] == [.serviceScanTimeout])
    }

    @Test("A scan that found something ends without a failure when its time is over")
    func scanTimeoutAfterSighting() throws {
        let scene = CentralScene()
        try scene.powerOn()
        let found = Record(scene.manager.startScanning(timeout: 5))
        scene.air.run(for: .seconds(6))
        #expect(!scene.manager.isScanning && found.texts == ["value"])
    }

    @Test("What earlier scans found does not count for a later one, nor does the time of one that was stopped")
    func scanTimeoutOfAnother() throws {
        let scene = CentralScene()
        try scene.powerOn()
        _ = scene.manager.startScanning(timeout: 4)
        scene.air.run(for: .seconds(2))
        scene.manager.stopScanning()
        scene.air.move(scene.sensor, to: .outOfRange)
        let found = Record(scene.manager.startScanning(timeout: 4))
        scene.air.run(for: .seconds(3))
        #expect(scene.manager.isScanning)
        scene.air.run(for: .seconds(2))
        #expect(!scene.manager.isScanning && found.errors as? [CentralManagerError] == [.serviceScanTimeout])
    }

    @Test("A stopped scan tells nothing more, and another can begin")
    func stopScanning() throws {
        let scene = CentralScene()
        try scene.powerOn()
        let first = scene.manager.startScanning(options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        try scene.air.run(until: first.count > 2)
        scene.manager.stopScanning()
        #expect(!scene.manager.isScanning)
        let count = first.count
        scene.air.run(for: .seconds(2))
        #expect(first.count == count)
        let second = scene.manager.startScanning()
        #expect(second !== first)
        try scene.air.run(until: second.count == 1)
    }

    @Test("A scan ends with a failure when Bluetooth is switched off, and another can begin when it is on again")
    func powerLost() throws {
        let scene = CentralScene()
        try scene.powerOn()
        let found = Record(scene.manager.startScanning())
        scene.air.switchPower(false)
        scene.air.run(for: .seconds(1))
        #expect(found.errors as? [CentralManagerError] == [.isPoweredOff] && !scene.manager.isScanning)
        scene.air.switchPower(true)
        try scene.powerOn()
        let again = Record(scene.manager.startScanning())
        try scene.air.run(until: again.texts == ["value"])
    }

    @Test("Peripherals are listed in the order in which they were discovered, until they are removed")
    func list() throws {
        let scene = CentralScene()
        scene.air.add(HeartRateSensor(named: "Strap"))
        try scene.powerOn()
        _ = scene.manager.startScanning()
        try scene.air.run(until: scene.manager.peripherals.count == 2)
        let peripherals = scene.manager.peripherals
        #expect(peripherals[0].discoveredAt <= peripherals[1].discoveredAt)
        #expect(scene.manager.discoveredPeripherals[peripherals[1].identifier] === peripherals[1])
        scene.manager.removePeripheral(withIdentifier: peripherals[0].identifier)
        #expect(scene.manager.peripherals.map(\.identifier) == [peripherals[1].identifier])
        scene.manager.removeAllPeripherals()
        #expect(scene.manager.discoveredPeripherals.isEmpty)
    }

    @Test("Removing all peripherals forgets the scan's stream as well; another one can be had")
    func removeAll() throws {
        let scene = CentralScene()
        try scene.powerOn()
        let options = [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        let first = scene.manager.startScanning(options: options)
        try scene.air.run(until: first.count > 1)
        scene.manager.removeAllPeripherals()
        let count = first.count
        scene.air.run(for: .seconds(1))
        #expect(first.count == count)
        let second = scene.manager.startScanning(options: options)
        #expect(second !== first)
        try scene.air.run(until: second.count > 1)
    }

    @Test("Services of all peripherals are those of the manager")
    func allServices() throws {
        let scene = CentralScene()
        _ = try scene.explore()
        #expect(scene.manager.services.map(\.uuid).contains(CBUUID(string: "FFE0")))
    }

    @Test("What is retrieved is known from then on, as the object that there is for it")
    func retrieval() throws {
        let scene = CentralScene()
        let peripheral = try scene.connect()
        #expect(scene.manager.retrievePeripherals().map(ObjectIdentifier.init) == [ObjectIdentifier(peripheral)])
        let other = CentralManager()
        try scene.air.run(until: other.poweredOn)
        try scene.air.run(until: !other.retrieveConnectedPeripherals(withServices: [CBUUID(string: "FFE0")]).isEmpty)
        #expect(other.peripherals.map(\.identifier) == [peripheral.identifier])
        let third = CentralManager()
        try scene.air.run(until: third.poweredOn)
        let found = third.retrievePeripherals(withIdentifiers: [peripheral.identifier])
        #expect(found.first?.name == "Sensor" && third.discoveredPeripherals.count == 1)
        #expect(third.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first === found.first)
    }

    @Test("Another object of CoreBluetooth's under a known identifier is a failure, once")
    func conflict() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        let states = Record(scene.manager.whenStateChanges())
        scene.air.resetController()
        try scene.air.run(until: states.values == [.poweredOn, .resetting, .poweredOn])
        let found = Record(scene.manager.startScanning())
        try scene.air.run(until: found.count > 0)
        #expect(found.errors as? [CentralManagerError] == [.invalidPeripheral])
        try scene.air.run(until: found.values.first === peripheral)
        scene.manager.stopScanning()
        let known = Record(scene.manager.startScanning())
        try scene.air.run(until: known.texts == ["value"])
        scene.manager.removePeripheral(withIdentifier: peripheral.identifier)
        scene.manager.stopScanning()
        let again = Record(scene.manager.startScanning())
        try scene.air.run(until: again.texts == ["value"])
    }

    @Test("After a reset a stream holds what is known of the new manager, which is nothing; both managers do the same")
    func statesAfterReset() throws {
        let air = Air.current
        let (central, peripheral) = (CentralManager(), PeripheralManager())
        try air.run(until: central.poweredOn && peripheral.poweredOn)
        var streams: [FutureStream<ManagerState>] = []
        central.reset()
        peripheral.reset()
        Queue.main.async { streams = [central.whenStateChanges(), peripheral.whenStateChanges()] }
        air.run(for: .seconds(1))
        #expect(streams.map(\.values) == [[.unknown, .poweredOn], [.unknown, .poweredOn]])
    }

    @Test("A reset manager knows nobody, and who was connected hears that it is over")
    func reset() throws {
        let scene = CentralScene()
        let peripheral = try scene.discover()
        let connection = Record(peripheral.connect())
        try scene.air.run(until: connection.texts == ["value"])
        let states = Record(scene.manager.whenStateChanges())
        scene.manager.reset()
        #expect(!scene.manager.peripherals.isEmpty)
        try scene.air.run(until: states.values.count == 2)
        #expect(states.values == [.poweredOn, .poweredOn] && scene.manager.peripherals.isEmpty)
        #expect(connection.errors as? [PeripheralError] == [.disconnected])
        try scene.air.run(until: !scene.sensor.isConnected)
        #expect(try scene.connect().state == .connected)
    }

    @Test("Futures that were handed out by a manager that is invalidated are never completed")
    func invalidate() throws {
        let scene = CentralScene()
        try scene.powerOn()
        scene.air.move(scene.sensor, to: .outOfRange)
        let states = Record(scene.manager.whenStateChanges())
        let found = Record(scene.manager.startScanning())
        let restored = scene.manager.whenStateRestored()
        scene.manager.invalidate()
        scene.air.move(scene.sensor, to: .near)
        scene.air.run(for: .seconds(2))
        #expect(states.values == [.poweredOn] && found.count == 0 && !restored.completed)
        #expect(scene.manager.poweredOn)
    }

    @Test("All peripherals can be disconnected at once")
    func disconnectAll() throws {
        let scene = CentralScene()
        let strap = HeartRateSensor(named: "Strap")
        scene.air.add(strap)
        try scene.powerOn()
        scene.manager.startScanning().onSuccess { _ = $0.connect() }
        try scene.air.run(until: scene.sensor.isConnected && strap.isConnected)
        scene.manager.disconnectAllPeripherals()
        try scene.air.run(until: !scene.sensor.isConnected && !strap.isConnected)
    }

    @Test("It may be asked on its own queue, by a callback that runs at once")
    func noDeadlock() throws {
        let queue = DispatchQueue(label: "manager")
        let manager = CentralManager(queue: queue)
        var states: [ManagerState] = []
        manager.whenStateChanges().onSuccess(context: ImmediateContext()) { state in
            if state == .poweredOn { dispatchPrecondition(condition: .onQueue(queue)) }
            states.append(manager.state)
            _ = (manager.isScanning, manager.peripherals, manager.discoveredPeripherals, manager.services)
        }
        try Air.current.run(until: states == [.unknown, .poweredOn])
    }
}
