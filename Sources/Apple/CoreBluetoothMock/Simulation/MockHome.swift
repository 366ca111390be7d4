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
        case real(LiveAir, Phone)
    }

    private let kind: Kind
    /// The app whose managers these are.
    let app: AppID
    /// What its managers are made with.
    let environment: BluetoothEnvironment

    /// Around the phone that an environment leads to; nil where it leads elsewhere.
    init?(_ environment: BluetoothEnvironment) {
        guard let phone = environment.phone, let app = environment.app else { return nil }
        kind = .virtual(Weak(object: phone))
        self.app = app
        self.environment = environment
    }

    /// On an air of its own, in real time.
    init(seed: UInt64) {
        let air = LiveAir(seed: seed)
        var settings = PhoneSettings()
        settings.name = "Phone"
        // As many as the original takes.
        settings.writeWindow = 20
        let phone = air.addPhone(named: "Phone", settings: settings)
        let app = phone.addApp(named: "app")
        self.app = app.id
        environment = app.environment
        kind = .real(air, phone.perform { Unchecked(value: $0) }.value)
    }

    /// Does something where the phone is, and waits for it; nil if there is no phone any more.
    func enter<Answer>(_ action: @escaping (Phone) -> Answer) -> Answer? {
        switch kind {
        case .virtual(let phone): phone.object.map(action)
        case .real(let air, let phone): air.isOnWorldsThread ? action(phone) : air.enter { _ in action(phone) }
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

    /// Calls code of a test, which finds this simulation.
    func call<Answer>(_ body: () -> Answer) -> Answer {
        guard case .virtual = kind else { return body() }
        return BluetoothEnvironment.$current.withValue(environment, operation: body)
    }

    /// Asks code of a test where the device is: in real time on the thread of the air, so that it is called by one thread only.
    func ask<Answer>(_ body: @escaping () -> Answer) -> Answer {
        guard case .real(let air, _) = kind, !air.isOnWorldsThread else { return call(body) }
        return air.enter { _ in body() }
    }

    /// The environment of another app on the same phone.
    func addApp(named name: String) -> (environment: BluetoothEnvironment, app: AppID)? {
        enter { phone in
            let app = phone.addApp(named: name)
            return (app.environment, app.id)
        }
    }
}
