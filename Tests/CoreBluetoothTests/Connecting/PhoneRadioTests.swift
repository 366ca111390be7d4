import BluetoothValues
import CoreBluetooth
import Host
import PhoneService
import Phones
import RadioMedium
import Simulation
import Testing
import VirtualTime

/// The last PHY on which data went over the air.
private final class LastPHY: WorldTap {
    private(set) var value: PHY?

    func transmitted(_ transmission: Transmission, by device: DeviceID) {
        if !transmission.channel.isAdvertising { value = transmission.phy }
    }
}

@Suite("A phone's radio")
struct PhoneRadioTests {
    @Test("A phone that has connected asks for LE 2M, as iPhones do", arguments: [true, false])
    func asksForLE2M(wanted: Bool) throws {
        let world = World(seed: 1)
        let tap = LastPHY()
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
        #expect(tap.value == (wanted ? .le2M : .le1M))
    }
}
