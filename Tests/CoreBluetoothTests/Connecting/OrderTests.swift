import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// In which order a peripheral is asked. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("The order of an app's orders")
struct OrderTests {
    private static let services = [
        ServiceDefinition(
            0xAA00,
            characteristics: [
                CharacteristicDefinition(0xAA01, properties: .read, reads: .application),
                CharacteristicDefinition(0xAA02, properties: [.writeWithoutResponse, .write]),
                CharacteristicDefinition(0xAA03, properties: .notify),
                CharacteristicDefinition(0xAA04, properties: .indicate),
            ]
        )
    ]

    private let it: AppScene
    private let peripheral: CBPeripheral
    private var accessory: Accessory { it.accessories[0] }

    init() throws {
        it = AppScene(Accessory(Self.services))
        peripheral = try it.connect()
        it.run(.seconds(2))
    }

    private func write(_ number: Int, _ type: CBCharacteristicWriteType) throws {
        peripheral.writeValue(Data([UInt8(number)]), for: try #require(it.app.characteristic("AA02")), type: type)
    }

    private func read() throws { peripheral.readValue(for: try #require(it.app.characteristic("AA01"))) }

    @Test("The server sees subscriptions, reads and writes of both kinds in the order of the calls [G; O]")
    func calls() throws {
        peripheral.setNotifyValue(true, for: try #require(it.app.characteristic("AA03")))
        peripheral.setNotifyValue(true, for: try #require(it.app.characteristic("AA04")))
        try write(1, .withoutResponse)
        try read()
        try write(2, .withResponse)
        try write(3, .withoutResponse)
        it.run(.seconds(3))
        #expect(
            accessory.asked == [
                "subscribe AA03", "subscribe AA04", "write [1]", "read", "write [2]", "write [3]",
            ]
        )
        #expect(it.app.errors.isEmpty)
    }

    @Test(
        "A write without response waits until a request before it was sent, not until it is answered [G; product decision]"
    )
    func withoutAnswer() throws {
        accessory.answersReads = false
        try read()
        try write(1, .withoutResponse)
        it.run(.seconds(1))
        #expect(accessory.asked == ["read", "write [1]"] && it.app.count("value") == 0)
        // The second read is not sent before the first is answered, and so the write behind it is not, either.
        try read()
        try write(2, .withoutResponse)
        it.run(.seconds(10))
        #expect(accessory.asked == ["read", "write [1]"])
    }

    @Test("A request is not sent before writes without response that were ordered first and found no room [G; O]")
    func fullQueue() throws {
        for number in 0..<60 { try write(number, .withoutResponse) }
        try read()
        for number in 60..<120 { try write(number, .withoutResponse) }
        try write(120, .withResponse)
        it.run(.seconds(20))
        let writes = (0...120).map { "write [\($0)]" }
        #expect(accessory.asked == Array(writes[..<60]) + ["read"] + Array(writes[60...]))
        #expect(it.app.count("written") == 1 && it.app.count("value") == 1)
    }

    @Test("Writes that wait when the connection is lost go with it: no app hears that it may write on [H]")
    func lost() throws {
        accessory.answersReads = false
        try read()
        try read()
        try write(1, .withoutResponse)
        it.run(.seconds(1))
        it.leave()
        try it.wait(for: "disconnected")
        it.run(.seconds(1))
        #expect(it.app.count("ready") == 0)
        #expect(accessory.asked == ["read"])
    }

    @Test("What one app waits for holds up no other app's writes [product decision]")
    func otherApp() throws {
        accessory.answersReads = false
        let other = CentralApp(it.phone.addApp(named: "other").environment)
        it.run(.seconds(1))
        let connected = other.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "AA00")])
        let same = try #require(connected.first)
        other.peripherals.append(same)
        other.manager.connect(same)
        it.run(.seconds(1))
        same.discoverServices(nil)
        it.run(.seconds(3))
        try read()
        try read()
        try write(1, .withoutResponse)
        same.writeValue(Data([2]), for: try #require(other.characteristic("AA02")), type: .withoutResponse)
        it.run(.seconds(5))
        #expect(accessory.asked == ["read", "write [2]"])
    }

    @Test("Who leaves takes along what waits, and the next connection begins without it [H]")
    func leaving() throws {
        accessory.answersReads = false
        try read()
        try read()
        try write(1, .withoutResponse)
        it.run(.seconds(1))
        it.app.manager.cancelPeripheralConnection(peripheral)
        try it.wait(for: "disconnected")
        accessory.answersReads = true
        it.app.manager.connect(peripheral)
        try it.wait(for: "connected", times: 2)
        peripheral.discoverServices(nil)
        try it.wait(for: "characteristics", times: 2)
        try write(2, .withoutResponse)
        it.run(.seconds(3))
        #expect(accessory.asked == ["read", "write [2]"])
    }
}
