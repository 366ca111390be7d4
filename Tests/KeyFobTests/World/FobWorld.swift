import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// A central that does what it is told, and remembers what it hears.
final class Telephone: HostApplication {
    var isUp = false
    var reports: [(at: Instant, report: AdvertisingReport)] = []
    var connection: ConnectionDescription?
    var disconnections: [ControllerError] = []
    var notifications: [(at: Instant, handle: UInt16, value: [UInt8])] = []
    var results: [ProcedureID: ProcedureResult] = [:]
    var strength: SignalStrength?
    var paces: [ConnectionParameters] = []
    var wantsPasskey = false
    var pairing: Result<PairingResult, PairingFailure>?

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn: isUp = true
        case .advertisingReport(let report): reports.append((now, report))
        case .connected(let description): connection = description
        case .disconnected(let id, let reason):
            guard id == connection?.id else { return }
            connection = nil
            disconnections.append(reason)
        case .parametersChanged(_, let parameters): paces.append(parameters)
        case .signalStrength(_, let strength): self.strength = strength
        case .security(.pairing(.passkeyRequested)): wantsPasskey = true
        case .security(.pairing(.failed(_, let failure))): (wantsPasskey, pairing) = (false, .failure(failure))
        case .security(.paired(_, let result)): (wantsPasskey, pairing) = (false, .success(result))
        case .client(.procedureCompleted(let id, _, let result)): results[id] = result
        case .client(.notificationReceived(_, let handle, let value, isIndication: false)):
            notifications.append((now, handle.rawValue, value))
        default: break
        }
    }

    var nextDeadline: Instant? { nil }

    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}
}

/// A key fob and a telephone on one air.
struct FobWorld {
    let world: World
    let fob: KeyFobDevice
    let fobID: DeviceID
    let phone: Telephone
    let phoneID: DeviceID
    private let log: NoticeLog

    final class NoticeLog {
        var notices: [KeyFobNotice] = []
    }

    init(seed: UInt64 = 1, options: KeyFobOptions = KeyFobOptions(), drift: (fob: Int64, phone: Int64) = (0, 0)) {
        world = World(seed: seed)
        log = NoticeLog()
        fob = KeyFobDevice(options: options)
        fobID = world.addDevice(
            named: "fob",
            controller: .core40(publicAddress: KeyFobDevice.address(), company: .texasInstruments),
            host: KeyFobDevice.hostConfiguration(seed: seed, pairing: options.pairing, attMTU: options.attMTU),
            drift: ClockDrift(partsPerMillion: drift.fob)!,
            application: fob
        )
        phone = Telephone()
        phoneID = world.addDevice(
            named: "telephone",
            at: .metres(x: 1),
            drift: ClockDrift(partsPerMillion: drift.phone)!,
            application: phone
        )
    }

    /// A world in which the fob advertises and the telephone is up.
    static func advertising(seed: UInt64 = 1, options: KeyFobOptions = KeyFobOptions()) -> Self {
        var options = options
        options.advertisesAtStart = true
        let it = Self(seed: seed, options: options)
        it.world.run(for: .seconds(2))
        return it
    }

    /// A world in which the telephone is connected to the fob.
    static func connected(
        seed: UInt64 = 1,
        options: KeyFobOptions = KeyFobOptions(),
        pace: ConnectionParameterRange = .usual
    ) throws -> Self {
        let it = advertising(seed: seed, options: options)
        try it.connect(pace: pace)
        return it
    }

    func connect(pace: ConnectionParameterRange = .usual, within limit: TimeSpan = .seconds(5)) throws {
        try order { host, now, actions in
            let parameters = ConnectParameters(connection: pace)
            try host.connect(to: KeyFobDevice.address(), parameters, at: now, into: &actions)
        }
        let bothKnow = world.run(for: limit) { phone.connection != nil && fob.connection != nil }
        try #require(bothKnow, "no connection")
    }

    func order<Result>(_ body: (Host, Instant, inout HostActions) throws -> Result) throws -> Result {
        try #require(try world.perform(on: phoneID, body))
    }

    /// Does something to the fob.
    func touch(_ body: (Host, Instant, inout HostActions) -> Void) { world.perform(on: fobID, body) }

    /// Runs a GATT procedure of the telephone's to its end.
    func run(
        _ body: (Host, ConnectionID, Instant, inout HostActions) throws -> ProcedureID
    ) throws -> ProcedureResult {
        let connection = try #require(phone.connection).id
        let id = try order { host, now, actions in try body(host, connection, now, &actions) }
        #expect(world.run(for: .seconds(10)) { phone.results[id] != nil }, "the procedure has no end")
        return try #require(phone.results[id])
    }

    func read(_ handle: AttributeHandle) throws -> ProcedureResult {
        try run { try $0.read($1, handle, at: $2, into: &$3) }
    }

    func write(_ value: [UInt8], _ handle: AttributeHandle) throws -> ProcedureResult {
        try run { try $0.write(value, $1, handle, at: $2, into: &$3) }
    }

    func writeCommand(_ value: [UInt8], _ handle: AttributeHandle) throws {
        let connection = try #require(phone.connection).id
        let wasSent = try order { host, now, actions in
            try host.writeCommand(value, connection, handle, at: now, into: &actions)
        }
        #expect(wasSent)
        world.run(for: .milliseconds(200))
    }

    /// What has changed about the fob since the last call.
    func changes() -> [KeyFobNotice.Change] { fob.takeNotices().map(\.change) }
}
