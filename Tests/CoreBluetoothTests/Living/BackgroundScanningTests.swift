import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("What apps off the screen find")
struct BackgroundScanningTests {
    private static let service = [CBUUID(string: "FFE0")]

    @Test("Off the screen services have to be listed: without a list, or with an empty one, nothing is found [H; G]")
    func filter() throws {
        for services in [nil, []] as [[CBUUID]?] {
            let it = LifeScene(modes: .bluetoothCentral, central: "", sender())
            it.app.enterBackground()
            try it.live.central.scanForPeripherals(withServices: services)
            it.run(.seconds(30))
            #expect(try it.live.count("discovered") == 0)
            #expect(
                it.app.misuse.map(\.sentence)
                    == ["your app scans in the background without services: iOS finds nothing"]
            )
            it.app.enterForeground()
            try it.wait(for: "discovered")
        }
        let it = LifeScene(modes: .bluetoothCentral, central: "", sender())
        it.app.suspend()
        it.app.enterForeground()
        it.app.enterBackground()
        try it.live.central.scanForPeripherals(withServices: Self.service)
        try it.wait(for: "discovered")
        #expect(it.app.misuse.isEmpty)
    }

    @Test("Off the screen each peripheral is reported once, whether duplicates are wanted or not [H]")
    func duplicates() throws {
        let it = LifeScene(modes: .bluetoothCentral, central: "", sender())
        try it.live.central.scanForPeripherals(
            withServices: Self.service,
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        )
        it.run(.seconds(3))
        #expect(try it.live.count("discovered") > 10)
        it.app.enterBackground()
        try it.live.forget()
        it.run(.seconds(60))
        #expect(try it.live.heard.isEmpty)
        #expect(it.app.misuse.first?.sentence.contains("duplicates") == true)
        it.app.enterForeground()
        it.run(.seconds(3))
        #expect(try it.live.count("discovered") > 10)
    }

    @Test("A suspended app with bluetooth-central is woken for what its scan finds [G]")
    func woken() throws {
        let it = LifeScene(modes: .bluetoothCentral, central: "", sender(isOnAir: false))
        try it.live.central.scanForPeripherals(withServices: Self.service)
        it.app.suspend()
        it.run(.seconds(5))
        #expect(it.app.state == .suspended)
        it.world.perform(on: it.devices[0]) { host, now, actions in
            it.accessories[0].advertise(host: host, at: now, into: &actions)
        }
        try it.wait(for: "discovered")
        #expect(it.app.state == .background)
    }

    @Test("Without bluetooth-central a scan stops off the screen, and goes on when the app is back [G]")
    func withoutMode() throws {
        let it = LifeScene(central: "", sender())
        it.app.enterBackground()
        try it.live.central.scanForPeripherals(withServices: Self.service)
        it.run(.seconds(4))
        #expect(try it.live.count("discovered") == 0 && it.live.central.isScanning)
        #expect(it.app.misuse.first?.sentence.contains("\"bluetooth-central\"") == true)
        it.run(.seconds(30))
        it.app.enterForeground()
        try it.wait(for: "discovered")
    }

    /// Keeps how the controller of a device was told to scan: interval and window in steps of 0.625 ms.
    private final class ScanWatch: WorldTap {
        let device: DeviceID
        var orders: [[UInt16]] = []

        init(_ device: DeviceID) { self.device = device }

        func hci(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant) {
            guard fromHost, device == self.device, packet.starts(with: [1, 0x0B, 0x20]) else { return }
            orders.append([5, 7].map { UInt16(packet[$0]) | UInt16(packet[$0 + 1]) << 8 })
        }
    }

    @Test("The phone listens less when everybody who scans is off the screen, here for a tenth of the time [H]")
    func pace() throws {
        let it = LifeScene(modes: .bluetoothCentral, central: "", sender())
        let watch = ScanWatch(it.phone.device)
        it.world.tap = watch
        try it.live.central.scanForPeripherals(withServices: Self.service)
        it.run(.seconds(1))
        it.app.enterBackground()
        it.run(.seconds(1))
        let other = it.phone.install(named: "other") { _ in LivingApp(central: "") }
        other.launch()
        it.run(.seconds(1))
        try #require(other.root(as: LivingApp.self)).central.scanForPeripherals(withServices: nil)
        it.run(.seconds(1))
        other.terminate()
        it.run(.seconds(1))
        #expect(watch.orders == [[48, 48], [480, 48], [48, 48], [480, 48]])
    }
}

@Suite("What apps learn from the overflow area")
struct OverflowTests {
    private static let service = [CBUUID(string: "C007")]

    /// A phone whose app advertises C007 in the background, and another one.
    private func scene(_ modes: BackgroundModes = .bluetoothCentral) throws -> LifeScene {
        let it = LifeScene(modes: modes, central: "")
        let other = Phone(named: "other", in: it.world)
        let publisher = other.install(named: "publisher", backgroundModes: [.bluetoothPeripheral, .bluetoothCentral]) {
            _ in
            LivingApp(central: "", publisher: "")
        }
        publisher.launch()
        it.run(.seconds(1))
        try #require(publisher.root(as: LivingApp.self)).publisher.startAdvertising([
            CBAdvertisementDataServiceUUIDsKey: Self.service
        ])
        it.run(.seconds(1))
        publisher.suspend()
        return it
    }

    @Test(
        "Services of the overflow area are reported under the conditions that were observed on iPhones",
        arguments: [
            // On the screen, screen lit, ranging beacons; reported?
            (true, true, false, true), (true, false, false, false), (false, true, false, false),
            (false, true, true, true), (false, false, true, false), (true, true, true, true),
        ]
    )
    func conditions(isOnScreen: Bool, isLit: Bool, ranges: Bool, isReported: Bool) throws {
        let it = try scene()
        it.app.rangesBeacons = ranges
        if !isOnScreen { it.app.enterBackground() }
        it.phone.isScreenOn = isLit
        try it.live.central.scanForPeripherals(withServices: Self.service)
        it.run(.seconds(60))
        let found = try it.live.advertisements
        #expect(found.isEmpty != isReported)
        guard isReported else { return }
        #expect(found[0][CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] == Self.service)
        #expect(found[0][CBAdvertisementDataServiceUUIDsKey] == nil)
        #expect(found[0][CBAdvertisementDataManufacturerDataKey] == nil, "the system keeps the mask to itself")
    }

    @Test(
        "What was heard and not reported is counted, with the rule that hid it",
        arguments: [
            // On the screen, screen lit, ranging beacons, services listed, background mode; by which rule?
            (true, true, false, true, true, nil), (false, true, true, true, true, nil),
            (true, false, false, true, true, .darkScreen), (false, false, true, true, true, .darkScreen),
            (false, true, false, true, true, .bothInBackground), (true, true, false, false, true, .noServicesListed),
        ] as [(Bool, Bool, Bool, Bool, Bool, HiddenReport.Rule?)]
    )
    func hidden(isOnScreen: Bool, isLit: Bool, ranges: Bool, lists: Bool, mode: Bool, rule: HiddenReport.Rule?) throws {
        let it = try scene(mode ? .bluetoothCentral : [])
        it.app.rangesBeacons = ranges
        if !isOnScreen { it.app.enterBackground() }
        it.phone.isScreenOn = isLit
        try it.live.central.scanForPeripherals(withServices: lists ? Self.service : nil)
        it.run(.seconds(60))
        let reports = it.phone.service.hiddenReports
        #expect(reports.map(\.rule) == [rule].compactMap(\.self))
        #expect(reports.allSatisfy { $0.app == it.app.id && $0.count > 1 && $0.time > .zero + .seconds(30) })
    }

    @Test("That an app's scan rests in the background is known if another app's goes on; foreign services hide nothing")
    func hiddenFromOne() throws {
        let it = try scene([])
        try it.live.central.scanForPeripherals(withServices: Self.service)
        let other = it.phone.install(named: "other") { _ in LivingApp(central: "") }
        other.launch()
        it.run(.seconds(1))
        try #require(other.root(as: LivingApp.self)).central.scanForPeripherals(withServices: [CBUUID(string: "FFE0")])
        it.app.enterBackground()
        it.run(.seconds(60))
        #expect(it.phone.service.hiddenReports.map(\.rule) == [.noScan])
        #expect(it.phone.service.hiddenReports.first?.app == it.app.id)
    }

    @Test("Who lists no services finds the phone, and learns of none of them")
    func unlisted() throws {
        let it = try scene()
        try it.live.central.scanForPeripherals(withServices: nil)
        try it.wait(for: "discovered")
        #expect(try it.live.advertisements[0][CBAdvertisementDataOverflowServiceUUIDsKey] == nil)
    }

    @Test("Of several services those are reported whose bits are set, be they meant or not")
    func collisions() throws {
        let it = try scene()
        let listed = ["1001", "C007", "FFE0"].map { CBUUID(string: $0) }
        try it.live.central.scanForPeripherals(withServices: listed)
        try it.wait(for: "discovered")
        #expect(try it.live.advertisements[0][CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] == [listed[1]])
    }

    @Test(
        "Two phones off the screen do not see each other's services; one on the screen sees the other's by their bits"
    )
    func twoPhones() throws {
        let it = LifeScene(modes: [.bluetoothCentral, .bluetoothPeripheral], central: "", publisher: "")
        let other = Phone(named: "other", in: it.world)
        let theirs = other.install(named: "app", backgroundModes: [.bluetoothCentral, .bluetoothPeripheral]) { _ in
            LivingApp(central: "", publisher: "")
        }
        theirs.launch()
        it.run(.seconds(1))
        let both = [try it.live, try #require(theirs.root(as: LivingApp.self))]
        for app in both {
            app.publisher.startAdvertising([CBAdvertisementDataServiceUUIDsKey: Self.service])
        }
        it.run(.seconds(1))
        it.app.enterBackground()
        theirs.enterBackground()
        for app in both { app.central.scanForPeripherals(withServices: Self.service) }
        it.run(.seconds(120))
        #expect(both.allSatisfy { $0.count("discovered") == 0 })
        it.app.enterForeground()
        try it.wait(for: "discovered")
        #expect(both[0].advertisements[0][CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] == Self.service)
        it.run(.seconds(60))
        theirs.enterForeground()
        it.world.run(for: .seconds(10)) { both[1].count("discovered") > 0 }
        #expect(both[1].advertisements.first?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == Self.service)
    }

    @Test("An app that ranges beacons is not suspended")
    func awake() {
        let it = LifeScene(central: "")
        it.app.rangesBeacons = true
        it.app.enterBackground()
        it.run(.seconds(600))
        #expect(it.app.state == .background)
        it.app.rangesBeacons = false
        it.run(.seconds(6))
        #expect(it.app.state == .suspended)
    }
}
