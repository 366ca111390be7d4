import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// A host in front of the phone: a central that keeps what it is told, and when.
final class FobCentral: HostApplication {
    struct Notification: Equatable {
        let time: Instant
        let handle: AttributeHandle
        let value: [UInt8]
    }

    let world: World
    private(set) var device: DeviceID!
    private(set) var reports: [AdvertisingReport] = []
    private(set) var connection: ConnectionID?
    private(set) var notifications: [Notification] = []
    /// How often the phone, as a client, has asked this host for anything.
    private(set) var questions = 0
    private var result: ProcedureResult?

    init(in world: World) {
        self.world = world
        device = world.addDevice(named: "central", at: .metres(x: 1), application: self)
    }

    func start(host: Host, at now: Instant, into actions: inout HostActions) { host.powerOn(at: now, into: &actions) }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .advertisingReport(let report): reports.append(report)
        case .connected(let description): connection = description.id
        case .disconnected: connection = nil
        case .client(.procedureCompleted(_, _, let result)): self.result = result
        case .client(.notificationReceived(_, let handle, let value, _)):
            notifications.append(Notification(time: now, handle: handle, value: value))
        case .mtuChanged, .server: questions += 1
        default: break
        }
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}

    // MARK: Orders

    func order(_ body: (Host, Instant, inout HostActions) throws -> Void) throws {
        try world.perform(on: device) { host, now, actions in try body(host, now, &actions) }
    }

    func scan() throws {
        reports = []
        try order { try $0.startScanning(ScanParameters(), at: $1, into: &$2) }
        world.run(for: .seconds(1))
        try order { try $0.stopScanning(at: $1, into: &$2) }
        world.run(for: .milliseconds(100))
    }

    func connect(to peer: DeviceID) throws {
        try order { try $0.connect(to: world.publicAddress(of: peer)!, at: $1, into: &$2) }
        world.run(for: .seconds(5)) { connection != nil }
        world.run(for: .milliseconds(500))
    }

    func disconnect() throws {
        try order { try $0.disconnect(connection!, at: $1, into: &$2) }
        world.run(for: .seconds(1))
    }

    /// What comes of a procedure; nil if it has not ended within the time.
    @discardableResult
    func ask(
        within limit: TimeSpan = .seconds(5),
        _ body: (Host, ConnectionID, Instant, inout HostActions) throws -> ProcedureID
    ) throws -> ProcedureResult? {
        result = nil
        guard let connection else { return nil }
        try order { _ = try body($0, connection, $1, &$2) }
        world.run(for: limit) { result != nil }
        // What the app does then it does after it has answered.
        world.run(for: .milliseconds(1))
        return result
    }

    func forget() { notifications = [] }
}
