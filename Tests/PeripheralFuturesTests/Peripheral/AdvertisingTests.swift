import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Advertising with futures", .air)
struct AdvertisingTests {
    let air = Air.current
    let manager = PeripheralManager()
    let central = NearbyCentral()
    let region = BeaconRegion(
        proximityUUID: UUID(uuidString: "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5")!,
        identifier: "door",
        major: 7,
        minor: 258
    )

    init() throws { try air.run(until: manager.poweredOn) }

    @Test("A name and services are on the air when the future is completed")
    func start() throws {
        try air.value(of: manager.startAdvertising("Tag", uuids: [CBUUID(string: "FFF0")]))
        #expect(manager.isAdvertising)
        let heard = try #require(try central.scan())
        #expect(heard[CBAdvertisementDataLocalNameKey] as? String == "Tag")
        #expect(heard[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "FFF0")])
    }

    @Test(
        "While a start is under way its future is returned; once it advertises, a call fails, in the reference's words"
    )
    func promiseReuse() throws {
        let first = manager.startAdvertising("Tag")
        #expect(manager.startAdvertising("Other") === first)
        try air.value(of: first)
        let third = manager.startAdvertising("Tag")
        #expect(throws: PeripheralManagerError.isAdvertising) { try air.value(of: third) }
        #expect(PeripheralManagerError.isAdvertising.localizedDescription == "PeripheralManager is advertising.")
        #expect(try central.scan()?[CBAdvertisementDataLocalNameKey] as? String == "Tag")
    }

    @Test("An iBeacon that cannot be begun, since the manager advertises, does not stand in the way of the next")
    func beaconWhileAdvertising() throws {
        try air.value(of: manager.startAdvertising("Tag"))
        #expect(throws: PeripheralManagerError.isAdvertising) { try air.value(of: manager.startAdvertising(region)) }
        #expect(throws: PeripheralManagerError.isAdvertising) { try air.value(of: manager.startAdvertising(region)) }
        try air.value(of: manager.stopAdvertising())
        try air.value(of: manager.startAdvertising(region))
        #expect(manager.isAdvertising)
    }

    @Test("A name and an iBeacon that are begun at once have a future each: the second fails as CoreBluetooth says")
    func both() throws {
        let name = manager.startAdvertising("Tag")
        let beacon = manager.startAdvertising(region)
        #expect(name !== beacon && manager.startAdvertising(region) === beacon)
        try air.value(of: name)
        let error = #expect(throws: CBError.self) { try air.value(of: beacon) }
        #expect(error?.code == .alreadyAdvertising)
    }

    @Test("Stopped is what was stopped, at once; and what did not advertise")
    func stop() throws {
        #expect(manager.stopAdvertising().completed)
        try air.value(of: manager.startAdvertising("Tag"))
        let stop = manager.stopAdvertising()
        try air.value(of: stop)
        #expect(!manager.isAdvertising)
        #expect(try central.scan() == nil)
        try air.value(of: manager.startAdvertising("Tag"))
        #expect(manager.isAdvertising)
    }

    @Test("What cannot be stopped is looked at every quarter of a second, and given up half a second after the timeout")
    func stopTimeout() throws {
        try air.value(of: manager.startAdvertising("Tag"))
        // While Bluetooth is off CoreBluetooth takes no commands: advertising waits for it.
        air.switchPower(false)
        air.run(for: .seconds(1))
        let begin = air.now
        let stop = manager.stopAdvertising(timeout: 1)
        #expect(manager.stopAdvertising(timeout: 5) === stop)
        air.run(for: .milliseconds(1_400))
        #expect(!stop.completed)
        #expect(throws: PeripheralManagerError.stopAdvertisingTimeout) { try air.value(of: stop) }
        #expect(air.now - begin == .milliseconds(1_500))
        #expect(
            PeripheralManagerError.stopAdvertisingTimeout.localizedDescription
                == "PeripheralManager stopAdvertising timeout."
        )
    }

    @Test("What stops meanwhile is found within a quarter of a second; a wait without end is none for the process")
    func stopLater() throws {
        try air.value(of: manager.startAdvertising("Tag"))
        air.switchPower(false)
        air.run(for: .seconds(1))
        let stop = manager.stopAdvertising(timeout: .infinity)
        air.run(for: .seconds(100))
        #expect(!stop.completed)
        air.app.authorization = .denied
        try air.run(until: !manager.isAdvertising)
        let begin = air.now
        try air.value(of: stop)
        #expect(air.now - begin <= .milliseconds(250))
    }

    @Test("Timeouts that are no times stop nothing", arguments: [-1, Double.nan, -Double.infinity, 0])
    func strangeTimeouts(timeout: Double) throws {
        try air.value(of: manager.startAdvertising("Tag"))
        air.switchPower(false)
        air.run(for: .seconds(1))
        #expect(throws: PeripheralManagerError.stopAdvertisingTimeout) {
            try air.value(of: manager.stopAdvertising(timeout: timeout), within: .seconds(1))
        }
    }
}
