internal import BluethroatPhoneService
private import Synchronization

/// The L2CAP channels of one manager.
///
/// Bytes go to their channel on the thread that brings them, without waiting for the manager's queue: an app that
/// blocks its queue in `read` still gets them. The app gets a stream only after it was notified of the channel, so that
/// nothing can overtake that.
final class ChannelBook: Sendable {
    private struct State {
        var session: SessionID?
        /// Those that are open.
        var pipes: [AppChannelID: ChannelPipe] = [:]
        /// Those that are closed, and may have something to read yet.
        var closed: [AppChannelID: WeakPipe] = [:]
        /// Those of which the app has not been notified yet.
        var arriving: [AppChannelID: ChannelPipe] = [:]
    }

    private let environment: BluetoothEnvironment
    private let state = Mutex(State())

    init(_ environment: BluetoothEnvironment) { self.environment = environment }

    /// The manager's session has begun.
    func begin(_ session: SessionID) { state.withLock { $0.session = session } }

    /// Looks at what concerns channels. Whether that is all that there is to it.
    func takes(_ event: SessionEvent) -> Bool {
        switch event {
        case .channel(let id, let event):
            let pipe = state.withLock { state in
                guard let pipe = state.pipes[id] else { return state.closed[id]?.pipe }
                if case .closed = event {
                    state.pipes[id] = nil
                    state.closed[id] = WeakPipe(pipe: pipe)
                }
                return pipe
            }
            pipe?.receive(event)
            return true
        default:
            if event.opensChannel { noteOpened(event) }
            return false
        }
    }

    /// The channel of which the app is notified next.
    func arrival(_ channel: OpenChannel) -> ChannelPipe? {
        state.withLock { $0.arriving.removeValue(forKey: channel.id) }
    }

    /// The manager is gone.
    func endAll() {
        let pipes = state.withLock { state in
            defer { state.pipes = [:] }
            return state.pipes.values.sorted { $0.id.number < $1.id.number }
        }
        for pipe in pipes { pipe.receive(.closed(nil)) }
    }

    private func noteOpened(_ event: SessionEvent) {
        switch event {
        case .central(.peer(_, _, .channelOpened(let channel))), .peripheral(.channelOpened(let channel, _)):
            add(channel)
        default: break
        }
    }

    private func add(_ channel: OpenChannel) {
        guard let session = state.withLock({ $0.session }) else { return }
        let port = environment.port
        let pipe = ChannelPipe(channel, delivery: environment.delivery) { port.submit($0, from: session) }
        state.withLock { state in
            state.closed = state.closed.filter { $0.value.pipe != nil }
            state.pipes[channel.id] = pipe
            state.arriving[channel.id] = pipe
        }
    }
}

/// A channel as long as the app keeps it, or a stream of it.
private struct WeakPipe: Sendable {
    weak var pipe: ChannelPipe?
}
