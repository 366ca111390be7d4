import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("What centrals read and write", .air)
struct RequestTests {
    let air = Air.current

    @Test("A read is answered with the value, from its offset on")
    func read() throws {
        let long = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
        let publisher = try Publisher(value: Data([1, 2]))
        let central = try publisher.centralConnects()
        #expect(try central.read("FFF1") == Data([1, 2]))
        // Longer than one packet: the rest is read from an offset.
        publisher.characteristic.value = long
        #expect(try central.read("FFF1") == long)
        publisher.characteristic.value = nil
        #expect(try central.read("FFF1").isEmpty)
    }

    @Test("What was removed from the manager is not there any more for those who know it")
    func unknown() throws {
        let publisher = try Publisher(value: Data([1]))
        let central = try publisher.centralConnects()
        publisher.manager.remove(publisher.service)
        #expect(throws: (any Error).self) { try central.read("FFF1") }
    }

    @Test("Writes are refused until somebody takes them, and again after; the value stays")
    func notResponding() throws {
        let publisher = try Publisher(value: Data([9]))
        let characteristic = publisher.characteristic
        let central = try publisher.centralConnects()
        #expect(try central.refusal { try central.write([1], to: "FFF1") } == .requestNotSupported)
        let requests = characteristic.startRespondingToWriteRequests()
        #expect(characteristic.startRespondingToWriteRequests(capacity: 5) === requests)
        requests.onSuccess { characteristic.respondToRequest($0.request, withResult: .success) }
        try central.write([2], to: "FFF1")
        #expect(characteristic.value == Data([2]))
        characteristic.stopRespondingToWriteRequests()
        #expect(try central.refusal { try central.write([3], to: "FFF1") } == .requestNotSupported)
        #expect(characteristic.value == Data([2]) && requests.count == 1)
        #expect(characteristic.startRespondingToWriteRequests() !== requests)
    }

    @Test("Without a manager the stream holds an error")
    func unconfigured() throws {
        let lonely = MutableCharacteristic(UUID: "FFF1")
        let errors = lonely.startRespondingToWriteRequests().errors
        #expect(errors.first as? MutableCharacteristicError == .unconfigured && errors.count == 1)
    }

    @Test("The value is set before the request is told; a refusal takes it back")
    func refusal() throws {
        let publisher = try Publisher(value: Data([1]))
        let characteristic = publisher.characteristic
        let central = try publisher.centralConnects()
        var seen: [Data?] = []
        characteristic.startRespondingToWriteRequests().onSuccess(context: ImmediateContext()) { request, _ in
            seen += [characteristic.value, request.value]
            let isGood = request.value?.count == 1
            characteristic.respondToRequest(request, withResult: isGood ? .success : .invalidAttributeValueLength)
        }
        #expect(try central.refusal { try central.write([2, 2], to: "FFF1") } == .invalidAttributeValueLength)
        #expect(characteristic.value == Data([1]) && seen == [Data([2, 2]), Data([2, 2])])
        #expect(try central.read("FFF1") == Data([1]))
        try central.write([3], to: "FFF1")
        #expect(characteristic.value == Data([3]))
        #expect(try central.read("FFF1") == Data([3]))
    }

    @Test("What the app has set itself is not taken back")
    func refusalAfterChange() throws {
        let publisher = try Publisher(value: Data([1]))
        let characteristic = publisher.characteristic
        let central = try publisher.centralConnects()
        characteristic.startRespondingToWriteRequests().onSuccess { request, _ in
            characteristic.value = Data([7])
            characteristic.respondToRequest(request, withResult: .writeNotPermitted)
        }
        #expect(try central.refusal { try central.write([2], to: "FFF1") } == .writeNotPermitted)
        #expect(characteristic.value == Data([7]))
    }

    @Test("An answer may come late, and from any code that the app has")
    func late() throws {
        let publisher = try Publisher()
        let characteristic = publisher.characteristic
        let central = try publisher.centralConnects()
        characteristic.startRespondingToWriteRequests().onSuccess { request, _ in
            Queue.main.delay(2) {
                characteristic.respondToRequest(request, withResult: CBATTError.Code(rawValue: 0x81)!)
            }
        }
        let begin = air.now
        #expect(try central.refusal { try central.write([2], to: "FFF1") }?.rawValue == 0x81)
        #expect(air.now - begin >= .seconds(2) && air.misuse.isEmpty)
    }

    @Test("A request says who it is from, whose value it means, and from which byte on")
    func details() throws {
        let publisher = try Publisher()
        let characteristic = publisher.characteristic
        let central = try publisher.centralConnects()
        try central.subscribe("FFF1")
        let requests = characteristic.startRespondingToWriteRequests(capacity: 1)
        requests.onSuccess { characteristic.respondToRequest($0.request, withResult: .success) }
        try central.write([1], to: "FFF1")
        try central.write([2], to: "FFF1")
        let (request, asker) = try #require(requests.values.first)
        #expect(requests.count == 1 && request.value == Data([2]) && request.offset == 0)
        #expect(request.getCharacteristic().uuid == CBUUID(string: "FFF1"))
        #expect(request.getCharacteristic().properties == characteristic.properties)
        #expect(asker.identifier == characteristic.subscribers.first?.identifier)
        #expect(asker.maximumUpdateValueLength > 20)
        publisher.manager.respondToRequest(StandIn(), withResult: .success)
        #expect(air.misuse.isEmpty)
    }

    @Test("A value longer than a packet is written in parts, which are put together and answered once")
    func longWrite() throws {
        let publisher = try Publisher(value: Data([1]))
        let characteristic = publisher.characteristic
        let central = try publisher.centralConnects()
        var parts = 0
        characteristic.startRespondingToWriteRequests().onSuccess { request, _ in
            parts += 1
            characteristic.respondToRequest(request, withResult: .success)
        }
        let long = (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try central.write(long, to: "FFF1")
        #expect(characteristic.value == Data(long) && parts > 0 && air.misuse.isEmpty)
    }

    @Test("Of parts that belong together one that is refused refuses all, and nothing stays")
    func longWriteRefused() throws {
        let publisher = try Publisher(value: Data([1]))
        let characteristic = publisher.characteristic
        let central = try publisher.centralConnects()
        characteristic.startRespondingToWriteRequests().onSuccess { request, _ in
            let isFirst = request.offset == 0 && request.value?.count ?? 0 < 400
            characteristic.respondToRequest(request, withResult: isFirst ? .success : .insufficientResources)
        }
        let long = [UInt8](repeating: 5, count: 400)
        #expect(try central.refusal { try central.write(long, to: "FFF1") } == .insufficientResources)
        #expect(characteristic.value == Data([1]) && air.misuse.isEmpty)
    }

    @Test("Each part of a long write may be answered by itself, also where the first one is refused")
    func longWriteRefusedAltogether() throws {
        var settings = PhoneSettings()
        settings.maximumMTU = 185
        let publisher = try Publisher(value: Data([1])), characteristic = publisher.characteristic
        let central = NearbyCentral(settings: settings)
        try publisher.advertise()
        try central.connect()
        var parts = 0
        characteristic.startRespondingToWriteRequests().onSuccess { request, _ in
            parts += 1
            characteristic.respondToRequest(request, withResult: .invalidAttributeValueLength)
        }
        let long = [UInt8](repeating: 5, count: 400)
        #expect(try central.refusal { try central.write(long, to: "FFF1") } == .invalidAttributeValueLength)
        #expect(parts == 3 && characteristic.value == Data([1]) && air.misuse.isEmpty)
    }

    @Test("Requests that nobody answers do not fill the memory")
    func unanswered() throws {
        let publisher = try Publisher([.read, .writeWithoutResponse])
        let characteristic = publisher.characteristic
        let central = try publisher.centralConnects()
        let requests = characteristic.startRespondingToWriteRequests(capacity: 10)
        let peripheral = try #require(central.peripheral), target = try central.characteristic("FFF1")
        for number in 0..<200 as Range<UInt8> {
            peripheral.writeValue(Data([number]), for: target, type: .withoutResponse)
            air.run(for: .milliseconds(100))
        }
        #expect(requests.count == 10 && characteristic.value == Data([199]))
    }
}

/// A request that did not come from CoreBluetooth.
private final class StandIn: CBATTRequestInjectable, CBCharacteristicInjectable, @unchecked Sendable {
    let offset = 0
    var value: Data?
    let uuid = CBUUID(string: "FFF1")
    let properties: CBCharacteristicProperties = .read
    let isNotifying = false

    func getCharacteristic() -> any CBCharacteristicInjectable { self }
}
