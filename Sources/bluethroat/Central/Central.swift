import BluetoothValues
import HCITransports
import Host
import LiveLoop
import VirtualTime

/// A central on one controller, for commands that do one thing after the other: find, connect, ask, leave.
///
/// All that happens comes through one stream in its order; every step waits for what it needs and takes note of the
/// rest. Used by one task.
final class Central {
    /// When the last thing happened, since the command began.
    private(set) var present = Instant.zero
    /// The connection, while there is one.
    private(set) var connection: ConnectionDescription?
    /// How the connection is secured.
    private(set) var security = LinkSecurity()
    /// How the connection is on the air.
    private var phys = ConnectionPHYs.usual
    /// The bonds there were when the command began, and who the central is to those; nil if it is nobody in particular.
    let memory: CentralMemory?
    /// What to type in order to pair with the device that is meant.
    var pairingAdvice = "bluethroat pair DEVICE --bond"
    /// What standard input has said and nobody has asked for yet; nil is its end.
    var lines: [String?] = []

    let endpoint: HCIEndpoint
    private let report: (CentralNews, Instant) -> Void
    private let live: LiveLoop<CentralMachine>
    private let transport: any HCITransport
    private var happenings: AsyncStream<CentralEvent>.Iterator
    private let happened: AsyncStream<CentralEvent>.Continuation
    private var readsLines = false
    private var isControllerGone = false
    /// Counts alarms, so that one that went off too late is not taken for the next.
    private var alarm = 0
    /// Values that came while something else was waited for.
    private var values: [ReceivedValue] = []

    /// A value that the server sent by itself.
    struct ReceivedValue: Hashable, Sendable {
        var handle: AttributeHandle
        var bytes: [UInt8]
        var isIndication: Bool
    }

    private init(
        _ endpoint: HCIEndpoint,
        _ live: LiveLoop<CentralMachine>,
        _ transport: any HCITransport,
        _ happenings: AsyncStream<CentralEvent>,
        _ happened: AsyncStream<CentralEvent>.Continuation,
        _ memory: CentralMemory?,
        tell: @escaping (CentralNews, Instant) -> Void
    ) {
        self.endpoint = endpoint
        self.live = live
        self.transport = transport
        self.happenings = happenings.makeAsyncIterator()
        self.happened = happened
        self.memory = memory
        report = tell
    }

    /// Opens the controller and brings it up. What crosses HCI goes into `files`, if there are any; `opener` is what to start
    /// where nobody listens. `tell` hears what is worth telling.
    static func open(
        _ endpoint: HCIEndpoint,
        memory: CentralMemory? = nil,
        capturing files: (air: String?, log: String?) = (nil, nil),
        opener: String = HCITransportError.usualOpener,
        configure: (inout HostConfiguration) -> Void = { _ in },
        tell: @escaping (CentralNews, Instant) -> Void
    ) async throws(CommandFailure) -> Central {
        let (happenings, happened) = AsyncStream.makeStream(of: CentralEvent.self)
        var configuration = HostConfiguration(seed: .random(in: .min ... .max))
        configuration.secret = .fromSystem()
        memory?.configure(&configuration)
        configure(&configuration)
        var captures: Captures?
        if files.air != nil || files.log != nil {
            do throws(CaptureError) {
                captures = try Captures(air: files.air, log: files.log, epoch: Captures.epochNow) { failure in
                    happened.yield(.captureFailed(CommandFailure("\(failure)")))
                }
            } catch {
                throw CommandFailure("\(error)")
            }
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
            throw CommandFailure(error, opener: opener)
        }
        Signals.whenAsked { happened.yield(.askedToEnd) }
        let central = Central(endpoint, live, transport, happenings, happened, memory, tell: tell)
        do throws(CommandFailure) {
            try await central.powerOn()
        } catch {
            transport.close()
            throw error
        }
        return central
    }

    private func powerOn() async throws(CommandFailure) {
        let transport = transport
        await live.perform { machine in
            machine.attach { transport.send($0) }
            machine.order { host, now, actions in host.powerOn(at: now, into: &actions) }
        }
        try await wait { event throws(CommandFailure) in
            switch event {
            case .poweredOn: return ()
            case .startFailed(let failure): throw CommandFailure("\(self.endpoint) cannot be used: \(failure)")
            default: return nil
            }
        }
        if let error = await live.perform({ $0.host.bondStoreError }) { throw CommandFailure("\(error)") }
    }

    /// Tells whoever runs the command.
    func tell(_ news: CentralNews) { report(news, present) }

    /// Takes over a new connection.
    func adopt(_ new: ConnectionDescription) {
        connection = new
        tell(.connected(new))
    }

    /// Disconnects if there is a connection, and leaves the controller silent. Never fails: there is nobody to tell.
    func close() async {
        await endScan()
        if let connection {
            let id = connection.id
            try? await order { host, now, actions throws(OrderError) in
                try host.disconnect(id, at: now, into: &actions)
            }
            _ = try? await wait(for: .seconds(5)) { _ in nil as Void? }
        }
        await live.perform { machine in
            machine.order { host, now, actions in host.powerOff(at: now, into: &actions) }
            machine.closeCaptures()
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
    /// Gives the host an order. A refusal is a failure of the command.
    @discardableResult
    func order<Answer: Sendable>(
        _ order: @escaping @Sendable (Host, Instant, inout HostActions) throws(OrderError) -> Answer
    ) async throws(CommandFailure) -> Answer {
        do throws(OrderError) {
            return try await live.perform { machine throws(OrderError) in try machine.order(order) }
        } catch {
            throw CommandFailure("\(endpoint): \(error)")
        }
    }

    /// Gives the host an order about pairing, or changes how it is paired.
    @discardableResult
    func pairingOrder<Answer: Sendable>(
        _ order: @escaping @Sendable (CentralMachine, Instant, inout HostActions) throws(PairingOrderError) -> Answer
    ) async throws(CommandFailure) -> Answer {
        do throws(PairingOrderError) {
            return try await live.perform { machine throws(PairingOrderError) in
                try machine.order { (_, now, actions) throws(PairingOrderError) in try order(machine, now, &actions) }
            }
        } catch {
            throw CommandFailure("cannot pair: \(error)")
        }
    }

    /// Waits for an event that `match` makes something of.
    func wait<Found>(
        _ match: (HostEvent) throws(CommandFailure) -> Found?
    ) async throws(CommandFailure) -> Found {
        while true {
            if case .host(let event) = try await next(), let found = try match(event) { return found }
        }
    }

    /// The same for so long; nil if nothing of the kind has come by then.
    func wait<Found>(
        for patience: TimeSpan,
        _ match: (HostEvent) throws(CommandFailure) -> Found?
    ) async throws(CommandFailure) -> Found? {
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

    /// Lets standard input be heard of, among all that happens, by `nextOfPipe`.
    func hear(_ input: ChannelInput, inPiecesOf length: Int) {
        let happened = happened
        input.start(length) { happened.yield(.input($0)) }
    }

    /// What somebody has to react to who carries data over channels.
    enum PipeEvent {
        case channel(ChannelEvent)
        case input([UInt8])
    }

    /// The next thing that happens to a channel or comes from standard input.
    func nextOfPipe() async throws(CommandFailure) -> PipeEvent {
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

    /// From now on what standard input says comes as lines. What was typed before anybody asked does not count.
    func readLines() {
        guard !readsLines else {
            if StandardInput.isTerminal { lines = [] }
            return
        }
        readsLines = true
        let happened = happened
        StandardInput.readLines { happened.yield(.line($0)) }
    }

    func next() async throws(CommandFailure) -> Next {
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
            tell(.warning(failure.message))
            return try await next()
        case .linkEnded(let end):
            isControllerGone = true
            throw CommandFailure("\(endpoint): \(end)")
        case .askedToEnd, nil: throw .interruption
        }
    }

    /// What matters whatever is waited for.
    private func note(_ event: HostEvent) throws(CommandFailure) {
        switch event {
        case .client(.notificationReceived(let id, let handle, let bytes, let isIndication))
        where id == connection?.id:
            values.append(ReceivedValue(handle: handle, bytes: bytes, isIndication: isIndication))
        case .disconnected(let id, let reason):
            guard let lost = connection, lost.id == id else { return }
            connection = nil
            security = LinkSecurity()
            phys = .usual
            tell(.disconnected(lost.peer, reason: reason))
            throw CommandFailure("the connection to \(lost.peer) is lost: \(reason)", hciError: reason.rawValue)
        case .security(let event): try note(event)
        case .phys(let id, let new):
            guard connection?.id == id, new != phys else { return }
            phys = new
            tell(.phys(new))
        case .controllerFailed(let failure):
            throw CommandFailure("\(endpoint) has failed: \(failure)")
        default: break
        }
    }

    /// How the link is secured matters to every command; that a peer has lost the bond ends all but those that pair.
    private func note(_ event: SecurityEvent) throws(CommandFailure) {
        switch event {
        case .encryptionChanged(let id, let new):
            guard connection?.id == id else { return }
            security = new
            tell(.encrypted(new))
        case .encryptionFailed(let id, let error):
            guard connection?.id == id else { return }
            throw .notEncrypted(peer, error, pairing: pairingAdvice)
        case .pairing(.securityRequested(let id, _)):
            guard let connection, connection.id == id else { return }
            tell(.securityWanted(connection.peer, pairing: pairingAdvice))
        case .bondStoreFailed(let error): tell(.warning("\(error)"))
        default: break
        }
    }

    /// The next value that the server sends by itself; nil if there was none for so long.
    func nextValue(within patience: TimeSpan?) async throws(CommandFailure) -> ReceivedValue? {
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
