import NIOCore
import Synchronization

/// The connections of one port: how many there are, and which one goes if there are too many.
final class OpenConnections: Sendable {
    /// What would be lost with a connection.
    enum Standing {
        /// It has not finished its first message.
        case fresh
        /// It waits for a message, or for its peer to read.
        case idle
        /// It is being served.
        case kept
    }

    private struct Entry {
        let connection: AcceptedConnection
        var standing = Standing.fresh
        /// When it got its standing, as a number that grows.
        var since: Int
        var isStream = false
    }

    /// Entries in the order in which they got a standing; those whose standing has changed since are passed over.
    private struct Line {
        private var entries = CircularBuffer<(number: Int, since: Int)>()

        mutating func append(_ number: Int, since: Int) { entries.append((number, since)) }

        /// The oldest that still has this standing.
        mutating func oldest(_ isStill: (Int, Int) -> Bool) -> Int? {
            while let first = entries.first {
                if isStill(first.number, first.since) { return first.number }
                entries.removeFirst()
            }
            return nil
        }
    }

    private struct State {
        var open: [Int: Entry] = [:]
        var clock = 0
        var fresh = Line()
        var freshCount = 0
        var idle = Line()
        var keptCount = 0
        var streamCount = 0
        /// Accepts again.
        var whenAccepting: (@Sendable () -> Void)?
        var whenEmpty: EventLoopPromise<Void>?
        var isStopping = false
    }

    let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = capacity }

    /// How many are served at once before others are accepted: the other places are for those who have just come, and need
    /// some time to ask.
    private var mostKept: Int { capacity - capacity / 4 }
    /// How many may be accepted in one turn of the thread: several as long as there are places for who has just come, so that
    /// the first of many do not ask much before the last is heard; else one, so that who needs time to ask has it.
    var acceptedAtOnce: Int {
        let fresh = state.withLock(\.freshCount)
        return max(1, min(capacity / 8, capacity / 4 - fresh))
    }
    /// How many have an answer without an end.
    private var mostStreams: Int { max(1, capacity / 2) }

    /// Whether connections are to end after what is being answered.
    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Notes a new one. If there are too many with it, answers which one has to go: the oldest that has not finished its
    /// first message, or one that waits for its peer, or the new one itself.
    func add(_ connection: AcceptedConnection) -> AcceptedConnection? {
        state.withLock { state in
            guard !state.isStopping else { return connection }
            let victim = state.open.count < capacity ? nil : Self.victim(&state, capacity)
            guard state.open.count < capacity || victim != nil else { return connection }
            // A channel reports its end later, when others have come: the same victim is not chosen twice.
            if let victim { Self.forget(victim.number, &state) }
            state.clock += 1
            state.open[connection.number] = Entry(connection: connection, since: state.clock)
            state.freshCount += 1
            let open = state.open
            _ = state.fresh.oldest { open[$0]?.since == $1 }
            state.fresh.append(connection.number, since: state.clock)
            return victim
        }
    }

    /// Whether another one is to be accepted. If not, `later` is called once when that has changed.
    func isAccepting(_ later: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.keptCount >= mostKept else { return true }
            state.whenAccepting = later
            return false
        }
    }

    /// Whether others wait for a place that those have who have been served.
    var isShort: Bool {
        state.withLock { state in
            state.keptCount >= mostKept || state.open.count >= capacity && state.freshCount <= capacity / 4
        }
    }

    /// Notes that its answer has no end, or has ended. False if too many have such an answer already.
    func note(_ number: Int, isStream: Bool) -> Bool {
        state.withLock { state in
            guard let old = state.open[number], old.isStream != isStream else { return true }
            guard !isStream || state.streamCount < mostStreams else { return false }
            state.open[number]?.isStream = isStream
            state.streamCount += isStream ? 1 : -1
            return true
        }
    }

    func note(_ number: Int, _ standing: Standing) {
        change { state in
            guard let old = state.open[number], old.standing != standing else { return }
            if old.standing == .fresh { state.freshCount -= 1 }
            if old.standing == .kept { state.keptCount -= 1 }
            if standing == .kept { state.keptCount += 1 }
            state.clock += 1
            state.open[number]?.standing = standing
            state.open[number]?.since = state.clock
            if standing == .idle {
                // What has changed since leaves the line, so that it does not grow.
                let open = state.open
                _ = state.idle.oldest { open[$0]?.since == $1 }
                state.idle.append(number, since: state.clock)
            }
        }
    }

    func remove(_ number: Int) {
        change { state in
            Self.forget(number, &state)
            return state.open.isEmpty ? state.whenEmpty.take() : nil
        }?.succeed()
    }

    /// Changes something, and accepts again if there is room with it.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, later) = state.withLock { state in
            let result = body(&state)
            return (result, state.keptCount < mostKept ? state.whenAccepting.take() : nil)
        }
        later?()
        return result
    }

    /// From now on none is taken in. Answers those that are open.
    func stop(_ promise: EventLoopPromise<Void>) -> [(connection: AcceptedConnection, isKept: Bool)] {
        let open = state.withLock { state in
            state.isStopping = true
            if !state.open.isEmpty { state.whenEmpty = promise }
            return state.open.values.map { (connection: $0.connection, isKept: $0.standing == .kept) }
        }
        if open.isEmpty { promise.succeed() }
        return open
    }

    private static func forget(_ number: Int, _ state: inout State) {
        guard let old = state.open.removeValue(forKey: number) else { return }
        if old.standing == .fresh { state.freshCount -= 1 }
        if old.standing == .kept { state.keptCount -= 1 }
        if old.isStream { state.streamCount -= 1 }
    }

    /// While few have not finished their first message, one of those that are idle goes: many of those would otherwise
    /// hold the port, and each new one would lose its place to the next.
    private static func victim(_ state: inout State, _ capacity: Int) -> AcceptedConnection? {
        let open = state.open
        let fresh = state.fresh.oldest { open[$0]?.since == $1 && open[$0]?.standing == .fresh }
        let idle = state.idle.oldest { open[$0]?.since == $1 && open[$0]?.standing == .idle }
        let number = state.freshCount > capacity / 4 ? fresh ?? idle : idle ?? fresh
        return number.flatMap { open[$0]?.connection }
    }
}
