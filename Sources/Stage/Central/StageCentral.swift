public import BluetoothValues
public import Host
public import VirtualTime

/// A central that somebody works with: it scans, connects to several peers, and keeps what it has heard.
///
/// An order that has to be waited for takes a closure that is called once, when the answer is there.
public final class StageCentral: HostApplication {
    /// Why an order came to nothing, in a sentence.
    public struct Refusal: Error, Hashable, Sendable {
        public enum Kind: Hashable, Sendable {
            /// It cannot be done as things are.
            case notNow
            case noSuchThing
            /// The peer said no.
            case refusedByPeer
            case timeout
        }

        public var kind: Kind
        public var sentence: String
        /// The peer's error code, if it said no with one.
        public var attError: UInt8?
    }

    public typealias Answer<Value> = (Result<Value, Refusal>) -> Void

    public private(set) var isUp = false
    public private(set) var isScanning = false
    public private(set) var sightings = DiscoveryCache()
    public private(set) var links: [CentralLink] = []
    public private(set) var log = OperationLog()
    /// Counts changes of anything above but the sightings, so that an onlooker knows when to look.
    public private(set) var changeCount = 0
    /// The same of the sightings.
    public private(set) var sightingCount = 0

    private var wantsToScan = false
    private var connecting: ConnectionAttempt?
    private var procedures: [ProcedureID: (entry: Int, answer: (ProcedureResult, Instant) -> Void)] = [:]
    private var pairings: [ConnectionID: (entry: Int, answer: Answer<LinkSecurity>)] = [:]
    private var nextLook: Instant?

    public init() {}

    // MARK: Orders

    /// Scans actively, or stops doing so.
    public func scan(_ isOn: Bool, host: Host, at now: Instant, into actions: inout HostActions) {
        guard isOn != wantsToScan else { return }
        wantsToScan = isOn
        changeCount += 1
        log.note(.scan, at: now, outcome: isOn ? "started" : "stopped")
        followWish(host: host, at: now, into: &actions)
    }

    /// Forgets who was heard, except that those who are heard again come back.
    public func forgetSightings() {
        sightings = DiscoveryCache()
        sightingCount += 1
    }

    /// Connects, trying again where the peer did not hear it; gives up after `patience`.
    public func connect(
        to peer: DeviceAddress,
        patience: TimeSpan = .seconds(10),
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ answer: @escaping Answer<CentralLink>
    ) {
        if let link = links.first(where: { $0.peer == peer }) { return answer(.success(link)) }
        let entry = log.begin(.connect, at: now, peer: peer)
        changeCount += 1
        guard connecting == nil else {
            return refuse(entry, .init(kind: .notNow, sentence: "a connection is just being made"), at: now, answer)
        }
        do {
            var parameters = ConnectParameters()
            parameters.timeout = patience
            try host.connect(to: peer, parameters, at: now, into: &actions)
            connecting = ConnectionAttempt(peer: peer, entry: entry, deadline: now + patience, answer: answer)
        } catch {
            refuse(entry, Refusal(kind: .notNow, sentence: "\(error)"), at: now, answer)
        }
    }

    public func disconnect(_ peer: DeviceAddress, host: Host, at now: Instant, into actions: inout HostActions)
        throws(Refusal)
    {
        if let attempt = connecting, attempt.peer == peer {
            if let link = attempt.link {
                try? host.disconnect(link.id, at: now, into: &actions)
            } else {
                try? host.cancelConnect(at: now, into: &actions)
            }
            return
        }
        let link = try link(to: peer)
        try? host.disconnect(links[link].id, at: now, into: &actions)
    }

    /// Finds all services and what is in them.
    public func discover(
        _ peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ answer: @escaping Answer<RemoteDatabase>
    ) {
        run(.discover, on: peer, at: now, answer) { id throws(OrderError) in
            try host.discoverAll(id, at: now, into: &actions)
        } finish: { central, link, result in
            guard case .database(let database) = result else { return nil }
            central.links[link].database = database
            return (database, nil, "\(database.services.count) services")
        }
    }

    /// Reads all of a value.
    public func read(
        _ handle: AttributeHandle,
        of peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ answer: @escaping Answer<[UInt8]>
    ) {
        run(.read, on: peer, handle: handle, at: now, answer) { id throws(OrderError) in
            try host.read(id, handle, at: now, into: &actions)
        } finish: { central, link, result in
            guard case .value(let value) = result else { return nil }
            return (value, value, nil)
        }
    }

    /// Writes a value and waits for the peer's word that it has it.
    public func write(
        _ value: [UInt8],
        to handle: AttributeHandle,
        of peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ answer: @escaping Answer<Void>
    ) {
        run(.write, on: peer, handle: handle, value: value, at: now, answer) { id throws(OrderError) in
            try host.write(value, id, handle, at: now, into: &actions)
        } finish: { _, _, result in
            guard case .written = result else { return nil }
            return ((), nil, nil)
        }
    }

    /// Sends a value that nobody answers.
    public func writeCommand(
        _ value: [UInt8],
        to handle: AttributeHandle,
        of peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) throws(Refusal) {
        let link = try link(to: peer)
        let uuid = links[link].uuid(at: handle)
        var failure: String?
        do {
            let wasTaken = try host.writeCommand(value, links[link].id, handle, at: now, into: &actions)
            if !wasTaken { failure = "the queue for this connection is full; wait a moment" }
        } catch {
            failure = "\(error)"
        }
        log.note(
            .writeCommand,
            at: now,
            peer: peer,
            handle: handle,
            uuid: uuid,
            value: value,
            outcome: failure,
            hasFailed: failure != nil
        )
        changeCount += 1
        if let failure { throw Refusal(kind: .notNow, sentence: failure) }
    }

    /// Turns notifications on, or indications where there are only those; or off.
    public func subscribe(
        _ isOn: Bool,
        to handle: AttributeHandle,
        of peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ answer: @escaping Answer<Subscription?>
    ) {
        guard let link = links.firstIndex(where: { $0.peer == peer }) else {
            return answer(.failure(.notConnected(peer)))
        }
        guard let characteristic = links[link].characteristic(at: handle) else {
            return answer(
                .failure(
                    Refusal(kind: .noSuchThing, sentence: "there is no characteristic at \(handle); discover first")
                )
            )
        }
        guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
            return answer(
                .failure(Refusal(kind: .notNow, sentence: "\(characteristic.uuid) neither notifies nor indicates"))
            )
        }
        let kind: Subscription = characteristic.properties.contains(.notify) ? .notifications : .indications
        run(isOn ? .subscribe : .unsubscribe, on: peer, handle: characteristic.valueHandle, at: now, answer) {
            id throws(OrderError) in
            isOn
                ? try host.subscribe(id, to: characteristic, kind, at: now, into: &actions)
                : try host.unsubscribe(id, from: characteristic, at: now, into: &actions)
        } finish: { central, link, result in
            guard case .written = result else { return nil }
            central.links[link].subscriptions[characteristic.valueHandle] = isOn ? kind : nil
            return (isOn ? kind : nil, nil, nil)
        }
    }

    /// Pairs, and makes a bond. What a person has to say in between is the link's `question`.
    public func pair(
        _ peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions,
        _ answer: @escaping Answer<LinkSecurity>
    ) {
        guard let link = links.first(where: { $0.peer == peer }) else { return answer(.failure(.notConnected(peer))) }
        let entry = log.begin(.pair, at: now, peer: peer)
        changeCount += 1
        do {
            try host.pair(link.id, at: now, into: &actions)
            pairings[link.id] = (entry, answer)
        } catch {
            refuse(entry, Refusal(kind: .notNow, sentence: "\(error)"), at: now, answer)
        }
    }

    /// What a person says to the question of a pairing.
    public func answer(
        _ word: PairingAnswer,
        to peer: DeviceAddress,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) throws(Refusal) {
        let link = try link(to: peer)
        do {
            try host.answer(word, on: links[link].id, at: now, into: &actions)
        } catch {
            throw Refusal(kind: .notNow, sentence: "\(error)")
        }
        links[link].question = nil
        changeCount += 1
    }

    /// The central is taken away: whoever waits for an answer has none to expect.
    func abandon(at now: Instant) {
        let refusal = Refusal(kind: .notNow, sentence: "the central was removed")
        if let attempt = connecting { attempt.answer(.failure(refusal)) }
        connecting = nil
        for number in procedures.values.sorted(by: { $0.entry < $1.entry }) {
            number.answer(.failed(.disconnected), now)
        }
        procedures = [:]
        for pairing in pairings.values.sorted(by: { $0.entry < $1.entry }) { pairing.answer(.failure(refusal)) }
        pairings = [:]
    }

    /// Whom it is just connecting to.
    public var target: DeviceAddress? { connecting?.peer }

    // MARK: HostApplication

    public func start(host: Host, at now: Instant, into actions: inout HostActions) {
        host.powerOn(at: now, into: &actions)
    }

    public func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn:
            isUp = true
            changeCount += 1
            followWish(host: host, at: now, into: &actions)
        case .startFailed, .controllerFailed:
            isUp = false
            changeCount += 1
        case .scanningStarted:
            isScanning = true
            changeCount += 1
        case .scanningEnded:
            isScanning = false
            changeCount += 1
            followWish(host: host, at: now, into: &actions)
        case .advertisingReport(let report):
            if sightings.absorb(report, at: now) != nil { sightingCount += 1 }
        case .connected(let description): connected(description, host: host, at: now, into: &actions)
        case .connectFailed(let peer, let failure):
            guard let attempt = connecting, attempt.peer == peer else { return }
            connecting = nil
            refuse(attempt.entry, Refusal(failure, peer), at: now, attempt.answer)
        case .disconnected(let id, let reason):
            if connecting?.link?.id == id {
                attemptFailed(reason, host: host, at: now, into: &actions)
            } else {
                disconnected(id, reason, at: now)
            }
        case .parametersChanged(let id, let parameters): change(id) { $0.parameters = parameters }
        case .mtuChanged(let id, let mtu):
            change(id) { $0.mtu = mtu }
            log.note(.mtu, at: now, peer: peer(of: id), outcome: "\(mtu) bytes")
        case .signalStrength(let id, let strength): change(id) { $0.signalStrength = strength }
        case .client(let event): handle(event, at: now)
        case .security(let event): handle(event, host: host, at: now, into: &actions)
        default: break
        }
    }

    public var nextDeadline: Instant? { nextLook }

    /// Looks how strong the links are, twice a second.
    public func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        guard let look = nextLook, look <= now else { return }
        for link in links { try? host.readRSSI(link.id, at: now, into: &actions) }
        nextLook = links.isEmpty ? nil : now + .milliseconds(500)
    }

    // MARK: What happens

    private func followWish(host: Host, at now: Instant, into actions: inout HostActions) {
        guard isUp, wantsToScan != isScanning else { return }
        if wantsToScan {
            try? host.startScanning(at: now, into: &actions)
        } else {
            try? host.stopScanning(at: now, into: &actions)
        }
    }

    private func connected(
        _ description: ConnectionDescription,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let link = CentralLink(
            id: description.id,
            // As the one who asked knows it.
            peer: connecting?.peer ?? description.peer,
            isBonded: description.isBonded,
            since: now,
            parameters: description.parameters
        )
        let proof = try? host.exchangeMTU(description.id, at: now, into: &actions)
        guard connecting != nil else { return adopt(link, at: now) }
        connecting?.link = link
        connecting?.proof = proof
        if proof == nil { attemptSucceeded(at: now) }
    }

    private func adopt(_ link: CentralLink, at now: Instant) {
        links.append(link)
        nextLook = nextLook ?? now + .milliseconds(100)
        changeCount += 1
    }

    /// The peer has answered.
    private func attemptSucceeded(at now: Instant) {
        guard let attempt = connecting, let link = attempt.link else { return }
        connecting = nil
        adopt(link, at: now)
        log.end(attempt.entry, at: now, outcome: "interval \(link.parameters.interval.span)")
        attempt.answer(.success(link))
    }

    private func attemptFailed(
        _ reason: ControllerError,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard let attempt = connecting else { return }
        connecting?.link = nil
        connecting?.proof = nil
        if attempt.triesAgain(after: reason, at: now) {
            var parameters = ConnectParameters()
            parameters.timeout = attempt.deadline - now
            if (try? host.connect(to: attempt.peer, parameters, at: now, into: &actions)) != nil { return }
        }
        connecting = nil
        refuse(attempt.entry, Refusal(.refused(reason), attempt.peer), at: now, attempt.answer)
    }

    private func disconnected(_ id: ConnectionID, _ reason: ControllerError, at now: Instant) {
        guard let index = links.firstIndex(where: { $0.id == id }) else { return }
        let link = links.remove(at: index)
        log.note(.disconnect, at: now, peer: link.peer, outcome: "\(reason)", hasFailed: reason == .connectionTimeout)
        changeCount += 1
        if let pairing = pairings.removeValue(forKey: id) {
            refuse(
                pairing.entry,
                Refusal(kind: .notNow, sentence: "the connection is lost: \(reason)"),
                at: now,
                pairing.answer
            )
        }
    }

    private func handle(_ event: GATTClientEvent, at now: Instant) {
        switch event {
        // The link's end tells more than the procedure's.
        case .procedureCompleted(connecting?.proof, _, .failed(.disconnected)): break
        case .procedureCompleted(connecting?.proof, _, _): attemptSucceeded(at: now)
        case .procedureCompleted(let procedure, _, let result):
            guard let waiting = procedures.removeValue(forKey: procedure) else { return }
            changeCount += 1
            waiting.answer(result, now)
        case .notificationReceived(let id, let handle, let value, let isIndication):
            guard let link = links.firstIndex(where: { $0.id == id }) else { return }
            links[link].keep(value, of: handle, at: now)
            log.note(
                isIndication ? .indication : .notification,
                at: now,
                peer: links[link].peer,
                handle: handle,
                uuid: links[link].uuid(at: handle),
                value: value
            )
            changeCount += 1
        case .unexpectedPDU: break
        }
    }

    private func handle(_ event: SecurityEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .pairing(.consentRequested(let id, _)): ask(.consent, on: id)
        case .pairing(.comparisonRequested(let id, let digits)): ask(.comparison(digits), on: id)
        case .pairing(.passkeyShown(let id, let digits)): ask(.passkeyShown(digits), on: id)
        case .pairing(.passkeyRequested(let id)): ask(.passkeyWanted, on: id)
        case .pairing(.failed(let id, let failure)):
            ask(nil, on: id)
            guard let pairing = pairings.removeValue(forKey: id) else { return }
            refuse(
                pairing.entry,
                Refusal(kind: .refusedByPeer, sentence: "pairing failed: \(failure)"),
                at: now,
                pairing.answer
            )
        case .paired(let id, let result):
            ask(nil, on: id)
            change(id) { $0.isBonded = result.isBonded }
            guard let pairing = pairings.removeValue(forKey: id) else { return }
            log.end(pairing.entry, at: now, outcome: "\(result.method)")
            pairing.answer(.success(host.security(of: id) ?? LinkSecurity()))
        case .encryptionChanged(let id, let security):
            change(id) { $0.security = security }
            log.note(
                .security,
                at: now,
                peer: peer(of: id),
                outcome: security.isEncrypted ? "encrypted" : "not encrypted"
            )
        case .encryptionFailed(let id, let error):
            log.note(.security, at: now, peer: peer(of: id), outcome: "\(error)", hasFailed: true)
            changeCount += 1
        default: break
        }
    }

    private func ask(_ question: PairingQuestion?, on id: ConnectionID) { change(id) { $0.question = question } }

    // MARK: Help

    private func peer(of id: ConnectionID) -> DeviceAddress? {
        links.first { $0.id == id }?.peer ?? (connecting?.link?.id == id ? connecting?.peer : nil)
    }

    private func link(to peer: DeviceAddress) throws(Refusal) -> Int {
        guard let index = links.firstIndex(where: { $0.peer == peer }) else { throw .notConnected(peer) }
        return index
    }

    private func change(_ id: ConnectionID, _ body: (inout CentralLink) -> Void) {
        if var link = connecting?.link, link.id == id {
            body(&link)
            connecting?.link = link
        }
        guard let index = links.firstIndex(where: { $0.id == id }) else { return }
        body(&links[index])
        changeCount += 1
    }

    private func refuse<Value>(_ entry: Int, _ refusal: Refusal, at now: Instant, _ answer: Answer<Value>) {
        log.end(entry, at: now, outcome: refusal.sentence, hasFailed: true)
        changeCount += 1
        answer(.failure(refusal))
    }

    /// Has the host do something on a link and writes into the log what comes of it.
    private func run<Value>(
        _ kind: OperationLog.Entry.Kind,
        on peer: DeviceAddress,
        handle: AttributeHandle? = nil,
        value: [UInt8]? = nil,
        at now: Instant,
        _ answer: @escaping Answer<Value>,
        begin: (ConnectionID) throws(OrderError) -> ProcedureID,
        finish: @escaping (StageCentral, Int, ProcedureResult) -> (Value, [UInt8]?, outcome: String?)?
    ) {
        guard let link = links.first(where: { $0.peer == peer }) else { return answer(.failure(.notConnected(peer))) }
        let uuid = handle.flatMap { link.uuid(at: $0) }
        let entry = log.begin(kind, at: now, peer: peer, handle: handle, uuid: uuid, value: value)
        changeCount += 1
        let procedure: ProcedureID
        do {
            procedure = try begin(link.id)
        } catch {
            return refuse(entry, Refusal(kind: .notNow, sentence: "\(error)"), at: now, answer)
        }
        procedures[procedure] = (
            entry,
            { [unowned self] result, now in
                guard let index = links.firstIndex(where: { $0.id == link.id }),
                    let (found, bytes, outcome) = finish(self, index, result)
                else { return refuse(entry, Refusal(result), at: now, answer) }
                if let bytes, let handle { links[index].keep(bytes, of: handle, at: now) }
                log.end(entry, at: now, value: bytes, outcome: outcome)
                answer(.success(found))
            }
        )
    }
}

extension StageCentral.Refusal {
    static func notConnected(_ peer: DeviceAddress) -> Self {
        Self(kind: .notNow, sentence: "there is no connection to \(peer)")
    }

    init(_ failure: ConnectFailure, _ peer: DeviceAddress) {
        switch failure {
        case .cancelled: self.init(kind: .notNow, sentence: "the attempt to connect to \(peer) was given up")
        case .timeout: self.init(kind: .timeout, sentence: "\(peer) did not answer; is it near and advertising?")
        case .refused(let error): self.init(kind: .refusedByPeer, sentence: "cannot connect to \(peer): \(error)")
        case .controllerFailed: self.init(kind: .notNow, sentence: "the controller has failed")
        }
    }

    init(_ result: ProcedureResult) {
        switch result {
        case .failed(.refused(let error, _, _)):
            self.init(kind: .refusedByPeer, sentence: "the peer says no: \(error)", attError: error.rawValue)
        case .failed(.timedOut): self.init(kind: .timeout, sentence: "the peer did not answer within 30 s")
        case .failed(.disconnected): self.init(kind: .notNow, sentence: "the connection is lost")
        default: self.init(kind: .refusedByPeer, sentence: "the peer's answer makes no sense")
        }
    }
}
