import BluethroatAppEnvironment
import BluethroatOverflowArea
import BluethroatPhoneService
import BluethroatPhones
import BluethroatTesting
import CoreBluetooth

/// A phone with an app in the overflow area, with what the app says.
final class OverflowPhone<App: AnyObject> {
    let phone: Phone
    let app: PhoneApp
    private(set) var it: App!
    private(set) var lines: [(time: Duration, text: String)] = []
    var readings: [OverflowDemo.Reading] = []
    private unowned let air: Air

    /// At the origin or next to it, with the app in the foreground.
    init(
        _ name: String,
        in air: Air,
        at place: Place = .immediate,
        version: Int = 13,
        _ make: (AppClock, AppSurroundings) -> App
    ) {
        self.air = air
        var settings = PhoneSettings()
        settings.name = name
        settings.systemVersion = version
        phone = air.addPhone(named: name, at: place, settings: settings)
        let app = phone.addApp(named: "beacon", backgroundModes: [.bluetoothCentral, .bluetoothPeripheral])
        self.app = app
        it = app.run { make(.of(air.world), .of(app)) }
    }

    func say(_ text: String) { lines.append((air.now, text)) }

    var texts: [String] { lines.map(\.text) }

    /// Another app, in the background, that has a bit set.
    func pollute(_ index: Int) { pollute([index]) }

    /// Another app, in the background, that has these bits set.
    func pollute(_ indices: [Int]) {
        let bits = indices.compactMap { OverflowBit(index: $0) }
        let other = phone.addApp(named: "other", backgroundModes: .bluetoothPeripheral)
        let manager = other.run { CBPeripheralManager(delegate: nil, queue: nil) }
        polluters.append(manager)
        air.run(for: .milliseconds(500))
        manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: bits.map(\.service)])
        air.run(for: .milliseconds(500))
        other.enterBackground()
    }

    private var polluters: [CBPeripheralManager] = []
}

extension OverflowPhone where App == OverflowDemo {
    /// A phone with the demonstration on it, which runs.
    static func demo(
        _ name: String,
        in air: Air,
        at place: Place = .immediate,
        version: Int = 13,
        payload: [UInt8] = OverflowDemo.usualPayload,
        positions: BeaconFrame.Positions = .halves,
        cycle: ScanCycle = .quick
    ) -> OverflowPhone {
        let it = OverflowPhone(name, in: air, at: place, version: version) { clock, surroundings in
            OverflowDemo(payload: payload, positions: positions, cycle: cycle, clock: clock, surroundings: surroundings)
        }
        it.it.log = { [unowned it] in it.say($0) }
        it.it.read = { [unowned it] in it.readings.append($0) }
        it.it.start()
        return it
    }
}
