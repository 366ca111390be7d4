import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

/// What the page about the peripheral manager says is written here as it is there, in its names.
@Suite("The code of the page about the peripheral manager", .air(forbidsMisuse: true))
struct PageNamesTests {
    let air = Air.current
    private let manager = PeripheralManager()
    private let dataCharacteristic = MutableCharacteristic(
        profile: RawArrayCharacteristicProfile<TISensorTag.AccelerometerService.Data>()
    )
    private let enabledCharacteristic = MutableCharacteristic(
        profile: RawCharacteristicProfile<TISensorTag.AccelerometerService.Enabled>()
    )

    /// Adds the service and advertises it.
    private func publish() throws {
        let service = MutableService(uuid: TISensorTag.AccelerometerService.uuid)
        service.characteristics = [dataCharacteristic, enabledCharacteristic]
        let manager = manager
        let started = manager.whenStateChanges()
            .withFilter { $0 == .poweredOn }
            .flatMap { _ in manager.add(service) }
            .flatMap { _ in
                manager.startAdvertising(
                    TISensorTag.AccelerometerService.name,
                    uuids: [CBUUID(string: TISensorTag.AccelerometerService.uuid)]
                )
            }
            .first
        try air.value(of: started)
    }

    @Test("TISensorTag and Serde: a value is set, and read by a central")
    func setting() throws {
        try publish()
        dataCharacteristic.value = Serde.serialize(TISensorTag.AccelerometerService.Data(x: 1.0, y: 0.5, z: -1.5)!)
        let central = NearbyCentral()
        try central.connect()
        #expect(try central.read(TISensorTag.AccelerometerService.Data.uuid) == Data([0xC0, 0xE0, 0xA0]))
        let enabled: TISensorTag.AccelerometerService.Enabled? = Serde.deserialize(Data([1]))
        #expect(enabled == .yes)
    }

    @Test("characteristic.updateValue: a subscriber is told; before the service is added it is not done")
    func updating() throws {
        let characteristic = dataCharacteristic
        #expect(!characteristic.updateValue(TISensorTag.AccelerometerService.Data(x: 0.5, y: 0, z: 1)!))
        try publish()
        let central = NearbyCentral()
        try central.connect()
        try central.subscribe(TISensorTag.AccelerometerService.Data.uuid)
        characteristic.updateValue(TISensorTag.AccelerometerService.Data(x: 0.5, y: 0, z: 1)!)
        characteristic.updateValue(withString: ["xRaw": "1", "yRaw": "2", "zRaw": "3"])
        characteristic.updateValue(withData: Data([4, 5, 6]))
        air.run(for: .seconds(1))
        let received = central.received(TISensorTag.AccelerometerService.Data.uuid)
        #expect(received == [[0xE0, 0x00, 0x40], [1, 2, 3], [4, 5, 6]])
        #expect(!characteristic.updateValue(withString: ["colour": "red"]))
        // The switch of a SensorTag notifies nobody.
        #expect(!enabledCharacteristic.updateValue(TISensorTag.AccelerometerService.Enabled.yes))
    }

    @Test("stopProcessingWriteRequests: writes are answered before it, and refused after it")
    func writing() throws {
        try publish()
        let characteristic = enabledCharacteristic
        characteristic.startRespondingToWriteRequests(capacity: 2).onSuccess { request, _ in
            if let value = request.value, value.count == 1 {
                characteristic.value = value
                characteristic.respondToRequest(request, withResult: CBATTError.Success)
            } else {
                characteristic.respondToRequest(request, withResult: CBATTError.InvalidAttributeValueLength)
            }
        }
        let central = NearbyCentral()
        try central.connect()
        let uuid = TISensorTag.AccelerometerService.Enabled.uuid
        try central.write([1], to: uuid)
        #expect(characteristic.value == Data([1]))
        #expect(try central.refusal { try central.write([1, 2], to: uuid) } == .invalidAttributeValueLength)
        characteristic.stopProcessingWriteRequests()
        #expect(try central.refusal { try central.write([0], to: uuid) } == .requestNotSupported)
        #expect(characteristic.value == Data([1]))
    }

    @Test("Each form of value can be updated by the page's name")
    func forms() {
        let characteristic = MutableCharacteristic(UUID: "FFF1")
        #expect(!characteristic.updateValue(UInt16(1)))
        #expect(!characteristic.updateValue(OneNumber(rawValue: 1)!))
        #expect(!characteristic.updateValue(SomeNumbers(rawValue: [1, 2])!))
        #expect(!characteristic.updateValue(TwoNumbers(rawValue1: 1, rawValue2: 2)!))
        #expect(!characteristic.updateValue(TwoLists(rawValue1: [1], rawValue2: [2])!))
    }
}
