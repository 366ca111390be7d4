import BluethroatAppEnvironment
import BluethroatBluetoothValues
import BluethroatOverflowArea
import BluethroatOverflowStudy
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import SceneRecords

/// Beacons in the overflow area: a few phones whose screens go on and off, and crowds.
enum OverflowScenes {
    static let all = [
        RecordedScene("overflow-beacons", seeds: 12, run: beacons),
        RecordedScene("overflow-crowds", seeds: 8, run: crowd),
    ]

    private static func beacons(seed: UInt64) throws -> SceneRecord {
        let world = World(seed: seed)
        world.setLossEverywhere(.percent(seed % 3 == 0 ? 10 : 0))
        var demos: [(phone: Phone, app: PhoneApp, demo: OverflowDemo)] = []
        var readings = 0
        for number in 0..<Int(2 + seed % 3) {
            var settings = PhoneSettings()
            settings.name = "phone \(number)"
            settings.systemVersion = 13
            let phone = Phone(named: settings.name, in: world, at: .metres(x: Double(2 * number)), settings: settings)
            let app = phone.addApp(named: "beacon", backgroundModes: [.bluetoothCentral, .bluetoothPeripheral])
            let demo = app.run {
                OverflowDemo(
                    payload: [UInt8(number + 1), UInt8(seed), 3, 4],
                    positions: seed % 2 == 0 ? .halves : .sparingWatches,
                    cycle: seed % 4 == 1 ? .quick : .quick.withoutNotifications,
                    clock: .of(world),
                    surroundings: .of(app)
                )
            }
            demo.read = { _ in readings += 1 }
            demos.append((phone, app, demo))
            guard demo.start() else { throw SceneFailure("the beacon does not start") }
        }
        world.run(for: .seconds(1))
        for number in demos.indices where number > 0 || seed % 4 < 2 { demos[number].app.enterBackground() }
        world.run(for: .seconds(8))
        demos[1].phone.isScreenOn = false
        world.run(for: .seconds(8))
        demos[1].phone.isScreenOn = true
        try world.expect("a payload was read", within: .seconds(120)) { readings > 0 }
        demos[0].demo.stop()
        world.run(for: .seconds(6))
        return SceneRecord(world)
    }

    /// Settings of a crowd follow from the seed.
    private static func crowd(seed: UInt64) throws -> SceneRecord {
        var crowd = CrowdSettings()
        crowd.phones = 6 + Int(seed)
        crowd.scanners = 1 + Int(seed % 2)
        crowd.side = 40
        crowd.length = .seconds(25)
        crowd.interval = AdvertisingInterval(steps: 480)!
        crowd.pollution = .percent(Int32(10 * (seed % 4)))
        crowd.systemVersion = seed % 3 == 0 ? 18 : 13
        var study = Study([crowd])
        study.seed = seed
        guard let result = study.run({ _ in true })?.first?.results.first else { throw SceneFailure("no result") }
        guard result.phones.contains(where: { $0.heard != nil }) else { throw SceneFailure("no phone was heard") }
        let digits = String(result.digest, radix: 16)
        return SceneRecord(
            digest: String(repeating: "0", count: 16 - digits.count) + digits,
            frames: result.transmissions
        )
    }
}
