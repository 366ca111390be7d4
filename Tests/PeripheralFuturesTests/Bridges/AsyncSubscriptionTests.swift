import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Loops end what they have begun", .air)
struct AsyncSubscriptionTests {
    let air = Air.current
    private let uuid = UUID(uuidString: "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5")!

    /// A manager that is powered on, beside a sensor.
    private func scanner() async -> CentralManager {
        let manager = CentralScene().manager
        await air.run(for: .seconds(1))
        return manager
    }

    // MARK: Leaving

    @Test("A scan ends when its loop is left, when its task is cancelled, and when nobody has begun the loop")
    func scan() async throws {
        let manager = await scanner()
        let found = try await air.during(2) {
            for try await peripheral in manager.async.startScanning() where manager.isScanning {
                return peripheral.name
            }
            return "cancelled"
        }.get()
        #expect(found == "Sensor" && !manager.isScanning)
        let task = Task {
            var count = 0
            for try await _ in manager.async.startScanning(
                options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
            ) { count += 1 }
            return count
        }
        await air.run(for: .seconds(2))
        #expect(manager.isScanning)
        task.cancel()
        #expect(try await task.value > 1)
        #expect(!manager.isScanning)
        do { _ = manager.async.startScanning() }
        #expect(!manager.isScanning)
    }

    @Test("Loops share a scan, which ends with the last one")
    func shared() async throws {
        let manager = await scanner()
        let tasks = (0..<2).map { _ in Task { for try await _ in manager.async.startScanning() {} } }
        await air.run(for: .seconds(1))
        tasks[0].cancel()
        try await tasks[0].value
        #expect(manager.isScanning)
        tasks[1].cancel()
        try await tasks[1].value
        #expect(!manager.isScanning)
    }

    @Test("A scan that was begun elsewhere goes on when a loop over it is left")
    func borrowed() async throws {
        let manager = await scanner()
        let stream = manager.startScanning()
        let count = try await air.during(2) { try await manager.async.startScanning().first { _ in true } != nil }.get()
        #expect(count && manager.isScanning && manager.startScanning() === stream)
        // One that was begun anew while the loop ran is not the loop's.
        manager.stopScanning()
        let task = Task { for try await _ in manager.async.startScanning() {} }
        await air.run(for: .seconds(1))
        manager.stopScanning()
        let other = manager.startScanning()
        task.cancel()
        try await task.value
        #expect(manager.isScanning && manager.startScanning() === other)
    }

    @Test("Writes are taken as long as the loop runs, and refused before and after")
    func writes() async throws {
        let publisher = try await publish()
        let characteristic = publisher.characteristics[0]
        let visitor = air.addPhone(named: "visitor").addApp().run { CentralManager() }
        _ = try await air.during { try await visitor.explore() }.get()
        let value = try visitor.characteristic("FFF1")
        let refused = await air.failure { try await value.async.write(UInt8(1)) }
        #expect(refused != nil && characteristic.value == nil)
        let task = Task {
            var requests: [Data?] = []
            for try await (request, _) in characteristic.async.startRespondingToWriteRequests(capacity: 2) {
                requests.append(request.value)
                characteristic.respondToRequest(request, withResult: .success)
                if requests.count == 2 { break }
            }
            return requests
        }
        await air.settle()
        try await air.during(5) {
            try await value.async.write(UInt8(2))
            try await value.async.write(UInt8(3))
        }.get()
        #expect(try await task.value == [Data([2]), Data([3])])
        #expect(await air.failure { try await value.async.write(UInt8(4)) } == refused)
        #expect(characteristic.value == Data([3]))
    }

    @Test("Values that are sent are not kept when the loop is over; the peripheral goes on sending")
    func updates() async throws {
        let scene = CentralScene()
        let (manager, sensor) = (scene.manager, scene.sensor)
        _ = try await air.during { try await manager.explore() }.get()
        let value = try manager.characteristic("FFE2")
        let task = Task {
            let updates = value.async.receiveNotificationUpdates()
            try await value.async.startNotifying()
            var values: [Data?] = []
            for try await update in updates.prefix(2) { values.append(update) }
            return values
        }
        await air.run(for: .seconds(1))
        for byte in UInt8(1)...3 {
            sensor.send([byte], of: "FFE2")
            await air.run(for: .seconds(1))
        }
        #expect(try await task.value == [Data([1]), Data([2])])
        #expect(value.isNotifying && value.dataValue == Data([3]) && value.receiveNotificationUpdates().count == 0)
    }

    @Test("The signal strength is asked for as long as the loop runs; failures are events for those who want them")
    func strength() async throws {
        let scene = CentralScene()
        let manager = scene.manager
        let peripheral = try await air.during { try await manager.explore() }.get()
        let counts = try await air.during(10) {
            var counts = [0, 0]
            for await event in peripheral.async.startPollingRSSI(period: 1).events {
                if event.isSuccess() { counts[0] += 1 } else { counts[1] += 1 }
                if counts[0] == 3 { peripheral.disconnect() }
                if counts[1] == 1 { break }
            }
            return counts
        }.get()
        #expect(counts == [3, 1] && peripheral.startPollingRSSI(period: 1).count == 1)
        peripheral.stopPollingRSSI()
    }

    @Test("Each connection is an event, and each that ends a failure; the loop's end is not the connection's")
    func connections() async throws {
        let scene = CentralScene()
        let (manager, sensor) = (scene.manager, scene.sensor)
        let peripheral = try await air.during { try await manager.explore() }.get()
        #expect(sensor.isConnected)
        let task = Task {
            var texts: [String] = []
            for await event in peripheral.async.connect(timeoutRetries: 0, disconnectRetries: 0).events {
                texts.append(event.error.map { "\($0)" } ?? "connected")
                if event.isFailure() { peripheral.reconnect() }
                if texts.count == 2 { break }
            }
            return texts
        }
        await air.run(for: .seconds(1))
        sensor.disconnect()
        await air.run(for: .seconds(5))
        #expect(await task.value.last == "connected")
        #expect(sensor.isConnected)
    }

    @Test("Beacons are ranged and regions watched as long as the loop runs")
    func beacons() async throws {
        air.add(SimulatedPeripheral.iBeacon(uuid: uuid, major: 1, minor: 1), at: .near)
        let (manager, region) = (BeaconManager(), BeaconRegion(proximityUUID: uuid, identifier: "all"))
        let minors = try await air.during(5) {
            for try await beacons in manager.async.startRangingBeacons(in: region) where !beacons.isEmpty {
                return beacons.map(\.minor)
            }
            return []
        }.get()
        #expect(minors == [1] && !manager.isRanging)
        let states = try await air.during(5) {
            var states: [RegionState] = []
            for try await state in manager.async.startMonitoring(for: region) {
                states.append(state)
                if state == .inside { break }
            }
            return states
        }.get()
        #expect(states == [.start, .inside] && !manager.isMonitoring)
        #expect(try await manager.async.requestState(for: region) == .unknown)
    }

    // MARK: Nothing is left

    @Test("After the loop nothing keeps the manager")
    func leaks() async throws {
        weak var manager: CentralManager?
        weak var publisher: PeripheralManager?
        do {
            let (central, peripheral) = (await scanner(), PeripheralManager())
            (manager, publisher) = (central, peripheral)
            let tasks = [
                Task { for try await _ in central.async.startScanning() {} },
                Task { for try await _ in central.async.whenStateChanges() {} },
                Task { for try await _ in peripheral.async.whenStateChanges() {} },
            ]
            await air.run(for: .seconds(1))
            #expect(manager != nil && publisher != nil)
            for task in tasks { task.cancel() }
            for task in tasks { try await task.value }
        }
        await air.run(for: .seconds(1))
        #expect(manager == nil && publisher == nil)
    }

    @Test("A loop keeps no more than its capacity of what it has not come to")
    func capacity() async throws {
        let clock = air.clock
        let scene = CentralScene()
        let (manager, sensor) = (scene.manager, scene.sensor)
        _ = try await air.during { try await manager.explore() }.get()
        let value = try manager.characteristic("FFE2")
        let task = Task {
            var values: [UInt8] = []
            let updates = value.async.receiveNotificationUpdates(capacity: 2)
            try await value.async.startNotifying()
            for try await update in updates {
                values.append(update?.first ?? 0)
                try await clock.sleep(for: .seconds(10))
                if values.count == 3 { break }
            }
            return values
        }
        await air.run(for: .seconds(1))
        for byte in UInt8(1)...8 {
            sensor.send([byte], of: "FFE2")
            await air.run(for: .milliseconds(500))
        }
        await air.run(for: .seconds(40))
        #expect(try await task.value == [1, 7, 8])
    }

    /// A manager that advertises a service with one characteristic.
    private func publish() async throws -> PeripheralManager {
        let (manager, service) = (PeripheralManager(), MutableService(uuid: "FFF0"))
        service.characteristics = [MutableCharacteristic(UUID: "FFF1")]
        try await air.during(2) {
            for try await state in manager.async.whenStateChanges() where state == .poweredOn { break }
            try await manager.async.add(service)
            try await manager.async.startAdvertising("Tag", uuids: [service.uuid])
        }.get()
        return manager
    }
}
