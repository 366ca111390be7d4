import BluethroatAppEnvironment
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFobPhone
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// A phone with the app on it and a central in front of it, in virtual time.
struct FobScene {
    let world: World
    let phone: Phone
    let fob: KeyFobSimulator
    let central: FobCentral

    init(
        limits: IOS6Limits = [],
        source: SimulatorSource = [],
        seed: UInt64 = 8,
        advertises: Bool = true,
        adjust: (inout PhoneSettings) -> Void = { _ in }
    ) {
        world = World(seed: seed)
        var settings = PhoneSettings()
        settings.name = "iPhone"
        settings.allowsReservedServices = true
        settings.nameIsReadable = !limits.contains(.deviceName)
        settings.deliversWritesWithoutResponse = !limits.contains(.writeWithoutResponse)
        adjust(&settings)
        phone = Phone(named: "phone", in: world, settings: settings)
        fob = phone.addApp().run { [world] in
            KeyFobSimulator(
                limits: limits,
                source: source,
                random: SeededRandom(seed: seed, purpose: "key fob app"),
                clock: .of(world)
            )
        }
        central = FobCentral(in: world)
        run(.milliseconds(500))
        if advertises { fob.switchAdvertising(true) }
        run(.milliseconds(500))
    }

    func run(_ span: TimeSpan) { world.run(for: span) }

    /// What somebody does to the phone, carried out at once.
    func touch(_ body: (KeyFobSimulator) -> Void) {
        body(fob)
        world.run(for: .zero)
    }

    func connect() throws { try central.connect(to: phone.device) }

    func goOutOfReach() { world.move(phone.device, to: .metres(x: 100_000)) }

    func comeBack() { world.move(phone.device, to: .metres(x: 1)) }

    func database() throws -> RemoteDatabase {
        guard case .database(let database) = try central.ask({ try $0.discoverAll($1, at: $2, into: &$3) }) else {
            return RemoteDatabase()
        }
        return database
    }

    func characteristic(_ uuid: BluetoothUUID, in service: BluetoothUUID? = nil) throws -> RemoteCharacteristic {
        try #require(try database().characteristic(uuid, in: service))
    }

    func read(_ uuid: BluetoothUUID, in service: BluetoothUUID? = nil) throws -> ProcedureResult? {
        let handle = try characteristic(uuid, in: service).valueHandle
        return try central.ask { try $0.read($1, handle, at: $2, into: &$3) }
    }

    @discardableResult
    func write(_ value: [UInt8], _ uuid: BluetoothUUID, in service: BluetoothUUID? = nil) throws -> ProcedureResult? {
        let handle = try characteristic(uuid, in: service).valueHandle
        return try central.ask { try $0.write(value, $1, handle, at: $2, into: &$3) }
    }

    func writeWithoutResponse(_ value: [UInt8], _ uuid: BluetoothUUID, in service: BluetoothUUID) throws {
        let handle = try characteristic(uuid, in: service).valueHandle
        let connection = try #require(central.connection)
        try central.order { _ = try $0.writeCommand(value, connection, handle, at: $1, into: &$2) }
        run(.milliseconds(200))
    }

    @discardableResult
    func subscribe(_ uuid: BluetoothUUID) throws -> AttributeHandle {
        let found = try characteristic(uuid)
        #expect(try central.ask { try $0.subscribe($1, to: found, .notifications, at: $2, into: &$3) } == .written)
        return found.valueHandle
    }

    /// The values that came under one handle.
    func values(_ handle: AttributeHandle) -> [[UInt8]] {
        central.notifications.filter { $0.handle == handle }.map(\.value)
    }
}
