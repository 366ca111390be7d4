public import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatVirtualTime

/// Somebody in a crowd: who advertises what changes, who listens, who reads from another one all the time.
public final class Citizen: HostApplication {
    public enum Role {
        case beacon
        case scanner
        /// Advertises, and lets itself be read from.
        case server
        /// Connects to a server, and reads all it has, again and again.
        case client(of: DeviceAddress)
    }

    let role: Role
    /// One line for each thing that happened, with its instant.
    private(set) var diary: [String] = []
    public private(set) var reports = 0
    private(set) var reads = 0
    /// Whom it heard, by the address.
    private(set) var heard: Set<UInt64> = []
    private var change: Instant?
    private var changes: UInt8 = 0
    private var isOn = false

    public init(_ role: Role) { self.role = role }

    public func start(host: Host, at now: Instant, into actions: inout HostActions) {
        if case .server = role {
            let value = (0..<100).map { UInt8($0) }
            let characteristic = CharacteristicDefinition(0x2A29, properties: [.read], value: value)
            _ = try? host.addServices(
                [ServiceDefinition(0x180A, characteristics: [characteristic])],
                at: now,
                into: &actions
            )
        }
        host.powerOn(at: now, into: &actions)
    }

    public func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn: begin(host, at: now, into: &actions)
        case .advertisingEnded: if case .beacon = role { advertise(host, at: now, into: &actions) }
        case .advertisingReport(let report):
            reports += 1
            heard.insert(report.address.value)
            note("\(report.address) \(report.data) \(report.signalStrength.map { Int($0.dBm) } ?? 0)", at: now)
        case .connected(let link):
            note("connected", at: now)
            if case .client = role { _ = try? host.discoverAll(link.id, at: now, into: &actions) }
        case .disconnected(_, let reason):
            note("disconnected \(reason)", at: now)
            begin(host, at: now, into: &actions)
        case .client(.procedureCompleted(_, let link, let result)):
            note("\(result)", at: now)
            switch result {
            case .database, .value:
                reads += 1
                _ = try? host.discoverAll(link, at: now, into: &actions)
            default: break
            }
        default: break
        }
    }

    private func note(_ line: String, at now: Instant) { diary.append("\(now.nanoseconds) \(line)") }

    private func begin(_ host: Host, at now: Instant, into actions: inout HostActions) {
        switch role {
        case .beacon, .server: advertise(host, at: now, into: &actions)
        case .scanner: _ = try? host.startScanning(at: now, into: &actions)
        case .client(let server): _ = try? host.connect(to: server, at: now, into: &actions)
        }
    }

    private func advertise(_ host: Host, at now: Instant, into actions: inout HostActions) {
        changes &+= 1
        let data = AdvertisingData([.init(.init(rawValue: 0xFF), [0xFF, 0xFF, changes])])
        let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 48)!)
        _ = try? host.startAdvertising(parameters, data: data, at: now, into: &actions)
        if case .beacon = role { change = now + .milliseconds(700) }
    }

    public var nextDeadline: Instant? { change }

    public func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        guard let due = change, due <= now else { return }
        change = nil
        _ = try? host.stopAdvertising(at: now, into: &actions)
    }
}
