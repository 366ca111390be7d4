import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime

/// A device with a person at it, who answers what is asked a second later.
final class SecureDevice: HostApplication {
    /// What the person can see of the other device.
    weak var other: SecureDevice?
    var services: [ServiceDefinition] = []
    /// Whether the person says anything at all.
    var isThere = true
    private(set) var events: [HostEvent] = []
    private(set) var link: ConnectionID?
    private var question: (event: PairingEvent, due: Instant)?

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        if !services.isEmpty { _ = try? host.addServices(services, at: now, into: &actions) }
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        events.append(event)
        switch event {
        case .connected(let description): link = description.id
        case .disconnected: link = nil
        case .security(.pairing(let step)):
            switch step {
            case .consentRequested, .comparisonRequested, .passkeyRequested: question = (step, now + .seconds(1))
            case .failed, .finished: question = nil
            default: break
            }
        default: break
        }
    }

    var nextDeadline: Instant? { isThere ? question?.due : nil }

    func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        guard isThere, let (event, due) = question, due <= now, let link else { return }
        question = nil
        let answer: PairingAnswer
        switch event {
        case .comparisonRequested(_, let digits): answer = digits == other?.compared ? .agree : .refuse
        case .passkeyRequested: answer = .passkey(other?.shown ?? Passkey(123_456)!)
        default: answer = .agree
        }
        try? host.answer(answer, on: link, at: now, into: &actions)
    }

    var security: [SecurityEvent] {
        events.compactMap { if case .security(let event) = $0 { event } else { nil } }
    }

    var shown: Passkey? {
        for case .pairing(.passkeyShown(_, let passkey)) in security.reversed() { return passkey }
        return nil
    }

    var compared: Passkey? {
        for case .pairing(.comparisonRequested(_, let digits)) in security.reversed() { return digits }
        return nil
    }

    var results: [PairingResult] { security.compactMap { if case .paired(_, let result) = $0 { result } else { nil } } }

    var failures: [PairingFailure] {
        security.compactMap { if case .pairing(.failed(_, let failure)) = $0 { failure } else { nil } }
    }

    var encryptionFailures: [ControllerError] {
        security.compactMap { if case .encryptionFailed(_, let error) = $0 { error } else { nil } }
    }

    var notifications: [[UInt8]] {
        events.compactMap { if case .client(.notificationReceived(_, _, let value, _)) = $0 { value } else { nil } }
    }

    var lastResult: ProcedureResult? {
        for case .client(.procedureCompleted(_, _, let result)) in events.reversed() { return result }
        return nil
    }

    func forget() { events.removeAll() }
}

/// A central (0) and a peripheral (1), each with the real controller of this package.
final class SecureWorld {
    let world: World
    let devices = [SecureDevice(), SecureDevice()]
    let stores = [MemoryBondStore(), MemoryBondStore()]
    private(set) var ids: [DeviceID] = []
    static let value = AttributeHandle(rawValue: 0x0022)!

    init(
        _ settings: [PairingSettings],
        seed: UInt64 = 7,
        configure: (Int, inout HostConfiguration) -> Void = { _, _ in }
    ) {
        world = World(seed: seed)
        devices[1].services = [
            ServiceDefinition(
                0xFFE0,
                handle: AttributeHandle(rawValue: 0x0020),
                characteristics: [
                    CharacteristicDefinition(
                        0xFFE1,
                        properties: [.read, .write, .notify],
                        permissions: AttributePermissions(read: .encrypted, write: .encrypted),
                        value: [2]
                    )
                ]
            )
        ]
        for end in 0..<2 {
            devices[end].other = devices[1 - end]
            var configuration = HostConfiguration(seed: seed, device: UInt64(end + 1))
            configuration.pairing = settings[end]
            configure(end, &configuration)
            ids.append(
                world.addDevice(
                    named: end == 0 ? "central" : "peripheral",
                    host: configuration,
                    bonds: stores[end],
                    application: devices[end]
                )
            )
        }
        world.run(for: .milliseconds(100))
    }

    @discardableResult
    func order<Result, Failure: Error>(
        _ end: Int,
        _ body: (Host, Instant, inout HostActions) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let result = try world.perform(on: ids[end], body) else { preconditionFailure("the device is there") }
        return result
    }

    func run(for limit: TimeSpan = .seconds(10), until condition: () -> Bool) -> Bool {
        world.run(for: limit, until: condition)
    }

    var links: [ConnectionID] { devices.compactMap(\.link) }

    /// To the address that the peripheral shows, or to its identity.
    func connect(to peer: DeviceAddress? = nil) throws -> Bool {
        try order(1) { host, now, actions throws(OrderError) in
            try host.startAdvertising(
                AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!),
                at: now,
                into: &actions
            )
        }
        let peer = peer ?? world.publicAddress(of: ids[1])!
        try order(0) { host, now, actions throws(OrderError) in try host.connect(to: peer, at: now, into: &actions) }
        return run { links.count == 2 }
    }

    func disconnect() throws -> Bool {
        let link = links[0]
        try order(0) { host, now, actions throws(OrderError) in try host.disconnect(link, at: now, into: &actions) }
        return run { links.isEmpty }
    }

    /// Whether both came to an end, well or badly.
    func pair(_ settings: PairingSettings? = nil) throws -> Bool {
        let link = links[0]
        for device in devices { device.forget() }
        try order(0) { host, now, actions throws(PairingOrderError) in
            try host.pair(link, settings: settings, at: now, into: &actions)
        }
        return run(for: .seconds(40)) { devices.allSatisfy { !$0.results.isEmpty || !$0.failures.isEmpty } }
    }

    func security(_ end: Int) -> LinkSecurity? {
        guard let link = devices[end].link else { return nil }
        return order(end) { host, _, _ in host.security(of: link) }
    }

    func bonds(_ end: Int) -> [Bond] { order(end) { host, _, _ in host.bonds } }

    /// One end subscribes to the other's protected value; whether that went well.
    func subscribe(_ end: Int) throws -> Bool {
        guard let link = devices[end].link, let configuration = Self.value.next else { return false }
        try order(end) { host, now, actions throws(OrderError) in
            _ = try host.write([1, 0], link, configuration, at: now, into: &actions)
        }
        return run { devices[end].lastResult == .written }
    }

    /// What a read of the protected value by the central comes to.
    func read() throws -> ProcedureResult? {
        let link = links[0]
        devices[0].forget()
        try order(0) { host, now, actions throws(OrderError) in
            _ = try host.read(link, Self.value, at: now, into: &actions)
        }
        _ = run { devices[0].lastResult != nil }
        return devices[0].lastResult
    }
}
