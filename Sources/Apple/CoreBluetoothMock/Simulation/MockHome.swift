import BluethroatHost
import BluethroatLivePhones
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth

/// Where a simulation is: around a phone in virtual time, which its test runs, or around one of its own in real time.
struct MockHome: @unchecked Sendable {
    private enum Kind {
        /// The phone holds the simulation, not the other way round.
        case virtual(Weak<Phone>)
        case real(LiveAir, Phone, BluetoothEnvironment)
    }

    private let kind: Kind
    /// The app whose managers these are.
    let app: AppID

    /// Around the phone that an environment leads to; nil where it leads elsewhere.
    init?(_ environment: BluetoothEnvironment) {
        guard let phone = environment.phone, let app = environment.app else { return nil }
        kind = .virtual(Weak(object: phone))
        self.app = app
    }

    /// On an air of its own, in real time.
    init(seed: UInt64) {
        let air = LiveAir(seed: seed)
        let phone = air.addPhone(named: "Phone", settings: .mockPhone)
        _ = phone.perform { phone in
            // A phone has a screen, and takes digits.
            phone.world.perform(on: phone.device) { host, _, _ in host.pairingSettings.inputOutput = .keyboardDisplay }
        }
        let app = phone.addApp(named: "app")
        self.app = app.id
        kind = .real(air, phone.perform { Unchecked(value: $0) }.value, app.environment)
    }

    /// What managers are made with. It is not kept: an environment holds the way to its phone, which holds the simulation.
    var environment: BluetoothEnvironment {
        switch kind {
        case .virtual(let phone): phone.object?.apps.first { $0.id == app }?.environment ?? .withoutBluetooth
        case .real(_, _, let environment): environment
        }
    }

    /// Does something where the phone is, and waits for it; nil if there is no phone any more.
    func enter<Answer>(_ action: @escaping (Phone) -> Answer) -> Answer? {
        switch kind {
        case .virtual(let phone): phone.object.map(action)
        case .real(let air, let phone, _): air.isOnWorldsThread ? action(phone) : air.carryOut { _ in action(phone) }
        }
    }

    /// Does something there as soon as what the world is doing at this instant is done: a device that is being asked must
    /// not be called.
    func soon(_ action: @escaping (Phone) -> Void) { after(.zero, action) }

    /// The same after a while.
    func after(_ span: TimeSpan, _ action: @escaping (Phone) -> Void) {
        _ = enter { phone in
            phone.world.schedule(at: phone.world.now.after(span)) { [weak phone] _ in
                if let phone { action(phone) }
            }
        }
    }

    /// Virtual time passes as fast as its test lets it.
    func setSpeed(_ speed: Double) {
        if case .real(let air, _, _) = kind { air.setSpeed(speed) }
    }

    /// Calls code of a test, which finds this simulation.
    func call<Answer>(_ body: () -> Answer) -> Answer {
        guard case .virtual = kind else { return body() }
        return BluetoothEnvironment.$current.withValue(environment, operation: body)
    }

    /// Asks code of a test where the device is: in real time on the thread of the air, so that it is called by one thread only.
    func ask<Answer>(_ body: @escaping () -> Answer) -> Answer {
        guard case .real(let air, _, _) = kind, !air.isOnWorldsThread else { return call(body) }
        return air.carryOut { _ in body() }
    }

    /// Installs another app on the same phone, and opens it. The phone keeps what `launch` makes.
    func addApp<Root: AnyObject>(named name: String, launch: @escaping (BluetoothEnvironment, AppID) -> Root) -> Root? {
        enter { phone in
            let id = AppID(number: UInt32(phone.apps.count))
            let app = phone.install(named: name) { _ in BluetoothEnvironment.current.map { launch($0, id) } }
            app.launch()
            return app.root(as: Root.self)
        } ?? nil
    }

    /// Another phone near by, and what its only app's managers are made with.
    func addPhone(named name: String) -> (phone: Phone, app: AppID, environment: BluetoothEnvironment)? {
        var settings = PhoneSettings()
        settings.name = name
        switch kind {
        case .virtual(let reference):
            guard let world = reference.object?.world else { return nil }
            let phone = Phone(named: name, in: world, settings: settings)
            let app = phone.addApp(named: name)
            return (phone, app.id, app.environment)
        case .real(let air, _, _):
            let phone = air.addPhone(named: name, settings: settings)
            let app = phone.addApp(named: name)
            return (phone.perform { Unchecked(value: $0) }.value, app.id, app.environment)
        }
    }

    func endApp(_ id: AppID) {
        _ = enter { phone in phone.apps.first { $0.id == id }?.forceQuit() }
    }
}
