import BluethroatLiveLoop
public import BluethroatPhoneService
public import BluethroatPhones
public import BluethroatRadioMedium
public import BluethroatSimulation
public import CoreBluetooth

/// A phone on an air in real time, for any thread.
public final class LivePhone: Sendable {
    public let name: String
    /// The phone among the devices of its air.
    public let device: DeviceID
    public let air: LiveAir

    init(name: String, device: DeviceID, air: LiveAir) {
        self.name = name
        self.device = device
        self.air = air
    }

    /// Installs an app that is on the screen at once and whose code the caller runs, with the environment of what is
    /// returned.
    public func addApp(
        named name: String = "app",
        backgroundModes: BackgroundModes = [],
        authorization: Authorization = .allowedAlways
    ) -> LiveApp {
        let id = perform { phone in
            phone.addApp(named: name, backgroundModes: backgroundModes, authorization: authorization).id
        }
        return LiveApp(id: id, name: name, phone: self)
    }

    /// The user switches Bluetooth on or off. Without effect when the phone was taken off the air.
    public func switchPower(_ isOn: Bool) {
        air.live.performAndWait { [device] machine in machine.phones[device]?.switchPower(isOn) }
    }

    /// Carries the phone to another place.
    public func move(to position: Position) { air.move(device, to: position) }

    /// What was reported to developers, in order; nothing when the phone was taken off the air.
    public var misuse: [BluetoothService.Misuse] {
        air.live.performAndWait { [device] machine in machine.phones[device]?.misuse ?? [] }
    }

    /// Does something to the phone on the air's thread, for which there is no method here. The phone must still be on
    /// the air.
    public func perform<Answer: Sendable, Failure: Error>(
        _ order: @escaping @Sendable (Phone) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        let (device, name) = (device, name)
        return try air.live.performAndWait { machine throws(Failure) in
            guard let phone = machine.phones[device] else { preconditionFailure("\(name) was taken off the air") }
            return try order(phone)
        }
    }
}

/// An app on a phone in real time, for any thread.
public struct LiveApp: Sendable {
    public let id: AppID
    public let name: String
    public let phone: LivePhone

    /// What the app's managers have to find: the way to this phone. Another one each time the app is launched.
    public var environment: BluetoothEnvironment {
        let environment = perform(\.environment)
        let port = RetainingPort(port: environment.port, air: phone.air)
        return BluetoothEnvironment(port: port, delivery: environment.delivery)
    }

    /// Does something to the app on the air's thread: suspends it, takes it off the screen, and what else a phone does.
    public func perform<Answer: Sendable, Failure: Error>(
        _ order: @escaping @Sendable (PhoneApp) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        let (id, name) = (id, name)
        return try phone.perform { phone throws(Failure) in
            guard let app = phone.apps.first(where: { $0.id == id }) else {
                preconditionFailure("\(name) is not installed on \(phone.name)")
            }
            return try order(app)
        }
    }

    /// Runs code of the app: managers made in it are on this phone.
    public func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let outcome: Swift.Result<Result, Failure> = BluetoothEnvironment.$current.withValue(environment) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}

/// The way to a phone, which keeps the air alive on which the phone is.
private struct RetainingPort: ServicePort {
    let port: any ServicePort
    let air: LiveAir

    var authorization: Authorization { port.authorization }

    func open(
        _ session: SessionDescription,
        events: @escaping @Sendable ([SessionEvent]) -> Void
    ) -> SessionID { port.open(session, events: events) }

    func submit(_ command: SessionCommand, from session: SessionID) { port.submit(command, from: session) }

    func close(_ session: SessionID) { port.close(session) }
}
