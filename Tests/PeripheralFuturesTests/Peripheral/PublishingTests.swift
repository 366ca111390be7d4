import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Publishing services with futures", .air)
struct PublishingTests {
    let air = Air.current

    @Test("A service that was added is found, by its UUID and by centrals; several may share one")
    func add() throws {
        let publisher = try Publisher(value: Data([1, 2, 3]))
        let manager = publisher.manager
        let twin = MutableService(uuid: "FFF0")
        twin.characteristics = [MutableCharacteristic(UUID: "FFF2")]
        try publisher.finish(manager.add(twin))
        #expect(
            manager.services.map { ObjectIdentifier($0) } == [publisher.service, twin].map { ObjectIdentifier($0) }
        )
        #expect(manager.service(withUUID: CBUUID(string: "FFF0"))?.count == 2)
        #expect(manager.service(withUUID: CBUUID(string: "FFF9")) == nil)
        #expect(manager.characteristics.map(\.uuid.uuidString) == ["FFF1", "FFF2"])
        #expect(manager.characteristics(withUUID: CBUUID(string: "FFF2"))?.count == 1)
        #expect(manager.characteristics(withUUID: CBUUID(string: "FFF9"))?.isEmpty == true)
        let central = try publisher.centralConnects()
        #expect(central.peripheral?.services?.count { $0.uuid == CBUUID(string: "FFF0") } == 2)
        #expect(try central.read("FFF1") == Data([1, 2, 3]))
    }

    @Test("A service that the system refuses fails, and only that one is forgotten")
    func refused() throws {
        let publisher = try Publisher()
        let bad = MutableService(uuid: "FFF0")
        bad.characteristics = [
            MutableCharacteristic(UUID: "FFF3", properties: [.broadcast], permissions: .readable, value: nil)
        ]
        #expect(throws: CBError.self) { try publisher.finish(publisher.manager.add(bad)) }
        #expect(publisher.manager.services.count == 1 && publisher.manager.services[0] === publisher.service)
        #expect(bad.characteristics[0].value == nil)
        let battery = MutableService(profile: ConfiguredServiceProfile<BLESIGGATT.BatteryService>())
        let error = #expect(throws: CBError.self) { try publisher.finish(publisher.manager.add(battery)) }
        #expect(error?.code == .uuidNotAllowed)
        let central = try publisher.centralConnects()
        #expect(throws: NearbyCentral.Missing.self) { try central.characteristic("FFF3") }
    }

    @Test("A service that was removed is gone; one that was not added is left alone; all can be removed")
    func remove() throws {
        let publisher = try Publisher()
        let manager = publisher.manager
        let other = MutableService(uuid: "FFF5")
        manager.remove(other)
        try publisher.finish(manager.add(other))
        manager.remove(publisher.service)
        #expect(manager.services.map { ObjectIdentifier($0) } == [ObjectIdentifier(other)])
        #expect(publisher.characteristic.value == nil)
        let central = try publisher.centralConnects()
        #expect(central.peripheral?.services?.contains { $0.uuid == CBUUID(string: "FFF0") } == false)
        manager.removeAllServices()
        #expect(manager.services.isEmpty && air.misuse.isEmpty)
        // And back again.
        try publisher.finish(manager.add(publisher.service))
        #expect(manager.services.count == 1)
    }

    @Test("What is just being added fails when it is removed, and when the controller fails")
    func endedAdditions() throws {
        let publisher = try Publisher()
        let service = MutableService(uuid: "FFF3")
        let removed = publisher.manager.add(service)
        publisher.manager.remove(service)
        #expect(removed.result?.error as? MutableServiceError == .unconfigured)
        let other = publisher.manager.add(service)
        publisher.manager.removeAllServices()
        #expect(other.result?.error as? MutableServiceError == .unconfigured)
        let again = publisher.manager.add(service)
        let start = publisher.manager.startAdvertising("Tag")
        publisher.air.resetController()
        try publisher.air.run(until: again.completed)
        #expect(again.result?.error as? PeripheralManagerNotPoweredOn == .init(state: .resetting))
        #expect(publisher.manager.services.isEmpty)
        try publisher.finish(start)
        try publisher.finish(publisher.manager.add(service))
    }

    @Test("A service is one manager's: the next that it is added to takes it over")
    func twoManagers() throws {
        let publisher = try Publisher(value: Data([1]))
        let other = PeripheralManager()
        try publisher.air.run(until: other.poweredOn)
        try publisher.finish(other.add(publisher.service))
        #expect(publisher.manager.services.isEmpty && other.services.first === publisher.service)
        publisher.manager.remove(publisher.service)
        #expect(publisher.characteristic.value == Data([1]))
        let central = try publisher.centralConnects()
        #expect(try central.read("FFF1") == Data([1]))
        #expect(central.peripheral?.services?.filter { $0.uuid == CBUUID(string: "FFF0") }.count == 1)
    }

    @Test(
        "Characteristics can be put into a service while they have updates, on whatever thread",
        .timeLimit(.minutes(1))
    )
    func noDeadlock() throws {
        let publisher = try Publisher()
        let (service, characteristic) = (publisher.service, publisher.characteristic)
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            for _ in 0..<2_000 {
                if thread == 0 {
                    service.characteristics = [characteristic]
                } else {
                    try? characteristic.update(UInt8(1))
                }
            }
        }
        #expect(characteristic.pendingUpdates.count == 2_000)
    }

    @Test("A service that is added again is published with what it has become")
    func addAgain() throws {
        let publisher = try Publisher(value: Data([1]))
        publisher.service.characteristics.append(MutableCharacteristic(UUID: "FFF4"))
        try publisher.finish(publisher.manager.add(publisher.service))
        #expect(publisher.manager.services.count == 1)
        let central = try publisher.centralConnects()
        #expect(central.peripheral?.services?.count { $0.uuid == CBUUID(string: "FFF0") } == 1)
        #expect(try central.read("FFF1") == Data([1]))
        _ = try central.characteristic("FFF4")
    }

    @Test("Services and characteristics come from profiles, in their order, with names and initial values")
    func profiles() throws {
        let profiles = ProfileManager()
        TISensorTagProfiles.create(profileManager: profiles)
        let profile = try #require(profiles.services[CBUUID(string: TiSensorTag.AccelerometerService.uuid)])
        let service = MutableService(profile: profile)
        #expect(service.name == "TI Accelerometer" && service.characteristics.isEmpty)
        service.characteristicsFromProfiles()
        #expect(
            service.characteristics.map(\.name)
                == ["Accelerometer Data", "Accelerometer Enabled", "Accelerometer Update Period"]
        )
        let data = service.characteristics[0]
        #expect(data.service === service && data.canNotify && !data.propertyEnabled(.write))
        #expect(data.permissionEnabled(.writeable) && data.permissions == [.readable, .writeable])
        // Nothing until it is in a manager.
        #expect(data.value == nil && data.stringValue == nil)
        data.value = Data([1, 2, 3])
        #expect(data.value == nil)
        let manager = PeripheralManager()
        try air.run(until: manager.poweredOn)
        try air.value(of: manager.add(service))
        #expect(data.value == Data([0xC0, 0xE0, 0xA0]) && data.stringValue?["z"] == "-1.50")
        #expect(data.stringValues.isEmpty && service.characteristics[1].stringValues == ["No", "Yes"])
        #expect(data.data(fromString: ["xRaw": "1", "yRaw": "2", "zRaw": "3"]) == Data([1, 2, 3]))
        data.value = Data([1, 2, 3])
        #expect(data.value == Data([1, 2, 3]))
        #expect(MutableService(uuid: "FFF0").name == "Unknown" && MutableCharacteristic(UUID: "FFF1").name == "Unknown")
        #expect(MutableCharacteristic.withProfiles(profile.characteristics, cbCharacteristics: []).count == 3)
    }

    @Test(
        "Whether a characteristic notifies",
        arguments: [
            (.notify, true), (.indicate, true), (.notifyEncryptionRequired, true), (.indicateEncryptionRequired, true),
            ([.read, .write, .writeWithoutResponse], false),
        ] as [(CBCharacteristicProperties, Bool)]
    )
    func canNotify(properties: CBCharacteristicProperties, can: Bool) {
        let one = MutableCharacteristic(UUID: "FFF1", properties: properties, permissions: .readable, value: nil)
        #expect(one.canNotify == can && one.properties == properties)
    }

    @Test("Errors say what the reference's say")
    func texts() {
        #expect(MutableServiceError.unconfigured.localizedDescription == "MutableService has no CBMutableService.")
        #expect(
            [MutableCharacteristicError.unconfigured, .notSerializable, .notifyNotSupported].map(\.localizedDescription)
                == [
                    "Characteristic needs to be added to a PeripheralManager.",
                    "Characteristic string value is not serializable.",
                    "Characteristic notify property not enabled.",
                ]
        )
        #expect(
            PeripheralManagerError.restoreFailed.localizedDescription
                == "PeripheralManager state restoration failed."
        )
    }
}
