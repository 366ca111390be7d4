import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

/// A phone that takes three updates at a time.
private func narrow() -> PhoneSettings {
    var settings = PhoneSettings()
    settings.updateWindow = 3
    return settings
}

@Suite("Updates that wait", .air(settings: narrow()))
struct UpdateQueueTests {
    let air = Air.current

    private func bytes(_ range: Range<UInt8>) -> [[UInt8]] { range.map { [$0] } }

    private func send(_ range: Range<UInt8>, _ characteristic: MutableCharacteristic) throws {
        for number in range { try characteristic.update(withData: Data([number])) }
    }

    @Test("An update sets the value and is sent to those who have subscribed")
    func update() throws {
        let publisher = try Publisher()
        let characteristic = publisher.characteristic
        let central = try publisher.centralConnects()
        #expect(!characteristic.isUpdating)
        try central.subscribe("FFF1")
        #expect(characteristic.isUpdating && characteristic.subscribers.count == 1)
        try characteristic.update(withData: Data([1, 2]))
        #expect(characteristic.value == Data([1, 2]) && characteristic.pendingUpdates.isEmpty)
        air.run(for: .seconds(1))
        #expect(central.received("FFF1") == [[1, 2]])
    }

    @Test(
        "All updates without subscribers are kept, and sent at the first subscription, oldest first, none lost or twice"
    )
    func firstSubscription() throws {
        let publisher = try Publisher()
        let central = try publisher.centralConnects()
        try send(0..<20, publisher.characteristic)
        #expect(publisher.characteristic.pendingUpdates.count == 20 && publisher.characteristic.value == Data([19]))
        try central.subscribe("FFF1")
        air.run(for: .seconds(3))
        #expect(central.received("FFF1") == bytes(0..<20) && publisher.characteristic.pendingUpdates.isEmpty)
        #expect(publisher.characteristic.isUpdating)
    }

    @Test("What CoreBluetooth has no room for waits, and nothing passes it")
    func refused() throws {
        let publisher = try Publisher()
        let characteristic = publisher.characteristic
        let central = try publisher.centralConnects()
        try central.subscribe("FFF1")
        try send(0..<10, characteristic)
        #expect(!characteristic.isUpdating && characteristic.pendingUpdates.map(Array.init) == bytes(3..<10))
        // There is room for some of them only, again and again, and new ones come meanwhile.
        for number in 10..<40 as Range<UInt8> {
            air.run(for: .milliseconds(7))
            try send(number..<number + 1, characteristic)
        }
        air.run(for: .seconds(3))
        #expect(central.received("FFF1") == bytes(0..<40) && characteristic.pendingUpdates.isEmpty)
    }

    @Test("Several characteristics share the room, and each keeps its order")
    func several() throws {
        let other = MutableCharacteristic(UUID: "FFF2", properties: .notify, permissions: .readable, value: nil)
        let publisher = try Publisher(others: [other])
        let central = try publisher.centralConnects()
        try central.subscribe("FFF1")
        try central.subscribe("FFF2")
        for number in 0..<15 as Range<UInt8> {
            try send(number..<number + 1, publisher.characteristic)
            try send(number..<number + 1, other)
        }
        air.run(for: .seconds(3))
        #expect(central.received("FFF1") == bytes(0..<15) && central.received("FFF2") == bytes(0..<15))
    }

    @Test("Room again says nothing to a characteristic without subscribers: its updates go on waiting")
    func readyWithoutSubscribers() throws {
        let other = MutableCharacteristic(UUID: "FFF2", properties: .notify, permissions: .readable, value: nil)
        let publisher = try Publisher(others: [other])
        let central = try publisher.centralConnects()
        try central.subscribe("FFF1")
        try send(0..<2, other)
        try send(0..<10, publisher.characteristic)
        air.run(for: .seconds(2))
        #expect(publisher.characteristic.pendingUpdates.isEmpty && !other.isUpdating)
        try send(2..<3, other)
        #expect(other.pendingUpdates.map(Array.init) == bytes(0..<3))
        try central.subscribe("FFF2")
        air.run(for: .seconds(1))
        #expect(central.received("FFF2") == bytes(0..<3))
    }

    @Test("Who leaves or disconnects is a subscriber no longer; without any, updates wait")
    func unsubscribing() throws {
        let publisher = try Publisher()
        let characteristic = publisher.characteristic
        let one = try publisher.centralConnects("one")
        let two = try publisher.centralConnects("two")
        try one.subscribe("FFF1")
        try two.subscribe("FFF1")
        #expect(characteristic.subscribers.count == 2)
        try one.subscribe("FFF1", false)
        #expect(characteristic.subscribers.count == 1 && characteristic.isUpdating)
        try send(0..<1, characteristic)
        air.run(for: .seconds(1))
        #expect(one.received("FFF1").isEmpty && two.received("FFF1") == [[0]])
        try two.disconnect()
        #expect(characteristic.subscribers.isEmpty && !characteristic.isUpdating)
        try send(1..<3, characteristic)
        #expect(characteristic.pendingUpdates.map(Array.init) == bytes(1..<3))
        try one.subscribe("FFF1")
        air.run(for: .seconds(1))
        #expect(one.received("FFF1") == bytes(1..<3))
    }

    @Test("A second central hears what is sent from its subscription on, and takes nothing from the first")
    func secondCentral() throws {
        let publisher = try Publisher()
        let one = try publisher.centralConnects("one")
        let two = try publisher.centralConnects("two")
        try one.subscribe("FFF1")
        try send(0..<2, publisher.characteristic)
        air.run(for: .seconds(1))
        try two.subscribe("FFF1")
        try send(2..<12, publisher.characteristic)
        air.run(for: .seconds(3))
        #expect(one.received("FFF1") == bytes(0..<12) && two.received("FFF1") == bytes(2..<12))
    }

    @Test("An update fails where there is no manager, where nobody can be told, and where a text says nothing")
    func errors() throws {
        let lonely = MutableCharacteristic(UUID: "FFF1", properties: .read, permissions: .readable, value: nil)
        // The first of two reasons.
        #expect(throws: MutableCharacteristicError.unconfigured) { try lonely.update(withData: Data([1])) }
        #expect(throws: MutableCharacteristicError.unconfigured) { try lonely.update(UInt8(1)) }
        let publisher = try Publisher([.read, .write])
        #expect(throws: MutableCharacteristicError.notifyNotSupported) {
            try publisher.characteristic.update(withData: Data([1]))
        }
        #expect(throws: MutableCharacteristicError.notSerializable) {
            try publisher.characteristic.update(withString: ["x": "1"])
        }
        #expect(publisher.characteristic.value == nil && publisher.characteristic.pendingUpdates.isEmpty)
    }

    @Test("Typed values of all five kinds and texts are updates")
    func typed() throws {
        let publisher = try Publisher()
        let characteristic = publisher.characteristic
        let central = try publisher.centralConnects()
        try central.subscribe("FFF1")
        try characteristic.update(UInt16(0x0102))
        try characteristic.update(TiSensorTag.AccelerometerService.Enabled.yes)
        try characteristic.update(try #require(TiSensorTag.AccelerometerService.Data(x: 1, y: 0, z: -1)))
        try characteristic.update(try #require(TiSensorTag.BarometerService.Data(rawValue1: 1, rawValue2: 2)))
        try characteristic.update(
            try #require(
                TiSensorTag.BarometerService.Calibration(rawValue1: [1, 2, 3, 4], rawValue2: [5, 6, 7, 8])
            )
        )
        try characteristic.update(withString: ["Unknown": "0aff"])
        air.run(for: .seconds(2))
        #expect(
            central.received("FFF1")
                == [
                    [2, 1], [1], [0xC0, 0, 0xC0], [1, 0, 2, 0], [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0],
                    [0x0A, 0xFF],
                ]
        )
    }

    @Test("The manager's own update goes past the queue, and says whether there was room")
    func raw() throws {
        let publisher = try Publisher()
        let central = try publisher.centralConnects()
        try central.subscribe("FFF1")
        let taken = (0..<5).map {
            publisher.manager.updateValue(Data([$0]), forCharacteristic: publisher.characteristic)
        }
        #expect(taken == [true, true, true, false, false])
        #expect(publisher.characteristic.value == nil && publisher.characteristic.pendingUpdates.isEmpty)
        air.run(for: .seconds(1))
        #expect(central.received("FFF1") == bytes(0..<3))
    }

    @Test("Two hundred updates in bursts arrive each once and in order, whatever is lost on the air", arguments: 1...5)
    func losses(seed: UInt64) throws {
        try withAir(seed: seed) { air in
            air.setLossEverywhere(0.1)
            let publisher = try Publisher()
            let central = try publisher.centralConnects()
            try central.subscribe("FFF1")
            for number in 0..<200 as Range<UInt16> {
                try publisher.characteristic.update(number)
                if number % 7 == 0 { air.run(for: .milliseconds(50)) }
            }
            try air.run(until: central.received("FFF1").count == 200, within: .seconds(60))
            let numbers = central.received("FFF1").map { UInt16($0[0]) | UInt16($0[1]) << 8 }
            #expect(numbers == Array(0..<200))
        }
    }
}
