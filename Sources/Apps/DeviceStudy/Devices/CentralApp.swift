import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// A central that connects to one device and does one thing with it, as often as it can.
final class CentralApp: HostApplication {
    enum Traffic: String {
        case none, notify, read, write
    }

    struct Settings {
        var peer: DeviceAddress
        var traffic = Traffic.none
        var value: [UInt8] = []
        var connect = ConnectParameters()
        var power = SignalStrength(dBm: 0)
        /// For how long a connection is kept; nil for ever.
        var hold: TimeSpan?
        var beginning: Instant
        /// Before which nothing is counted.
        var measuring: Instant
    }

    /// What it has to say in the end; times in seconds.
    private(set) var connectTimes: [Double] = []
    private(set) var attempts = 0
    private(set) var roundTrips: [Double] = []
    /// Bytes of values, and the instants of the first and of the last of them that count. The first second is left out, in
    /// which PHY and length of packets settle; so are the bytes of the first one.
    private(set) var bytes = 0
    private var settled: Instant?
    private(set) var firstValue: Instant?
    private(set) var lastValue: Instant?

    private let settings: Settings
    private var random: SeededRandom
    private var next: (at: Instant, what: Step)?
    private var ordered: Instant?
    private var connection: ConnectionID?
    private var handle: AttributeHandle?
    private var request: (id: ProcedureID, sent: Instant)?

    private enum Step { case connect, disconnect }

    init(_ settings: Settings, random: SeededRandom) {
        self.settings = settings
        self.random = random
        next = (settings.beginning, .connect)
    }

    var isConnected: Bool { connection != nil }
    /// Whether values are to be carried, so that it has a throughput, be it 0.
    var hasTraffic: Bool { settings.traffic != .none }
    /// Whether values have begun to come, and the connection has lasted since then.
    var isCarrying: Bool { settled != nil && !wasCut && isConnected }
    private var wasCut = false
    var transmitPower: SignalStrength? { settings.power }
    var nextDeadline: Instant? { next?.at }

    func start(host: Host, at now: Instant, into actions: inout HostActions) { host.powerOn(at: now, into: &actions) }

    func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        guard let (instant, step) = next, instant <= now else { return }
        guard host.identity != nil else {
            next = (now + .milliseconds(1), step)
            return
        }
        next = nil
        switch step {
        case .connect:
            ordered = now
            if now >= settings.measuring { attempts += 1 }
            try? host.connect(to: settings.peer, settings.connect, at: now, into: &actions)
        case .disconnect:
            if let connection { try? host.disconnect(connection, at: now, into: &actions) }
        }
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .connected(let description):
            connection = description.id
            if let ordered, ordered >= settings.measuring { connectTimes.append((now - ordered).inSeconds) }
            if let hold = settings.hold { next = (now + hold, .disconnect) }
            guard settings.traffic != .none else { return }
            if host.configuration.maximumATTMTU > 23 {
                _ = try? host.exchangeMTU(description.id, at: now, into: &actions)
            }
            _ = try? host.discoverAll(description.id, at: now, into: &actions)
        case .disconnected, .connectFailed:
            (connection, handle, request) = (nil, nil, nil)
            wasCut = settled != nil
            // Not always in the same phase of the peer's intervals.
            next = (now + random.span(upTo: .seconds(1)), .connect)
        case .client(.procedureCompleted(let id, _, let result)):
            completed(id, result, host, at: now, into: &actions)
        case .client(.notificationReceived(_, _, let value, _)): count(value.count, at: now)
        default: break
        }
    }

    private func completed(
        _ id: ProcedureID,
        _ result: ProcedureResult,
        _ host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let connection else { return }
        if case .database(let database) = result {
            return begin(with: database, on: connection, host, at: now, into: &actions)
        }
        guard let request, request.id == id else { return }
        self.request = nil
        switch result {
        case .value(let value): count(value.count, at: now)
        case .written: count(settings.value.count, at: now)
        default: return
        }
        if request.sent >= settings.measuring { roundTrips.append((now - request.sent).inSeconds) }
        ask(on: connection, host, at: now, into: &actions)
    }

    private func begin(
        with database: RemoteDatabase,
        on connection: ConnectionID,
        _ host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let wanted: CharacteristicProperties =
            switch settings.traffic {
            case .none: []
            case .notify: .notify
            case .read: .read
            case .write: .write
            }
        // Those of the services that every device has are not what is meant.
        let own = database.services.filter { ![BluetoothUUID(0x1800), BluetoothUUID(0x1801)].contains($0.uuid) }
        guard let found = own.flatMap(\.characteristics).first(where: { $0.properties.isSuperset(of: wanted) }) else {
            return
        }
        guard settings.traffic == .notify else {
            handle = found.valueHandle
            return ask(on: connection, host, at: now, into: &actions)
        }
        _ = try? host.subscribe(connection, to: found, .notifications, at: now, into: &actions)
    }

    private func ask(on connection: ConnectionID, _ host: Host, at now: Instant, into actions: inout HostActions) {
        guard let handle else { return }
        let id =
            settings.traffic == .read
            ? try? host.read(connection, handle, at: now, into: &actions)
            : try? host.write(settings.value, connection, handle, at: now, into: &actions)
        request = id.map { ($0, now) }
    }

    private func count(_ size: Int, at now: Instant) {
        guard now >= settings.measuring else { return }
        let settled = settled ?? now + .seconds(1)
        self.settled = settled
        guard now >= settled else { return }
        if firstValue == nil { firstValue = now } else { bytes += size }
        lastValue = now
    }
}
