import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("What apps off the screen advertise")
struct BackgroundAdvertisingTests {
    private static let flags: [UInt8] = [2, 1, 0x1A]
    private static let long = "2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6"

    private func scene(_ modes: BackgroundModes, settings: PhoneSettings = PhoneSettings()) -> (LifeScene, CentralProbe)
    {
        let it = LifeScene(modes: modes, publisher: "", settings: settings)
        return (it, CentralProbe(in: it.world))
    }

    private func advertise(_ app: PhoneApp, _ name: String?, _ services: String...) throws {
        var data: [String: Any] = [CBAdvertisementDataServiceUUIDsKey: services.map { CBUUID(string: $0) }]
        data[CBAdvertisementDataLocalNameKey] = name
        try #require(app.root(as: LivingApp.self)).publisher.startAdvertising(data)
    }

    /// The AD structure with these bits, as bytes of the mask.
    private func mask(_ bytes: [Int: UInt8]) -> [UInt8] {
        var mask = [UInt8](repeating: 0, count: 16)
        for (index, byte) in bytes { mask[index] = byte }
        return [0x14, 0xFF, 0x4C, 0x00, 0x01] + mask
    }

    @Test(
        "All services move to the overflow area and the name is gone, as in a capture of an iPhone; back on the screen it is as before"
    )
    func moved() throws {
        let (it, probe) = scene(.bluetoothPeripheral)
        try advertise(it.app, "Fred", Self.long)
        it.run(.seconds(1))
        let before = try probe.scan()
        #expect(before.advertisement.prefix(5) == [2, 1, 0x1A, 17, 7])
        it.app.enterBackground()
        var air = try probe.scan()
        #expect(air.advertisement == Self.flags + mask([10: 0x08]) && air.scanResponse.isEmpty)
        it.run(.seconds(10))
        #expect(it.app.state == .suspended)
        air = try probe.scan()
        #expect(air.advertisement == Self.flags + mask([10: 0x08]))
        it.app.enterForeground()
        air = try probe.scan()
        #expect(air == before)
        #expect(try it.live.heard == ["publisher 5", "advertising"])
    }

    @Test("What was advertised before the controller failed is not what is sent in the background after that")
    func afterReset() throws {
        var settings = PhoneSettings()
        settings.systemVersion = 16
        let (it, probe) = scene(.bluetoothPeripheral, settings: settings)
        try advertise(it.app, nil, "FFE0")
        it.run(.seconds(1))
        it.app.enterBackground()
        let before = try probe.scan().advertisement
        // HCI_Hardware_Error. Core 6.0, Vol 4, Part E, 7.7.16.
        it.world.receive(hci: [0x04, 0x10, 0x01, 0x00], for: it.phone.device)
        it.run(.seconds(1))
        try advertise(it.app, nil, Self.long)
        it.run(.seconds(1))
        #expect(try it.live.heard.suffix(3) == ["publisher 1", "publisher 5", "advertising"])
        #expect(
            try probe.scan().advertisement == Self.flags + mask([10: 0x08]) && before != Self.flags + mask([10: 0x08])
        )
    }

    @Test(
        "Off the screen about one advertisement a second is sent, on it six; one app on the screen is enough for that"
    )
    func slower() throws {
        let (it, probe) = scene(.bluetoothPeripheral)
        try advertise(it.app, nil, "FFE0")
        it.run(.seconds(1))
        func count() throws -> Int {
            try probe.heard(from: it.phone.device, for: .seconds(20)).count { $0.kind != .scanResponse }
        }
        #expect((100...135).contains(try count()))
        it.app.enterBackground()
        #expect((15...20).contains(try count()))
        let other = it.phone.install(named: "other") { _ in LivingApp(publisher: "") }
        other.launch()
        it.run(.seconds(1))
        try advertise(other, nil, "FFA0")
        #expect((100...135).contains(try count()))
    }

    @Test("Without bluetooth-peripheral nothing is advertised off the screen, and the developer is told [H]")
    func withoutMode() throws {
        let (it, probe) = scene(.bluetoothCentral)
        try advertise(it.app, "Fred", "FFE0")
        it.run(.seconds(1))
        it.app.enterBackground()
        #expect(try !probe.hears(it.phone.device))
        #expect(it.app.misuse.count == 1)
        #expect(it.app.misuse.first?.sentence.contains("\"bluetooth-peripheral\"") == true)
        it.app.enterForeground()
        #expect(try probe.scan().advertisement.count > 3)
    }

    @Test("Apps off the screen share one mask, the OR of their bits")
    func shared() throws {
        let (it, probe) = scene(.bluetoothPeripheral)
        let other = it.phone.install(named: "other", backgroundModes: .bluetoothPeripheral) { _ in
            LivingApp(publisher: "")
        }
        other.launch()
        it.run(.seconds(1))
        try advertise(it.app, nil, Self.long, "C007")
        try advertise(other, "Name", "1001")
        it.run(.seconds(1))
        it.app.enterBackground()
        other.enterBackground()
        #expect(try probe.scan().advertisement == Self.flags + mask([10: 0x08, 4: 0x10, 7: 0x02]))
        it.app.forceQuit()
        #expect(try probe.scan().advertisement == Self.flags + mask([7: 0x02]))
    }

    @Test(
        "What an app on the screen advertises stands in the advertisement, that of one off it in the overflow area behind"
    )
    func mixed() throws {
        let (it, probe) = scene(.bluetoothPeripheral)
        try advertise(it.app, "Hidden", "C007")
        let other = it.phone.install(named: "other") { _ in LivingApp(publisher: "") }
        other.launch()
        it.run(.seconds(1))
        try advertise(other, "Fred", "FFE0")
        it.run(.seconds(1))
        it.app.enterBackground()
        let air = try probe.scan()
        #expect(air.advertisement == Self.flags + [3, 3, 0xE0, 0xFF, 5, 9] + Array("Fred".utf8))
        #expect(air.scanResponse == mask([4: 0x10]))
    }

    @Test("A mask without a bit cannot be sent: an app off the screen that advertises only a name is not on the air")
    func nameOnly() throws {
        let (it, probe) = scene(.bluetoothPeripheral)
        try advertise(it.app, "Fred")
        it.run(.seconds(1))
        it.app.enterBackground()
        #expect(try !probe.hears(it.phone.device))
    }

    @Test(
        "Up to iOS 13 an app off the screen changes what it advertises, from 14 on the change waits for the screen",
        arguments: [13, 14, 18]
    )
    func rotation(version: Int) throws {
        var settings = PhoneSettings()
        settings.systemVersion = version
        let (it, probe) = scene(.bluetoothPeripheral, settings: settings)
        try advertise(it.app, nil, "C007")
        it.run(.seconds(1))
        it.app.enterBackground()
        #expect(try probe.scan().advertisement == Self.flags + mask([4: 0x10]))
        try it.live.publisher.stopAdvertising()
        try advertise(it.app, nil, "1001")
        it.run(.seconds(1))
        #expect(try it.live.count("advertising") == 2)
        #expect(try probe.scan().advertisement == Self.flags + (version < 14 ? mask([7: 0x02]) : mask([4: 0x10])))
        it.app.enterForeground()
        #expect(try probe.scan().advertisement == Self.flags + [3, 3, 0x01, 0x10])
        it.app.enterBackground()
        #expect(try probe.scan().advertisement == Self.flags + mask([7: 0x02]))
        try it.live.publisher.stopAdvertising()
        it.run(.seconds(1))
        #expect(try !probe.hears(it.phone.device), "to stop is possible in all versions")
    }

    @Test("Off the screen without bluetooth-peripheral the system refuses what the app would have to answer [H; G]")
    func dynamicAccess() throws {
        for modes in [BackgroundModes(), .bluetoothPeripheral] {
            let (it, probe) = scene(modes)
            try it.live.publisher.add(
                CBMutableService(
                    "FFE0",
                    [
                        CBMutableCharacteristic("FFE1", [.read, .write], [.readable, .writeable]),
                        CBMutableCharacteristic("FFE2", .read, .readable, value: Data([9])),
                    ]
                )
            )
            try it.live.publisher.startAdvertising(nil)
            it.run(.seconds(1))
            try probe.connect(to: it.phone.device)
            let service = try #require(try probe.database().service(0xFFE0))
            let dynamic = try #require(service.characteristic(0xFFE1))
            #expect(try probe.read(dynamic) == .value([7]))
            it.app.suspend()
            let isAllowed = modes.contains(.bluetoothPeripheral)
            let read = try probe.read(dynamic)
            #expect((read == .value([7])) == isAllowed)
            if !isAllowed {
                guard case .failed(.refused(.unlikelyError, _, _)) = read else {
                    Issue.record("not refused: \(String(describing: read))")
                    continue
                }
            }
            #expect((try probe.write([1], dynamic) == .written) == isAllowed)
            #expect(try probe.read(try #require(service.characteristic(0xFFE2))) == .value([9]))
            #expect(it.app.state == (isAllowed ? .background : .suspended))
        }
    }
}
