public import NIOCore
import Synchronization

/// A connection that a port has accepted, with the time that its peer has. All calls are made on the channel's thread.
public final class AcceptedConnection: Sendable {
    /// Why the port ends a connection.
    public enum Drop: Sendable {
        /// The peer did not finish what it began, or did not read what it was sent.
        case late
        /// The port is full, and this one was the first to go.
        case crowdedOut
        /// The port is closed.
        case stopped
    }

    private struct State {
        var timer: Scheduled<Void>?
        var whenDropped: (@Sendable (Drop) -> Void)?
    }

    public let channel: any Channel
    public let limits: ListeningLimits
    let number: Int
    private let all: OpenConnections
    private let state = Mutex(State())

    init(_ channel: any Channel, number: Int, limits: ListeningLimits, all: OpenConnections) {
        self.channel = channel
        self.number = number
        self.limits = limits
        self.all = all
    }

    /// Whether the connection is to end when its peer has been answered.
    public var isStopping: Bool { all.isStopping }

    /// Whether others wait for this place: what is being answered should be the last here.
    public var isWanted: Bool { all.isShort }

    /// What happens before the port closes the channel.
    public func whenDropped(_ body: @escaping @Sendable (Drop) -> Void) { state.withLock { $0.whenDropped = body } }

    /// The peer has said something whole, and is being served: the connection stays even if the port is full.
    public func keep() { all.note(number, .kept) }

    /// It is the peer's turn: the connection may go if the port is full. Before the first message it may go in any case.
    public func wait() { all.note(number, .idle) }

    /// The peer is sent something without an end. False if half of the port's places have that already.
    public func beginStream() -> Bool { all.note(number, isStream: true) }

    public func endStream() { _ = all.note(number, isStream: false) }

    /// The connection ends if this time passes before the next call, or `takeYourTime`.
    public func expect(within time: TimeAmount) {
        let timer = channel.eventLoop.scheduleTask(in: time) { self.drop(.late) }
        state.withLock { state in
            defer { state.timer = timer }
            return state.timer
        }?.cancel()
    }

    /// The peer has all the time that it wants.
    public func takeYourTime() { state.withLock { $0.timer.take() }?.cancel() }

    func drop(_ reason: Drop) {
        state.withLock { $0.whenDropped.take() }?(reason)
        channel.close(promise: nil)
    }

    /// The channel is closed.
    func end() {
        takeYourTime()
        state.withLock { $0.whenDropped = nil }
        all.remove(number)
    }
}
