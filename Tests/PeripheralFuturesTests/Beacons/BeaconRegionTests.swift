import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Beacon regions", .air)
struct BeaconRegionTests {
    private let uuid = UUID(uuidString: "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5")!
    private let bytes: [UInt8] = [
        0x5A, 0x4B, 0xCF, 0xCE, 0x17, 0x4E, 0x4B, 0xAC, 0xA8, 0x14, 0x09, 0x2E, 0x77, 0xF6, 0xB7, 0xE5,
    ]

    private func data(_ region: BeaconRegion, _ power: Int? = nil) -> [UInt8]? {
        let dictionary = region.peripheralDataWithMeasuredPower(power)
        #expect(dictionary.count == 1)
        return (dictionary["kCBAdvDataAppleBeaconKey"] as? Data).map { Array($0) }
    }

    @Test("A region says a group, a part of it, or one beacon")
    func members() {
        let group = BeaconRegion(proximityUUID: uuid, identifier: "group")
        #expect(group.proximityUUID == uuid && group.major == nil && group.minor == nil)
        #expect(group.identifier == "group" && group.notifyEntryStateOnDisplay && group.beacons.isEmpty)
        #expect(group.notifyOnEntry && group.notifyOnExit)
        group.notifyOnExit = false
        group.notifyEntryStateOnDisplay = false
        #expect(!group.notifyOnExit && !group.notifyEntryStateOnDisplay)
        let part = BeaconRegion(proximityUUID: uuid, identifier: "part", major: 7, capacity: 10)
        #expect(part.major == 7 && part.minor == nil)
        let one = BeaconRegion(proximityUUID: uuid, identifier: "one", major: 7, minor: 65_535)
        #expect(one.major == 7 && one.minor == 65_535)
        let other = BeaconRegion(region: CLBeaconRegion(uuid: uuid, major: 1, minor: 2, identifier: "other"))
        #expect(other.identifier == "other" && other.minor == 2 && other.notifyEntryStateOnDisplay)
        #expect(other.regionPromise.stream.count == 0)
    }

    @Test("What is advertised: the UUID, major and minor with their most significant byte first, and the power")
    func peripheralData() {
        let one = BeaconRegion(proximityUUID: uuid, identifier: "one", major: 7, minor: 0x0102)
        #expect(data(one) == bytes + [0, 7, 1, 2, 0xC5])
        #expect(data(one, -65) == bytes + [0, 7, 1, 2, 0xBF])
        #expect(data(one, 4) == bytes + [0, 7, 1, 2, 4])
        #expect(data(BeaconRegion(proximityUUID: uuid, identifier: "all")) == bytes + [0, 0, 0, 0, 0xC5])
        // Nothing stops the process.
        #expect(data(one, 1_000)?.last == 127 && data(one, .min)?.last == 128)
    }

    @Test("Advertised, it is an iBeacon on the air, byte for byte, until it is stopped")
    func onTheAir() throws {
        let air = Air.current
        let manager = PeripheralManager()
        try air.run(until: manager.poweredOn)
        let region = BeaconRegion(proximityUUID: uuid, identifier: "one", major: 7, minor: 0x0102)
        try air.value(of: manager.startAdvertising(region))
        let central = NearbyCentral()
        let heard = try #require(try central.scan()?[CBAdvertisementDataManufacturerDataKey] as? Data)
        #expect(Array(heard) == [0x4C, 0x00, 0x02, 0x15] + bytes + [0, 7, 1, 2, 0xC5])
        #expect(air.misuse.isEmpty)
        air.app.enterBackground()
        air.run(for: .seconds(1))
        #expect(try central.scan() == nil)
        air.app.enterForeground()
        air.run(for: .seconds(1))
        #expect(try central.scan() != nil)
        try air.value(of: manager.stopAdvertising())
        #expect(try central.scan() == nil)
    }

    @Test("How near a beacon is has a word")
    func proximity() {
        #expect(
            [CLProximity.unknown, .immediate, .near, .far].map(\.stringValue) == [
                "Unknown", "Immediate", "Near", "Far",
            ]
        )
    }
}
