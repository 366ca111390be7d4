import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Characteristics of peripherals", .air)
struct CharacteristicTests {
    @Test("A characteristic says what can be done with it")
    func properties() throws {
        let scene = CentralScene()
        let peripheral = try scene.explore()
        let service = try #require(peripheral.services(withUUID: CBUUID(string: "FFE0"))?.first)
        let (first, second, third) = (
            service.characteristics[0], service.characteristics[1], service.characteristics[2]
        )
        #expect(first.canRead && first.canWrite && !first.canNotify && first.properties == [.read, .write])
        #expect(second.canRead && !second.canWrite && second.canNotify && !second.isNotifying)
        #expect(!third.canRead && third.canWrite && third.propertyEnabled([.writeWithoutResponse, .read]))
        #expect(first.dataValue == nil && first.stringValue == nil && first.stringValues.isEmpty)
    }

    @Test("What was read is there in every form")
    func read() throws {
        let scene = CentralScene()
        let (_, characteristic) = try scene.characteristic("FFE2")
        try scene.finish(characteristic.read())
        #expect(characteristic.dataValue == Data([7, 0]))
        let number: UInt16? = characteristic.value()
        #expect(number == 7)
        #expect(characteristic.stringValue == ["Unknown": "0700"])
        #expect(characteristic.data(fromString: ["Unknown": "0102"]) == Data([1, 2]))
    }

    @Test("Reads are asked one at a time, in their order")
    func readsInOrder() throws {
        let scene = CentralScene()
        let (_, characteristic) = try scene.characteristic("FFE1")
        let before = scene.sensor.readCount(of: "FFE1")
        var order: [Int] = []
        for number in 0..<3 { characteristic.read().onSuccess { order.append(number) } }
        #expect(characteristic.pendingReadCount == 3)
        try scene.air.run(until: order.count == 1)
        #expect(characteristic.pendingReadCount == 2 && scene.sensor.readCount(of: "FFE1") <= before + 2)
        try scene.air.run(until: order == [0, 1, 2])
        #expect(characteristic.pendingReadCount == 0)
    }

    @Test("What cannot be read, written or notified fails at once")
    func notSupported() throws {
        let scene = CentralScene()
        let (peripheral, writable) = try scene.characteristic("FFE3")
        let readable = try #require(peripheral.services(withUUID: CBUUID(string: "FFF0"))?.first?.characteristics.first)
        #expect(writable.read().result?.error as? CharacteristicError == .readNotSupported)
        #expect(readable.write(data: Data()).result?.error as? CharacteristicError == .writeNotSupported)
        #expect(readable.startNotifying().result?.error as? CharacteristicError == .notifyNotSupported)
        #expect(readable.stopNotifying().result?.error as? CharacteristicError == .notifyNotSupported)
        let updates = readable.receiveNotificationUpdates()
        #expect(updates.futures.first?.result?.error as? CharacteristicError == .notifyNotSupported)
    }

    @Test("A read that takes too long fails, and the next is not answered by its late answer")
    func readTimeout() throws {
        let scene = CentralScene()
        let (_, characteristic) = try scene.characteristic("FFE1")
        scene.sensor.responseDelay = .seconds(5)
        let first = characteristic.read(timeout: 2)
        let second = characteristic.read(timeout: 20)
        scene.air.run(for: .milliseconds(1_900))
        #expect(!first.completed)
        scene.air.run(for: .milliseconds(200))
        #expect(first.result?.error as? CharacteristicError == .readTimeout && !second.completed)
        scene.air.run(for: .seconds(4))
        #expect(!second.completed)
        try scene.finish(second)
    }

    @Test("What the peripheral refuses fails with its error")
    func refused() throws {
        let scene = CentralScene()
        let (_, characteristic) = try scene.characteristic("FFE1")
        scene.sensor.refuse("FFE1", with: .insufficientResources)
        let (reading, writing) = (characteristic.read(), characteristic.write(data: Data([1])))
        try scene.air.run(until: reading.completed && writing.completed)
        #expect((reading.result?.error as? CBATTError)?.code == .insufficientResources)
        #expect((writing.result?.error as? CBATTError)?.code == .insufficientResources)
    }

    @Test("Writes are asked one at a time, in their order")
    func writesInOrder() throws {
        let scene = CentralScene()
        let (_, characteristic) = try scene.characteristic("FFE1")
        let writes = (1...3).map { characteristic.write(data: Data([UInt8($0)])) }
        #expect(characteristic.pendingWriteCount == 3)
        try scene.finish(writes[0])
        #expect(scene.sensor.writes(to: "FFE1").count <= 2)
        try scene.finish(writes[2])
        #expect(scene.sensor.writes(to: "FFE1") == [Data([1]), Data([2]), Data([3])])
        #expect(characteristic.pendingWriteCount == 0)
    }

    @Test("Values and texts are written as their types and profiles say")
    func typed() throws {
        let profiles = ProfileManager()
        let profile = ServiceProfile(uuid: "FFE0", name: "Things")
        profile.addCharacteristic(CharacteristicProfile(uuid: "FFE1", name: "Thing"))
        profiles.addService(profile)
        let scene = CentralScene(profileManager: profiles)
        let (_, characteristic) = try scene.characteristic("FFE1")
        try scene.finish(characteristic.write(UInt16(0x0102)))
        try scene.finish(characteristic.write(string: ["Thing": "a1b2"]))
        #expect(scene.sensor.writes(to: "FFE1") == [Data([2, 1]), Data([0xA1, 0xB2])])
        let wrong = characteristic.write(string: ["Other": "a1b2"])
        #expect(wrong.result?.error as? CharacteristicError == .notSerializable)
    }

    @Test("A write that takes too long fails")
    func writeTimeout() throws {
        let scene = CentralScene()
        let (_, characteristic) = try scene.characteristic("FFE1")
        scene.sensor.responseDelay = nil
        let writing = characteristic.write(data: Data([1]), timeout: 3)
        scene.air.run(for: .milliseconds(2_900))
        #expect(!writing.completed)
        scene.air.run(for: .milliseconds(200))
        #expect(writing.result?.error as? CharacteristicError == .writeTimeout)
    }

    @Test("Writes without response have succeeded at once, and none is lost however many there are")
    func commands() throws {
        let scene = CentralScene()
        let (_, characteristic) = try scene.characteristic("FFE3")
        for number in 0..<200 {
            let writing = characteristic.write(UInt8(number), type: .withoutResponse)
            #expect(writing.result?.isSuccess() == true)
        }
        try scene.air.run(until: scene.sensor.writes(to: "FFE3").count == 200)
        #expect(scene.sensor.writes(to: "FFE3") == (0..<200).map { Data([UInt8($0)]) })
    }

    @Test("What is pending fails when the connection ends, and what is asked without one fails at once")
    func disconnection() throws {
        let scene = CentralScene()
        let (peripheral, characteristic) = try scene.characteristic("FFE1")
        let all = peripheral.services.flatMap(\.characteristics)
        let notifying = try #require(all.first { $0.canNotify })
        scene.sensor.responseDelay = nil
        let reads = [characteristic.read(), characteristic.read()]
        let writes = [characteristic.write(data: Data([1])), characteristic.write(data: Data([2]))]
        let subscription = notifying.startNotifying()
        scene.air.run(for: .seconds(1))
        scene.sensor.disconnect()
        try scene.air.run(until: peripheral.state == .disconnected)
        for future in reads + writes + [subscription] {
            #expect(future.result?.error as? PeripheralError == .disconnected)
        }
        #expect(characteristic.pendingReadCount == 0 && characteristic.pendingWriteCount == 0)
        #expect(characteristic.read().result?.error as? PeripheralError == .disconnected)
        #expect(characteristic.write(data: Data()).result?.error as? PeripheralError == .disconnected)
        #expect(notifying.startNotifying().result?.error as? PeripheralError == .disconnected)
    }

    @Test("Notifications are switched on and off, and come in one stream")
    func notifications() throws {
        let scene = CentralScene()
        let (_, characteristic) = try scene.characteristic("FFE2")
        let start = characteristic.startNotifying()
        #expect(characteristic.startNotifying() === start && characteristic.stopNotifying() === start)
        try scene.finish(start)
        #expect(characteristic.isNotifying && scene.sensor.subscriberCount(of: "FFE2") == 1)
        let stream = characteristic.receiveNotificationUpdates()
        #expect(characteristic.receiveNotificationUpdates(capacity: 1) === stream)
        let updates = Record(stream)
        scene.sensor.send([1], of: "FFE2")
        scene.sensor.send([2], of: "FFE2")
        try scene.air.run(until: updates.values == [Data([1]), Data([2])])
        characteristic.stopNotificationUpdates()
        scene.sensor.send([3], of: "FFE2")
        scene.air.run(for: .seconds(1))
        #expect(updates.count == 2 && characteristic.dataValue == Data([3]))
        try scene.finish(characteristic.stopNotifying())
        #expect(!characteristic.isNotifying && scene.sensor.subscriberCount(of: "FFE2") == 0)
    }

    @Test("A stream of updates keeps as many as its capacity")
    func capacity() throws {
        let scene = CentralScene()
        let (_, characteristic) = try scene.characteristic("FFE2")
        let stream = characteristic.receiveNotificationUpdates(capacity: 2)
        try scene.finish(characteristic.startNotifying())
        for value in 1...5 as ClosedRange<UInt8> { scene.sensor.send([value], of: "FFE2") }
        try scene.air.run(until: characteristic.dataValue == Data([5]))
        #expect(stream.count == 2)
        #expect(stream.futures.map { $0.result?.value } == [Data([4]), Data([5])])
    }

    @Test("While it notifies, a value that was read goes to the stream, too, and any value answers the oldest read")
    func readWhileNotifying() throws {
        let scene = CentralScene()
        let (_, characteristic) = try scene.characteristic("FFE2")
        try scene.finish(characteristic.startNotifying())
        let updates = Record(characteristic.receiveNotificationUpdates())
        try scene.finish(characteristic.read())
        scene.air.run(for: .zero)
        #expect(updates.values == [Data([7, 0])])
        scene.sensor.responseDelay = .seconds(5)
        let reading = characteristic.read()
        scene.sensor.send([9], of: "FFE2")
        try scene.finish(reading, within: .seconds(2))
        #expect(characteristic.dataValue == Data([9]))
    }

    @Test("A read that takes too long is no failure of the notifications")
    func timeoutWhileNotifying() throws {
        let scene = CentralScene()
        let (_, characteristic) = try scene.characteristic("FFE2")
        try scene.finish(characteristic.startNotifying())
        let updates = Record(characteristic.receiveNotificationUpdates())
        scene.sensor.responseDelay = nil
        let reading = characteristic.read(timeout: 1)
        scene.air.run(for: .seconds(2))
        #expect(reading.result?.error as? CharacteristicError == .readTimeout && updates.count == 0)
    }
}
