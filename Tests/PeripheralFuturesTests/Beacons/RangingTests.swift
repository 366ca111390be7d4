import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

@Suite("Hearing beacons", .air(forbidsMisuse: true))
struct RangingTests {
    let air = Air.current
    private let uuid = UUID(uuidString: "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5")!

    @Test(
        "Beacons of a region are ranged once a second, the nearest first, and gone ten seconds after they fell silent"
    )
    func ranging() throws {
        let near = air.add(SimulatedPeripheral.iBeacon(uuid: uuid, major: 1, minor: 1), at: .metres(1))
        let far = air.add(SimulatedPeripheral.iBeacon(uuid: uuid, major: 1, minor: 2), at: .metres(20))
        air.add(SimulatedPeripheral.iBeacon(uuid: uuid, major: 2, minor: 3), at: .near)
        air.add(SimulatedPeripheral.iBeacon(uuid: UUID(), major: 1, minor: 4), at: .near)
        let manager = BeaconManager()
        let region = BeaconRegion(proximityUUID: uuid, identifier: "part", major: 1)
        #expect(!manager.isRanging && manager.isRangingAvailable())
        let stream = manager.startRangingBeacons(in: region)
        #expect(manager.startRangingBeacons(in: region) === stream)
        #expect(manager.isRanging && manager.isRangingRegion(identifier: "part"))
        #expect(manager.beaconRegions.map(\.identifier) == ["part"] && manager.beaconRegion(identifier: "x") == nil)
        air.run(for: .milliseconds(5_500))
        #expect(stream.values.count == 5)
        let last = try #require(stream.values.last)
        #expect(last.map(\.minor) == [1, 2] && last.allSatisfy { $0.major == 1 && $0.proximityUUID == uuid })
        #expect(last[0].proximity != .far && last[1].proximity == .far && last[0].accuracy < last[1].accuracy)
        #expect(last[0].rssi > last[1].rssi && region.beacons == last.sorted { $0.discoveredAt < $1.discoveredAt })
        near.switchOff()
        air.run(for: .seconds(5))
        let without = try #require(stream.values.last)
        #expect(without.map(\.minor) == [2, 1] && without[1].proximity == .unknown && without[1].rssi == 0)
        air.run(for: .seconds(8))
        #expect(stream.values.last?.map(\.minor) == [2])
        far.switchOff()
        manager.stopRangingAllBeacons()
        let count = stream.count
        air.run(for: .seconds(5))
        #expect(stream.count == count && !manager.isRanging)
    }

    @Test("A region is entered when one of its beacons is heard, and left when none was for half a minute")
    func monitoring() throws {
        let beacon = SimulatedPeripheral.iBeacon(uuid: uuid, major: 1, minor: 1)
        let manager = RegionManager()
        let region = BeaconRegion(proximityUUID: uuid, identifier: "home")
        let states = manager.startMonitoring(for: region)
        #expect(manager.isMonitoring && manager.region("home") === region && manager.regions.count == 1)
        air.run(for: .seconds(2))
        #expect(states.values == [.start, .outside])
        air.add(beacon, at: .near)
        air.run(for: .seconds(3))
        #expect(states.values == [.start, .outside, .inside])
        #expect(try air.value(of: manager.requestState(for: region)) == .inside)
        beacon.switchOff()
        air.run(for: .seconds(25))
        #expect(states.values.last == .inside)
        air.run(for: .seconds(10))
        #expect(states.values.last == .outside)
        manager.stopMonitoringAllRegions()
        #expect(!manager.isMonitoring)
        #expect(try air.value(of: manager.requestState(for: region)) == .unknown)
    }

    @Test("A phone that is an iBeacon is ranged by another; Bluetooth off and on changes nothing but for a while")
    func phones() throws {
        let other = air.addPhone(named: "beacon")
        let manager = other.addApp().run { PeripheralManager() }
        try air.run(until: manager.poweredOn)
        let region = BeaconRegion(proximityUUID: uuid, identifier: "door", major: 7, minor: 258)
        try air.value(of: manager.startAdvertising(region))
        let beacons = BeaconManager()
        let stream = beacons.startRangingBeacons(in: region, capacity: 1)
        try air.run(until: stream.values.last?.count == 1)
        air.switchPower(false)
        air.run(for: .seconds(12))
        #expect(stream.values.last?.isEmpty == true)
        air.switchPower(true)
        try air.run(until: stream.values.last?.count == 1)
        #expect(stream.count == 1)
    }

    @Test("What is no iBeacon is not taken for one")
    func others() {
        for bytes in [[0x4C, 0x00, 0x02, 0x15], [0x4C, 0x00, 0x02, 0x15] + [UInt8](repeating: 1, count: 20)] {
            air.add(SimulatedPeripheral.beacon(manufacturerData: Data(bytes)))
        }
        let manager = BeaconManager()
        let stream = manager.startRangingBeacons(in: BeaconRegion(proximityUUID: uuid, identifier: "all"))
        air.run(for: .seconds(3))
        #expect(stream.values == [[], [], []])
    }
}
