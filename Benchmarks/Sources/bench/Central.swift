import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime

/// A central that does one kind of work again and again, as soon as it can, and counts.
final class Central: HostApplication {
    enum Work {
        case nothing
        case read(AttributeHandle)
        case writeCommands(AttributeHandle, [UInt8])
        case discover
        case discoverOnce
        /// Connects, discovers, disconnects.
        case cycle(DeviceAddress)
        /// Connects and pairs; the peripheral disconnects.
        case pair(DeviceAddress)

        /// Whom a connection is wanted to, again and again.
        var peer: DeviceAddress? {
            switch self {
            case .cycle(let peer), .pair(let peer): peer
            default: nil
            }
        }
    }

    private(set) var work = Work.nothing
    /// How often the work was done; with nothing to do, how many notifications have come.
    private(set) var count = 0
    private(set) var connection: ConnectionDescription?
    /// Procedures that have ended.
    private(set) var results = 0
    /// What came of the last of them.
    private(set) var result: ProcedureResult?
    /// What the last pairing has made.
    private(set) var pairing: PairingResult?
    /// What is sent over a channel.
    private var sdu: [UInt8] = []
    /// The first thing that went wrong.
    private(set) var failure: String?

    /// Starts to work, from the application's own thread as it were.
    func begin(_ work: Work, host: Host, at now: Instant, into actions: inout HostActions) {
        self.work = work
        count = 0
        step(host: host, at: now, into: &actions)
    }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .client(.notificationReceived): count += 1
        case .client(.procedureCompleted(_, _, let result)):
            self.result = result
            results += 1
            if case .failed(let error) = result { failure = failure ?? "\(error)" }
            completed(host: host, at: now, into: &actions)
        case .readyToSend: step(host: host, at: now, into: &actions)
        case .channel(let event): handle(event, host: host, at: now, into: &actions)
        case .connected(let description):
            connection = description
            if work.peer != nil { step(host: host, at: now, into: &actions) }
        case .security(let event): handle(event)
        case .disconnected(_, let reason):
            connection = nil
            guard work.peer != nil else {
                failure = failure ?? "disconnected: \(reason)"
                return
            }
            forgetBonds(of: host, at: now, into: &actions)
            count += 1
            step(host: host, at: now, into: &actions)
        case .connectFailed(_, let error): failure = failure ?? "\(error)"
        default: break
        }
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}

    /// Channels are kept full, with the longest SDUs that the peer takes.
    private func handle(_ event: ChannelEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .opened(let description):
            sdu = [UInt8](repeating: 0x5A, count: description.peerMTU)
            fill(description.id, host: host, at: now, into: &actions)
        case .readyToSend(let channel): fill(channel, host: host, at: now, into: &actions)
        case .openFailed(_, let error): failure = failure ?? "\(error)"
        case .closed(_, let reason): failure = failure ?? "\(reason)"
        default: break
        }
    }

    private func fill(_ channel: L2CAPChannelID, host: Host, at now: Instant, into actions: inout HostActions) {
        attempt { () throws(OrderError) in while try host.send(sdu, on: channel, at: now, into: &actions) {} }
    }

    private func handle(_ event: SecurityEvent) {
        switch event {
        case .paired(_, let result): pairing = result
        case .pairing(.failed(_, let error)): failure = failure ?? "\(error)"
        case .encryptionFailed(_, let error): failure = failure ?? "\(error)"
        case .bondStoreFailed(let error): failure = failure ?? "\(error)"
        default: break
        }
    }

    private func completed(host: Host, at now: Instant, into actions: inout HostActions) {
        switch work {
        case .discoverOnce: count += 1
        case .read, .discover:
            count += 1
            step(host: host, at: now, into: &actions)
        case .cycle:
            guard let connection else { return }
            attempt { () throws(OrderError) in try host.disconnect(connection.id, at: now, into: &actions) }
        case .nothing, .writeCommands, .pair: break
        }
    }

    private func step(host: Host, at now: Instant, into actions: inout HostActions) {
        guard let connection = connection?.id else {
            guard let peer = work.peer else { return }
            return attempt { () throws(OrderError) in try host.connect(to: peer, at: now, into: &actions) }
        }
        switch work {
        case .nothing: break
        case .read(let handle):
            attempt { () throws(OrderError) in _ = try host.read(connection, handle, at: now, into: &actions) }
        case .writeCommands(let handle, let value):
            attempt { () throws(OrderError) in
                while try host.writeCommand(value, connection, handle, at: now, into: &actions) {}
            }
        case .discover, .discoverOnce, .cycle:
            attempt { () throws(OrderError) in _ = try host.discoverAll(connection, at: now, into: &actions) }
        case .pair:
            attempt { () throws(PairingOrderError) in try host.pair(connection, at: now, into: &actions) }
        }
    }

    private func attempt<Failure>(_ order: () throws(Failure) -> Void) {
        do throws(Failure) { try order() } catch { failure = failure ?? "\(error)" }
    }
}
