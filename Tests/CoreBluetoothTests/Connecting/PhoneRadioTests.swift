import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// The last PHY on which data went over the air, and how many frames did.
private final class DataTap: WorldTap {
    private(set) var phy: PHY?
    var count = 0

    func transmitted(_ transmission: Transmission, by device: DeviceID) {
        guard !transmission.channel.isAdvertising else { return }
        phy = transmission.phy
        count += 1
    }
}

@Suite("A phone's radio")
struct PhoneRadioTests {
    @Test("A phone that has connected asks for LE 2M, as iPhones do", arguments: [true, false])
    func asksForLE2M(wanted: Bool) throws {
        let world = World(seed: 1)
        let tap = DataTap()
        world.tap = tap
        var settings = PhoneSettings()
        settings.asksForLE2M = wanted
        let phone = Phone(named: "phone", in: world, settings: settings)
        let app = CentralApp(phone.addApp().environment)
        let accessory = Accessory()
        let device = world.addDevice(named: "accessory", at: .metres(x: 1), application: accessory)
        world.run(for: .seconds(1))
        world.perform(on: device) { accessory.advertise(host: $0, at: $1, into: &$2) }
        app.connectsAtOnce = true
        app.manager.scanForPeripherals(withServices: nil)
        #expect(world.run(for: .seconds(20)) { app.count("connected") == 1 })
        world.run(for: .seconds(2))
        #expect(tap.phy == (wanted ? .le2M : .le1M))
    }

    @Test("Notifications of an app fill 97 % of what LE 2M can carry with an ATT MTU of 247, at the pace of a phone")
    func notifications() throws {
        let scene = try TwoPhones(maximumMTU: 247)
        let value = Data(repeating: 0x5A, count: 244)
        #expect(scene.publisher.centrals.first?.maximumUpdateValueLength == 244)
        let fill = {
            while scene.publisher.manager.updateValue(value, for: scene.characteristic, onSubscribedCentrals: nil) {}
        }
        scene.publisher.ready = fill
        fill()
        scene.world.run(for: .seconds(2))
        let before = scene.app.values.count
        scene.world.run(for: .seconds(20))
        // Of each payload L2CAP takes 4 bytes, and ATT 3.
        let rate = Double(scene.app.values.count - before) / 20
        let share = rate * 251 / Air.limit(is2M: true)
        let valueShare = rate * 244 / Air.limit(is2M: true)
        print(
            "Notifications of an app on LE 2M: payloads \(share * 100) %, values alone \(valueShare * 100) % of the limit"
        )
        #expect((0.97...1).contains(share), "\(share)")
        #expect(scene.app.values.allSatisfy { $0.1 == value })
    }

    @Test(
        "The latency that a peripheral's app wishes for becomes the pace of the connection",
        arguments: [(.low, 15...15), (.medium, 60...90), (.high, 495...510)]
            as [(CBPeripheralManagerConnectionLatency, ClosedRange<Double>)]
    )
    func latency(wanted: CBPeripheralManagerConnectionLatency, milliseconds: ClosedRange<Double>) throws {
        let scene = try TwoPhones()
        #expect(try (29...31).contains(scene.interval()), "30 ms to begin with")
        let central = try #require(scene.publisher.centrals.first)
        // Of several wishes the last counts.
        scene.publisher.manager.setDesiredConnectionLatency(.high, for: central)
        scene.publisher.manager.setDesiredConnectionLatency(.medium, for: central)
        scene.publisher.manager.setDesiredConnectionLatency(wanted, for: central)
        scene.world.run(for: .seconds(20))
        let interval = try scene.interval()
        // How many events there are in a minute is not known better than to one.
        #expect(
            interval > milliseconds.lowerBound * 0.98 && interval < milliseconds.upperBound * 1.02,
            "\(interval) ms"
        )
        #expect(scene.app.count("disconnected") == 0)
    }
}

/// An app on a phone that is subscribed to what an app on another phone publishes; nobody advertises any more.
private struct TwoPhones {
    let world = World(seed: 12)
    let tap = DataTap()
    let characteristic = CBMutableCharacteristic(
        type: CBUUID(string: "FFF2"),
        properties: .notify,
        value: nil,
        permissions: .readable
    )
    let publisher: PublishingApp
    let app: CentralApp

    init(maximumMTU: Int = 517) throws {
        var host = HostConfiguration(seed: 12, device: 0)
        host.maximumATTMTU = maximumMTU
        let publishing = Phone(named: "publisher", in: world, host: host)
        let service = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
        service.characteristics = [characteristic]
        publisher = BluetoothEnvironment.$current.withValue(publishing.addApp().environment) {
            PublishingApp([service], advertising: [CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "FFF0")]])
        }
        let listening = Phone(named: "listener", in: world, at: .metres(x: 1))
        app = CentralApp(listening.addApp().environment)
        app.connectsAtOnce = true
        world.run(for: .seconds(1))
        app.manager.scanForPeripherals(withServices: [CBUUID(string: "FFF0")])
        let (app, publisher) = (app, publisher)
        try #require(world.run(for: .seconds(20)) { app.count("connected") == 1 })
        app.manager.stopScan()
        publisher.manager.stopAdvertising()
        try #require(app.peripheral).discoverServices(nil)
        try #require(world.run(for: .seconds(20)) { app.characteristic("FFF2") != nil })
        try #require(app.peripheral).setNotifyValue(true, for: #require(app.characteristic("FFF2")))
        try #require(world.run(for: .seconds(20)) { !publisher.centrals.isEmpty })
        world.run(for: .seconds(2))
        world.tap = tap
    }

    /// How far apart connection events are in which nobody has anything to say, in milliseconds.
    func interval() throws -> Double {
        tap.count = 0
        world.run(for: .seconds(60))
        try #require(tap.count > 0)
        // Each has a frame of either side.
        return 60_000 / Double(tap.count / 2)
    }
}
