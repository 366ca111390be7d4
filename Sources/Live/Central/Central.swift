public import BluethroatBluetoothValues
public import BluethroatEvents
public import BluethroatHCITransports
public import BluethroatHost
import BluethroatLiveLoop
public import BluethroatLiveWorld
public import BluethroatVirtualTime

/// A central on one controller that does one thing after the other: find, connect, ask, leave.
///
/// All that happens comes through one stream in its order; every step waits for what it needs and takes note of the
/// rest. Used by one task.
public final class Central {
    /// When the last thing happened, since the controller was opened.
    public private(set) var present = Instant.zero
    /// The connection, while there is one.
    public private(set) var connection: ConnectionDescription?
    /// How the connection is secured.
    public private(set) var security = LinkSecurity()
    /// How the connection is on the air.
    private var phys = ConnectionPHYs.usual
    /// The devices that were heard while the latest one was looked for, in the order in which they were first heard.
    public internal(set) var heard: [DiscoveryCache.Entry] = []
    /// The bonds there were when the command began, and its identity for those; nil if it has no lasting one.
    let memory: CentralMemory?
    /// What to type in order to pair with the device that is meant.
    package var pairingAdvice = "bluethroat pair DEVICE --bond"
    /// Lines of the person that were not asked for yet; nil is the end of the input.
    var lines: [String?] = []

    /// Where the controller is.
    public let endpoint: HCIEndpoint
    /// Answers what has to be asked during pairing.
    let person: any PairingPerson
    private let report: (CentralEvent, Instant) -> Void
    private let live: LiveLoop<CentralMachine>
    private let transport: any HCITransport
    private var happenings: AsyncStream<CentralInput>.Iterator
    private let happened: AsyncStream<CentralInput>.Continuation
    private var readsLines = false
    private var isControllerGone = false
    /// Why what was recorded is not whole, after `close`; nil if it is, or if nothing was.
    public private(set) var captureFailure: OperationFailure?
    /// Counts alarms, so that one that went off too late is not taken for the next.
    private var alarm = 0
    /// Values that came while something else was waited for.
    private var values: [ReceivedValue] = []

    /// A value that the server sent by itself.
    public struct ReceivedValue: Hashable, Sendable {
        /// Which attribute.
        public var handle: AttributeHandle
        /// The value, as the server sent it.
        public var bytes: [UInt8]
        /// Whether it was an indication, which was confirmed.
        public var isIndication: Bool
    }

    private init(
        _ endpoint: HCIEndpoint,
        _ live: LiveLoop<CentralMachine>,
        _ transport: any HCITransport,
        _ happenings: AsyncStream<CentralInput>,
        _ happened: AsyncStream<CentralInput>.Continuation,
        _ memory: CentralMemory?,
        _ person: any PairingPerson,
        emit: @escaping (CentralEvent, Instant) -> Void
    ) {
        self.endpoint = endpoint
        self.live = live
        self.transport = transport
        self.happenings = happenings.makeAsyncIterator()
        self.happened = happened
        self.memory = memory
        self.person = person
        report = emit
    }

    /// Opens the controller and brings it up.
    ///
    /// - Parameters:
    ///   - memory: the bonds there are, and the central's identity for those; nil for no lasting one.
    ///   - files: what crosses HCI goes into them.
    ///   - opener: a command that would put a controller where none is, for the sentence about that.
    ///   - person: answers what has to be asked during pairing; without one such questions end a pairing.
    ///   - configure: changes how the host is configured.
    ///   - opened: called as soon as the central can be interrupted, with what does that: the operation under way then
    ///     throws `OperationFailure.interruption`.
    ///   - emit: takes what happens, and when.
    public static func open(
        _ endpoint: HCIEndpoint,
        memory: CentralMemory? = nil,
        capturing files: CaptureFiles = CaptureFiles(),
        opener: String = HCITransportError.usualOpener,
        person: any PairingPerson = AbsentPerson(),
        configure: (inout HostConfiguration) -> Void = { _ in },
        whenOpened opened: (@escaping @Sendable () -> Void) -> Void = { _ in },
        emit: @escaping (CentralEvent, Instant) -> Void
    ) async throws(OperationFailure) -> Central {
        let (happenings, happened) = AsyncStream.makeStream(of: CentralInput.self)
        var configuration = HostConfiguration(seed: .random(in: .min ... .max))
        configuration.secret = .fromSystem()
        memory?.configure(&configuration)
        configure(&configuration)
        let captures: Captures?
        do throws(CaptureError) {
            captures = try files.open(epoch: Captures.epochNow) {
                happened.yield(.captureFailed(OperationFailure("\($0)")))
            }
        } catch {
            throw OperationFailure("\(error)")
        }
        let live = LiveLoop(
            CentralMachine(configuration, bonds: memory.map { NamedBonds($0.database) }, captures: captures) {
                happened.yield($0)
            }
        )
        let callbacks = HCITransportCallbacks(
            received: { batch in live.post { $0.receive(batch.packets) } },
            // Behind the last packets, not before them.
            ended: { end in live.post { _ in happened.yield(.linkEnded(end)) } }
        )
        let transport: any HCITransport
        do throws(HCITransportError) {
            transport = try await endpoint.open(callbacks)
        } catch {
            await live.perform { $0.discardCaptures() }
            throw OperationFailure(error.advised(opener: opener))
        }
        opened { happened.yield(.askedToEnd) }
        let central = Central(endpoint, live, transport, happenings, happened, memory, person, emit: emit)
        do throws(OperationFailure) {
            try await central.powerOn()
        } catch {
            transport.close()
            throw error
        }
        return central
    }

    private func powerOn() async throws(OperationFailure) {
        let transport = transport
        await live.perform { machine in
            machine.attach { transport.send($0) }
            machine.order { host, now, actions in host.powerOn(at: now, into: &actions) }
        }
        try await wait { event throws(OperationFailure) in
            switch event {
            case .poweredOn: return ()
            case .startFailed(let failure): throw OperationFailure("\(self.endpoint) cannot be used: \(failure)")
            default: return nil
            }
        }
        if let error = await live.perform({ $0.host.bondStoreError }) { throw OperationFailure("\(error)") }
    }

    /// Reports something that has happened.
    package func emit(_ event: CentralEvent) { report(event, present) }

    /// Takes over a new connection.
    func adopt(_ new: ConnectionDescription) {
        connection = new
        emit(.connected(new))
    }

    /// Disconnects if there is a connection, and leaves the controller silent. Never fails: an error has no caller. Where the
    /// controller is gone, nothing is waited for.
    public func close() async {
        await endScan()
        if let connection, !isControllerGone {
            let id = connection.id
            try? await order { host, now, actions throws(OrderError) in
                try host.disconnect(id, at: now, into: &actions)
            }
            _ = try? await wait(for: .seconds(5)) { _ in nil as Void? }
        }
        captureFailure = await live.perform { machine in
            machine.order { host, now, actions in host.powerOff(at: now, into: &actions) }
            return machine.closeCaptures()
        }
        transport.close()
    }

    /// Ends a scan that is still under way: not every controller's reset does.
    private func endScan() async {
        guard !isControllerGone else { return }
        let wasScanning: Void? = try? await order { host, now, actions throws(OrderError) in
            try host.stopScanning(at: now, into: &actions)
        }
        guard wasScanning != nil else { return }
        _ = try? await wait(for: .seconds(1)) { event in
            if case .scanningEnded = event { () } else { nil }
        }
    }
}

// MARK: Orders and what comes of them

extension Central {
    /// Gives the host an order. A refusal is a failure.
    @discardableResult
    public func order<Answer: Sendable>(
        _ order: @escaping @Sendable (Host, Instant, inout HostActions) throws(OrderError) -> Answer
    ) async throws(OperationFailure) -> Answer {
        do throws(OrderError) {
            return try await live.perform { machine throws(OrderError) in try machine.order(order) }
        } catch {
            throw OperationFailure("\(endpoint): \(error)")
        }
    }

    /// Gives the host an order about pairing, or changes how it is paired.
    @discardableResult
    func pairingOrder<Answer: Sendable>(
        _ order: @escaping @Sendable (CentralMachine, Instant, inout HostActions) throws(PairingOrderError) -> Answer
    ) async throws(OperationFailure) -> Answer {
        do throws(PairingOrderError) {
            return try await live.perform { machine throws(PairingOrderError) in
                try machine.order { (_, now, actions) throws(PairingOrderError) in try order(machine, now, &actions) }
            }
        } catch {
            throw OperationFailure("cannot pair: \(error)")
        }
    }

    /// Waits for an event that `match` makes something of.
    public func wait<Found>(
        _ match: (HostEvent) throws(OperationFailure) -> Found?
    ) async throws(OperationFailure) -> Found {
        while true {
            if case .host(let event) = try await next(), let found = try match(event) { return found }
        }
    }

    /// The same for so long; nil if nothing of the kind has come by then.
    public func wait<Found>(
        for patience: TimeSpan,
        _ match: (HostEvent) throws(OperationFailure) -> Found?
    ) async throws(OperationFailure) -> Found? {
        alarm += 1
        let number = alarm
        await live.perform { $0.setAlarm(number, in: patience) }
        defer { live.post { $0.cancelAlarm() } }
        while true {
            switch try await next() {
            case .host(let event): if let found = try match(event) { return found }
            case .alarm(number): return nil
            case .alarm, .line, .input: continue
            }
        }
    }

    /// Lets data be heard of, among all that happens, by `nextOfPipe`.
    func hear(_ input: any ChannelEnds, inPiecesOf length: Int) {
        let happened = happened
        input.start(length) { happened.yield(.input($0)) }
    }

    /// The events that a transfer of data over channels has to handle.
    enum PipeEvent {
        case channel(ChannelEvent)
        case input([UInt8])
    }

    /// The next thing that happens to a channel or comes from standard input.
    func nextOfPipe() async throws(OperationFailure) -> PipeEvent {
        while true {
            switch try await next() {
            case .host(.channel(let event)): return .channel(event)
            case .input(let piece): return .input(piece)
            default: continue
            }
        }
    }

    enum Next {
        case host(HostEvent)
        case alarm(Int)
        /// Standard input has said something; it is in `lines`.
        case line
        /// A piece of standard input; an empty one is its end.
        case input([UInt8])
    }

    /// From now on the user's input comes as lines. What was typed before a question does not count.
    func readLines() {
        guard !readsLines else {
            if person.isInteractive { lines = [] }
            return
        }
        readsLines = true
        let happened = happened
        person.readLines { happened.yield(.line($0)) }
    }

    func next() async throws(OperationFailure) -> Next {
        switch await happenings.next(isolation: #isolation) {
        case .host(let event, let instant):
            present = instant
            try note(event)
            return .host(event)
        case .alarm(let number): return .alarm(number)
        case .line(let line):
            lines.append(line)
            return .line
        case .input(let piece): return .input(piece)
        case .captureFailed(let failure):
            emit(.warning(failure.message))
            return try await next()
        case .linkEnded(let end):
            isControllerGone = true
            throw OperationFailure("\(endpoint): \(end)")
        case .askedToEnd, nil: throw .interruption
        }
    }

    /// What matters whatever is waited for.
    private func note(_ event: HostEvent) throws(OperationFailure) {
        switch event {
        case .client(.notificationReceived(let id, let handle, let bytes, let isIndication))
        where id == connection?.id:
            values.append(ReceivedValue(handle: handle, bytes: bytes, isIndication: isIndication))
        case .disconnected(let id, let reason):
            guard let lost = connection, lost.id == id else { return }
            connection = nil
            security = LinkSecurity()
            phys = .usual
            emit(.disconnected(lost.peer, reason: reason))
            throw OperationFailure("the connection to \(lost.peer) is lost: \(reason)", hciError: reason.rawValue)
        case .security(let event): try note(event)
        case .phys(let id, let new):
            guard connection?.id == id, new != phys else { return }
            phys = new
            emit(.phys(new))
        case .controllerFailed(let failure):
            throw OperationFailure("\(endpoint) has failed: \(failure)")
        default: break
        }
    }

    /// How the link is secured matters to every command; that a peer has lost the bond ends all but those that pair.
    private func note(_ event: SecurityEvent) throws(OperationFailure) {
        switch event {
        case .encryptionChanged(let id, let new):
            guard connection?.id == id else { return }
            security = new
            emit(.encrypted(new))
        case .encryptionFailed(let id, let error):
            guard connection?.id == id else { return }
            throw .notEncrypted(peer, error, pairing: pairingAdvice)
        case .pairing(.securityRequested(let id, _)):
            guard let connection, connection.id == id else { return }
            emit(.securityWanted(connection.peer, pairing: pairingAdvice))
        case .bondStoreFailed(let error): emit(.warning("\(error)"))
        default: break
        }
    }

    /// The next value that the server sends by itself; nil if there was none for so long.
    public func nextValue(within patience: TimeSpan?) async throws(OperationFailure) -> ReceivedValue? {
        if values.isEmpty {
            let came: (HostEvent) -> Void? = { [self] _ in values.isEmpty ? nil : () }
            if let patience {
                guard try await wait(for: patience, came) != nil else { return nil }
            } else {
                try await wait(came)
            }
        }
        return values.removeFirst()
    }
}

extension ConnectionPHYs {
    /// How every connection begins here.
    fileprivate static let usual = Self(sending: .le1M, receiving: .le1M)
}
