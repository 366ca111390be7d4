import BluetoothValues
import Host
import VirtualTime

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
    }

    private(set) var work = Work.nothing
    /// How often the work was done; with nothing to do, how many notifications have come.
    private(set) var count = 0
    private(set) var connection: ConnectionDescription?
    /// Procedures that have ended.
    private(set) var results = 0
    /// What came of the last of them.
    private(set) var result: ProcedureResult?
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
        case .connected(let description):
            connection = description
            if case .cycle = work { step(host: host, at: now, into: &actions) }
        case .disconnected(_, let reason):
            connection = nil
            guard case .cycle = work else {
                failure = failure ?? "disconnected: \(reason)"
                return
            }
            count += 1
            step(host: host, at: now, into: &actions)
        case .connectFailed(_, let error): failure = failure ?? "\(error)"
        default: break
        }
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}

    private func completed(host: Host, at now: Instant, into actions: inout HostActions) {
        switch work {
        case .discoverOnce: count += 1
        case .read, .discover:
            count += 1
            step(host: host, at: now, into: &actions)
        case .cycle:
            guard let connection else { return }
            attempt { () throws(OrderError) in try host.disconnect(connection.id, at: now, into: &actions) }
        case .nothing, .writeCommands: break
        }
    }

    private func step(host: Host, at now: Instant, into actions: inout HostActions) {
        guard let connection = connection?.id else {
            guard case .cycle(let peer) = work else { return }
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
        }
    }

    private func attempt(_ order: () throws(OrderError) -> Void) {
        do throws(OrderError) { try order() } catch { failure = failure ?? "\(error)" }
    }
}
