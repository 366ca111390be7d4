import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Functions for tasks say what futures say", .air)
struct AsyncTwinsTests {
    let air = Air.current

    // MARK: The same result

    /// As `SessionTaskTests.session`, with the functions for tasks.
    private static func session(_ manager: CentralManager) async throws -> [String] {
        var log: [String] = []
        for try await state in manager.async.whenStateChanges() where state == .poweredOn { break }
        var found: Peripheral?
        for try await peripheral in manager.async.startScanning(forServiceUUIDs: [CBUUID(string: "180D")], timeout: 10)
        {
            found = peripheral
            break
        }
        guard let peripheral = found else { return log }
        for try await _ in peripheral.async.connect(connectionTimeout: 5) { break }
        try await peripheral.async.discoverAllServices(timeout: 5)
        for service in peripheral.services { try await service.async.discoverAllCharacteristics() }
        let (battery, measurement) = (try manager.characteristic("2A19"), try manager.characteristic("2A37"))
        try await battery.async.read(timeout: 5)
        log.append("battery \(battery.value() as UInt8? ?? 0)")
        let updates = measurement.async.receiveNotificationUpdates(capacity: 10)
        try await measurement.async.startNotifying()
        for try await value in updates {
            log.append("beat \(value?.last ?? 0)")
            if log.count == 4 { break }
        }
        peripheral.disconnect()
        return log
    }

    @Test("A session of a central is the same with them as with futures, packet for packet")
    func sameSession() async throws {
        var runs: [String] = []
        for session in [Self.session, SessionTaskTests.session] {
            try await withAir(seed: 9) { air in
                air.add(HeartRateSensor(beatsPerMinute: 72, batteryLevel: 80), at: .near)
                let manager = CentralManager()
                let log = try await air.during(12) { try await session(manager) }.get()
                #expect(log == ["battery 80", "beat 72", "beat 72", "beat 72"])
                runs.append(air.digest)
            }
        }
        #expect(runs.count == 2 && runs[0] == runs[1])
    }

    @Test("A peripheral is published and advertised, and is a beacon")
    func publishing() async throws {
        let (manager, service) = (PeripheralManager(), MutableService(uuid: "FFF0"))
        let (characteristic, region) = (
            MutableCharacteristic(UUID: "FFF1"), BeaconRegion(proximityUUID: UUID(), identifier: "door")
        )
        service.characteristics = [characteristic]
        let states = try await air.during {
            for try await state in manager.async.whenStateChanges() where state == .poweredOn { break }
            try await manager.async.add(service)
            try await manager.async.startAdvertising("Tag", uuids: [service.uuid])
            var states = [manager.isAdvertising]
            try await manager.async.stopAdvertising()
            states.append(manager.isAdvertising)
            try await manager.async.startAdvertising(region)
            states.append(manager.isAdvertising)
            try await manager.async.stopAdvertising(timeout: 1)
            try await manager.async.startAdvertising(region, measuredPower: -40)
            return states + [manager.isAdvertising]
        }.get()
        #expect(states == [true, false, true, true] && manager.services == [service])
    }

    @Test("Values are written in each form, as with futures")
    func writing() async throws {
        let scene = CentralScene()
        let (manager, sensor) = (scene.manager, scene.sensor)
        let strength = try await air.during {
            let peripheral = try await manager.explore()
            let characteristic = try manager.characteristic("FFE1")
            try await characteristic.async.write(data: Data([1]))
            try await characteristic.async.write(string: ["Unknown": "02"])
            try await characteristic.async.write(UInt8(3))
            try await characteristic.async.write(OneNumber(rawValue: 4)!)
            try await characteristic.async.write(SomeNumbers(rawValue: [5, 6])!)
            try await characteristic.async.write(TwoNumbers(rawValue1: 7, rawValue2: 8)!)
            try await characteristic.async.write(TwoLists(rawValue1: [9], rawValue2: [10])!)
            try await manager.characteristic("FFE3").async.write(data: Data([11]), type: .withoutResponse)
            try await manager.characteristic("FFE2").async.startNotifying()
            try await manager.characteristic("FFE2").async.stopNotifying()
            try await peripheral.async.discoverServices([CBUUID(string: "FFE0")])
            try await peripheral.services[0].async.discoverCharacteristics([CBUUID(string: "FFE1")])
            return try await peripheral.async.readRSSI()
        }.get()
        let twins = sensor.writes(to: "FFE1")
        #expect(twins.prefix(3) == [Data([1]), Data([2]), Data([3])] && twins.count == 7)
        #expect(sensor.writes(to: "FFE3") == [Data([11])] && sensor.subscriberCount(of: "FFE2") == 0)
        #expect((-100 ..< -20).contains(strength))
        let futures = await air.during {
            let characteristic = try manager.characteristic("FFE1")
            try await characteristic.write(data: Data([1])).value
            try await characteristic.write(string: ["Unknown": "02"]).value
            try await characteristic.write(UInt8(3)).value
            try await characteristic.write(OneNumber(rawValue: 4)!).value
            try await characteristic.write(SomeNumbers(rawValue: [5, 6])!).value
            try await characteristic.write(TwoNumbers(rawValue1: 7, rawValue2: 8)!).value
            try await characteristic.write(TwoLists(rawValue1: [9], rawValue2: [10])!).value
        }
        try futures.get()
        #expect(sensor.writes(to: "FFE1").suffix(7) == twins[...])
    }

    @Test("What was kept while the app did not run is there; where there were no peripherals it is an error")
    func restoration() async throws {
        let app = air.phone.install(named: "Tag", backgroundModes: [.bluetoothPeripheral, .bluetoothCentral]) { _ in
            RestoredManagers()
        }
        app.launch()
        let first = try #require(app.root(as: RestoredManagers.self))
        await air.run(for: .seconds(1))
        _ = first.peripheral.add(MutableService(uuid: "FFF0"))
        _ = first.peripheral.startAdvertising("Tag")
        _ = first.central.startScanning(forServiceUUIDs: [CBUUID(string: "FFE0")])
        await air.run(for: .seconds(1))
        app.terminate()
        await air.run(for: .seconds(1))
        app.launch()
        let second = try #require(app.root(as: RestoredManagers.self))
        #expect(second !== first)
        let name = try await air.during { try await second.peripheral.async.whenStateRestored().localName }.get()
        #expect(name == "Tag" && second.peripheral.services.count == 1)
        #expect(await air.failure { try await second.central.async.whenStateRestored() } == "restoreFailed")
    }

    @Test("The peripherals of a central that was ended are there again")
    func centralRestoration() async throws {
        let sensor = CentralScene().sensor
        let app = air.phone.install(named: "Tracker", backgroundModes: .bluetoothCentral) { _ in RestoredManagers() }
        app.launch()
        let first = try #require(app.root(as: RestoredManagers.self))
        let characteristic = try await air.during {
            _ = try await first.central.explore()
            let characteristic = try first.central.characteristic("FFE2")
            try await characteristic.async.startNotifying()
            return characteristic.uuid.uuidString
        }.get()
        #expect(characteristic == "FFE2" && sensor.isConnected)
        app.terminate()
        sensor.send([9], of: "FFE2")
        await air.run(for: .seconds(5))
        let second = try #require(app.root(as: RestoredManagers.self))
        try await air.during { try await second.central.async.whenStateRestored() }.get()
        #expect(second !== first && second.central.peripherals.map(\.name) == ["Sensor"])
    }

    // MARK: The same error

    @Test("A peripheral manager's errors are those of its futures")
    func peripheralErrors() async throws {
        let (manager, service) = (PeripheralManager(), MutableService(uuid: "FFF0"))
        let expected = PeripheralManagerNotPoweredOn(state: .unknown)
        await #expect(throws: expected) { try await manager.async.add(service) }
        await #expect(throws: expected) { try await manager.async.startAdvertising("Tag") }
        await #expect(throws: expected) { try await manager.add(service).value }
        await air.run(for: .seconds(1))
        try await air.during { try await manager.async.startAdvertising("Tag") }.get()
        await #expect(throws: PeripheralManagerError.isAdvertising) {
            try await manager.async.startAdvertising("Tag")
        }
        await #expect(throws: MutableCharacteristicError.unconfigured) {
            for try await _ in MutableCharacteristic(UUID: "FFF1").async.startRespondingToWriteRequests() {}
        }
    }

    @Test("A central's errors are those of its futures: not supported, refused, too late, disconnected")
    func centralErrors() async throws {
        let scene = CentralScene()
        let (manager, sensor) = (scene.manager, scene.sensor)
        await #expect(throws: CentralManagerError.isPoweredOff) {
            for try await _ in manager.async.startScanning() {}
        }
        let peripheral = try await air.during { try await manager.explore() }.get()
        let (value, updates, command) = (
            try manager.characteristic("FFE1"), try manager.characteristic("FFE2"), try manager.characteristic("FFE3")
        )
        await #expect(throws: CharacteristicError.readNotSupported) { try await command.async.read() }
        await #expect(throws: CharacteristicError.writeNotSupported) { try await updates.async.write(UInt8(1)) }
        await #expect(throws: CharacteristicError.notifyNotSupported) { try await value.async.startNotifying() }
        await #expect(throws: CharacteristicError.notifyNotSupported) {
            for try await _ in value.async.receiveNotificationUpdates() {}
        }
        await #expect(throws: CharacteristicError.notSerializable) { try await value.async.write(string: ["no": "1"]) }
        sensor.refuse("FFE1", with: .insufficientResources)
        let refused = await air.failure { try await value.async.write(UInt8(1)) }
        #expect(refused == (await air.failure { try await value.write(UInt8(1)).value }) && refused != nil)
        sensor.refuse("FFE1", with: nil)
        sensor.responseDelay = .seconds(3)
        #expect(await air.failure { try await value.async.read(timeout: 1) } == "readTimeout")
        #expect(await air.failure { try await value.async.write(UInt8(1), timeout: 1) } == "writeTimeout")
        sensor.responseDelay = .zero
        peripheral.disconnect()
        await air.run(for: .seconds(1))
        await #expect(throws: PeripheralError.disconnected) { try await value.async.read() }
        await #expect(throws: PeripheralError.disconnected) { try await peripheral.async.readRSSI() }
        await #expect(throws: PeripheralError.disconnected) { try await peripheral.async.discoverAllServices() }
        await #expect(throws: PeripheralError.disconnected) {
            try await peripheral.services[0].async.discoverAllCharacteristics()
        }
    }

    // MARK: Cancellation

    @Test("A task that is cancelled waits no longer, and what it has asked for goes on")
    func cancelled() async throws {
        let scene = CentralScene()
        let (manager, sensor) = (scene.manager, scene.sensor)
        _ = try await air.during { try await manager.explore() }.get()
        let value = try manager.characteristic("FFE1")
        sensor.responseDelay = .seconds(5)
        let task = Task { try await value.async.read() }
        await air.run(for: .seconds(1))
        #expect(value.pendingReadCount == 1 && value.dataValue == nil)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(value.pendingReadCount == 1)
        await air.run(for: .seconds(10))
        #expect(value.pendingReadCount == 0 && value.dataValue == Data([5]))
    }

    @Test("A task that is cancelled already asks for nothing")
    func cancelledBefore() async throws {
        let scene = CentralScene()
        let manager = scene.manager
        _ = try await air.during { try await manager.explore() }.get()
        let value = try manager.characteristic("FFE1")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await value.async.read()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(value.pendingReadCount == 0)
    }
}

/// An app's managers, both of which want to be restored.
private final class RestoredManagers: Sendable {
    let peripheral = PeripheralManager(options: [CBPeripheralManagerOptionRestoreIdentifierKey: "peripheral"])
    let central = CentralManager(options: [CBCentralManagerOptionRestoreIdentifierKey: "central"])
}
