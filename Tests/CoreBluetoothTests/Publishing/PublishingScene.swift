import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth

/// A phone with an app that publishes something, and a central in front of it.
struct PublishingScene {
    let world: World
    let phone: Phone
    let app: PublishingApp
    let central: CentralProbe

    init(
        seed: UInt64 = 40,
        settings: PhoneSettings = PhoneSettings(),
        _ services: [CBMutableService],
        advertising advertisement: [String: Any]? = [:]
    ) {
        world = World(seed: seed)
        phone = Phone(named: "phone", in: world, settings: settings)
        app = BluetoothEnvironment.$current.withValue(phone.addApp().environment) {
            PublishingApp(services, advertising: advertisement)
        }
        central = CentralProbe(in: world)
        run(.seconds(1))
    }

    /// Another app on the same phone.
    func install(
        _ services: [CBMutableService],
        advertising advertisement: [String: Any]? = nil
    ) -> PublishingApp {
        let environment = phone.addApp().environment
        let other = BluetoothEnvironment.$current.withValue(environment) {
            PublishingApp(services, advertising: advertisement)
        }
        run(.seconds(1))
        return other
    }

    func run(_ span: TimeSpan) { world.run(for: span) }

    /// What the central hears; the app lives on meanwhile.
    func scan() throws -> (advertisement: [UInt8], scanResponse: [UInt8]) { try central.scan() }

    func connect() throws { try central.connect(to: phone.device) }
}
