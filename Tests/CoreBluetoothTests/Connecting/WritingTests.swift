import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// What is written. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("How an app writes")
struct WritingTests {
    @Test("A write without response takes 20 bytes at first, and more once the MTU was exchanged [W13; O]")
    func growing() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        try it.scan()
        let peripheral = try #require(it.app.peripheral)
        it.app.manager.connect(peripheral)
        try it.wait(for: "connected")
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 20)
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
        it.run(.seconds(1))
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 512)
    }

    @Test("With a response there is exactly one callback, without there is none [H; D]")
    func callbacks() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        let peripheral = try it.connect()
        let value = try #require(it.app.characteristic("AA02"))
        peripheral.writeValue(Data([1]), for: value, type: .withResponse)
        peripheral.writeValue(Data([2]), for: value, type: .withoutResponse)
        it.run(.seconds(5))
        #expect(it.app.count("written") == 1 && it.app.errors.isEmpty)
        #expect(Set(it.accessories[0].written) == [[1], [2]])
    }

    @Test("Data is what it was when it was handed over [D]")
    func copied() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        let peripheral = try it.connect()
        let data = NSMutableData(bytes: [1, 2] as [UInt8], length: 2)
        peripheral.writeValue(data as Data, for: try #require(it.app.characteristic("AA02")), type: .withResponse)
        data.setData(Data([9, 9]))
        try it.wait(for: "written")
        #expect(it.accessories[0].written == [[1, 2]])
    }

    @Test("Whether a type of write is offered is left to the peer, and the developer is told [product decision]")
    func otherType() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        let peripheral = try it.connect()
        let value = try #require(it.app.characteristic("AA01"))
        #expect(!value.properties.contains(.writeWithoutResponse))
        peripheral.writeValue(Data([7]), for: value, type: .withoutResponse)
        it.run(.seconds(1))
        #expect(it.accessories[0].written == [[7]])
        #expect(it.phone.service.misuse.map(\.kind) == [.responselessWriteNotOffered])
    }

    @Test(
        "Writing though canSendWriteWithoutResponse said no is best effort: here it only waits [W17; product decision]"
    )
    func bestEffort() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        let peripheral = try it.connect()
        let value = try #require(it.app.characteristic("AA02"))
        for number in 0..<40 { peripheral.writeValue(Data([UInt8(number)]), for: value, type: .withoutResponse) }
        #expect(!peripheral.canSendWriteWithoutResponse)
        it.run(.seconds(5))
        #expect(it.accessories[0].written == (0..<40).map { [$0] })
        #expect(it.app.count("ready") == 1 && peripheral.canSendWriteWithoutResponse)
    }

    @Test("Who never asks whether it can write hears once when all its writes have left [O; M]")
    func drained() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        let peripheral = try it.connect()
        let value = try #require(it.app.characteristic("AA02"))
        for round in 1...3 {
            for number in 0..<5 { peripheral.writeValue(Data([UInt8(number)]), for: value, type: .withoutResponse) }
            it.run(.seconds(2))
            #expect(it.app.count("ready") == round)
        }
        peripheral.writeValue(Data([5]), for: value, type: .withResponse)
        it.run(.seconds(2))
        #expect(it.app.count("ready") == 3, "a write with a response has its own callback")
    }

    @Test("An app that sends one chunk for each call that it is ready moves 64 KiB [O]")
    func chunkPerCall() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        let peripheral = try it.connect()
        it.run(.seconds(1))
        let value = try #require(it.app.characteristic("AA02"))
        let length = peripheral.maximumWriteValueLength(for: .withoutResponse)
        var rest = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 * 31) }
        let all = rest
        it.app.onReady = { peripheral in
            guard !rest.isEmpty else { return }
            peripheral.writeValue(Data(rest.prefix(length)), for: value, type: .withoutResponse)
            rest.removeFirst(min(length, rest.count))
        }
        it.app.onReady?(peripheral)
        it.run(.seconds(60))
        #expect(it.accessories[0].written.flatMap(\.self) == all)
    }

    @Test("To the letter of Apple's header only who was refused hears that it can write again [H]")
    func strict() throws {
        var settings = PhoneSettings()
        settings.writeReadiness = .afterRefusal
        let it = AppScene(settings: settings, Accessory(AttributeTests.services))
        let peripheral = try it.connect()
        let value = try #require(it.app.characteristic("AA02"))
        for number in 0..<5 { peripheral.writeValue(Data([UInt8(number)]), for: value, type: .withoutResponse) }
        it.run(.seconds(2))
        #expect(it.accessories[0].written.count == 5 && it.app.count("ready") == 0)
        for number in 0..<40 { peripheral.writeValue(Data([UInt8(number)]), for: value, type: .withoutResponse) }
        #expect(!peripheral.canSendWriteWithoutResponse)
        it.run(.seconds(5))
        #expect(it.accessories[0].written.count == 45 && it.app.count("ready") == 1)
    }

    @Test("A write that is longer than the connection takes is dropped, and the developer is told [product decision]")
    func tooLong() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        let peripheral = try it.connect()
        let length = peripheral.maximumWriteValueLength(for: .withoutResponse)
        let value = try #require(it.app.characteristic("AA02"))
        peripheral.writeValue(Data(count: length + 1), for: value, type: .withoutResponse)
        it.run(.seconds(1))
        #expect(it.accessories[0].written.isEmpty)
        #expect(it.phone.service.misuse.last?.sentence.contains("longer than the connection allows") == true)
    }

    @Test("A descriptor is written like a value, and refused like one [H; G]")
    func descriptor() throws {
        let it = AppScene(
            Accessory([
                ServiceDefinition(
                    0xAA00,
                    characteristics: [
                        CharacteristicDefinition(
                            0xAA01,
                            properties: .read,
                            value: [1],
                            descriptors: [
                                DescriptorDefinition(.userDescription("A", permissions: .readWrite)),
                                DescriptorDefinition(.other(0xAAD0, value: [1])),
                            ]
                        )
                    ]
                )
            ])
        )
        let peripheral = try it.connect()
        let value = try #require(it.app.characteristic("AA01"))
        peripheral.discoverDescriptors(for: value)
        try it.wait(for: "descriptors")
        let descriptors = try #require(value.descriptors)
        peripheral.writeValue(Data("B".utf8), for: descriptors[0])
        try it.wait(for: "descriptor written")
        peripheral.readValue(for: descriptors[0])
        try it.wait(for: "descriptor B")
        peripheral.writeValue(Data([2]), for: descriptors[1])
        try it.wait(for: "descriptor written failed")
        #expect((it.app.errors.last as? CBATTError)?.code == .writeNotPermitted)
    }

    @Test("The strength of a connection is read again and again, and kept in the older property, too [D]")
    func strength() throws {
        let it = AppScene(Accessory())
        let peripheral = try it.connect()
        peripheral.readRSSI()
        peripheral.readRSSI()
        try it.wait(for: "strength", times: 2)
        #expect(OlderNames.rssi(of: peripheral) == it.app.strengths.last)
        it.app.manager.cancelPeripheralConnection(peripheral)
        try it.wait(for: "disconnected")
        #expect(OlderNames.rssi(of: peripheral) == nil)
    }
}

/// Reads what Apple has deprecated, without being warned of it.
private protocol OlderNaming {
    static func rssi(of peripheral: CBPeripheral) -> NSNumber?
}

private enum OlderNames {
    static func rssi(of peripheral: CBPeripheral) -> NSNumber? {
        (Older.self as any OlderNaming.Type).rssi(of: peripheral)
    }
}

private enum Older: OlderNaming {
    @available(*, deprecated)
    static func rssi(of peripheral: CBPeripheral) -> NSNumber? { peripheral.rssi }
}
