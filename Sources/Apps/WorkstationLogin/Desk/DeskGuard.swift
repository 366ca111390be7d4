import Foundation

/// Slows down guessing: counts failures for each user and for the desk, and after some of them refuses the user, or
/// everybody, for a while that doubles each time.
struct DeskGuard {
    /// Tries at one name before it has to wait.
    static let toleratedForUser = 5
    /// Failures of whatever kind before the desk is closed.
    static let toleratedForDesk = 10
    /// An unfinished visit that has kept others away for so many seconds counts as a failure.
    static let heldSeconds: TimeInterval = 30

    /// For how many seconds a user, and everybody, has to wait; nil where there is no wait.
    struct Closing {
        var user: Int?
        var desk: Int?

        var longest: UInt16? { [user, desk].compactMap(\.self).max().map { UInt16($0) } }
    }

    private var desk = FailureCount(tolerated: toleratedForDesk)
    private var users: [String: FailureCount] = [:]
    private var held: TimeInterval = 0
    /// How many checks of a user's credentials have not ended.
    private var underWay: [String: Int] = [:]

    init() {}

    /// Goes on from what was kept: what was left to wait begins now.
    init(_ kept: DeskFailures, at now: TimeInterval) {
        desk = FailureCount(kept.desk, tolerated: Self.toleratedForDesk, at: now)
        users = kept.users.mapValues { FailureCount($0, tolerated: Self.toleratedForUser, at: now) }
        held = kept.held
    }

    /// What has to be kept. A check that is under way counts as a failure until it has ended: a desk that ends meanwhile,
    /// or that cannot keep what comes of it, has not forgotten it.
    func failures(at now: TimeInterval) -> DeskFailures {
        var counted = self
        for user in underWay.keys.sorted() {
            for _ in 0..<(underWay[user] ?? 0) { _ = counted.failed(user: user, at: now) }
        }
        var kept = DeskFailures()
        kept.desk = counted.desk.kept(at: now)
        kept.users = counted.users.mapValues { $0.kept(at: now) }
        kept.held = held
        return kept
    }

    /// Whether something was counted, has begun or ended, or was forgotten by a login since another moment, and is not kept
    /// already: a count and a wait that are the longest stay what they are.
    func differs(from other: DeskGuard, keptAs kept: DeskFailures?, at now: TimeInterval) -> Bool {
        let isCounted = desk != other.desk || users != other.users
        if underWay != other.underWay || isCounted && !underWay.isEmpty { return true }
        if desk != other.desk, desk.kept(at: now) != kept?.desk { return true }
        return users.contains { $1 != other.users[$0] && $1.kept(at: now) != kept?.users[$0] }
            || other.users.keys.contains { users[$0] == nil }
    }

    /// Seconds that are left until the desk listens again; nil if it does.
    func wait(at now: TimeInterval) -> UInt16? { desk.wait(at: now) }

    /// Seconds that are left until a user's credentials are looked at again; nil if they are.
    func wait(for user: String, at now: TimeInterval) -> UInt16? { users[user]?.wait(at: now) }

    /// Whether a further check of a user's credentials has to await those that are under way: were they wrong, it would not be
    /// made any more. Who tries several at once tries no more of them than who tries one after the other.
    func mustAwait(for user: String, at now: TimeInterval) -> Bool {
        let checks = underWay.values.reduce(0, +), own = underWay[user] ?? 0
        let count = users[user] ?? FailureCount(tolerated: Self.toleratedForUser)
        return count.closes(after: own, at: now) || desk.closes(after: checks, at: now)
    }

    /// A check of a user's credentials begins.
    mutating func begins(_ user: String) { underWay[user, default: 0] += 1 }

    /// It has ended: what is closed because of that.
    mutating func ends(_ user: String, isFailure: Bool, at now: TimeInterval) -> Closing {
        if let count = underWay[user] { underWay[user] = count > 1 ? count - 1 : nil }
        return isFailure ? failed(user: user, at: now) : Closing()
    }

    /// A user's credentials were wrong.
    mutating func failed(user: String, at now: TimeInterval) -> Closing {
        // One that has nothing left to count is as good as none.
        users = users.filter { $0.value.left(at: now) > 0 }
        let seconds = users[user, default: FailureCount(tolerated: Self.toleratedForUser)].add(at: now)
        return Closing(user: seconds, desk: desk.add(at: now))
    }

    /// Something else failed; how many seconds the desk closes for, if it does.
    mutating func failed(at now: TimeInterval) -> Int? { desk.add(at: now) }

    /// A visit that led to no session has ended; for so many seconds no other phone could visit.
    /// - Parameter isFailure: whether it counts as one however short it was.
    mutating func heldUp(for seconds: TimeInterval, isFailure: Bool = false, at now: TimeInterval) -> Int? {
        held += isFailure ? max(seconds, Self.heldSeconds) : seconds
        var closed: Int?
        while held >= Self.heldSeconds {
            held -= Self.heldSeconds
            closed = desk.add(at: now) ?? closed
        }
        return closed
    }

    /// A user has logged in: their failures are forgotten, and no other user's.
    mutating func succeeded(user: String, at now: TimeInterval) {
        guard let count = users.removeValue(forKey: user) else { return }
        desk.remove(count.left(at: now), at: now)
    }
}

/// Failures in a row, of which each hour without another makes one forgotten.
private struct FailureCount: Equatable {
    private static let first: TimeInterval = 30
    fileprivate static let longest: TimeInterval = 900
    private static let decaySeconds: TimeInterval = 3_600
    /// After so many more the wait is the longest, and no more are counted.
    fileprivate static let doublings = 5

    private let tolerated: Int
    private var count = 0
    /// When the last failure was, or was forgotten.
    private var since: TimeInterval = 0
    private var closedUntil: TimeInterval = 0

    init(tolerated: Int) { self.tolerated = tolerated }

    init(_ kept: DeskFailures.Count, tolerated: Int, at now: TimeInterval) {
        self.tolerated = tolerated
        count = kept.failures
        since = now - kept.age
        closedUntil = now + min(Self.longest, kept.wait)
    }

    func kept(at now: TimeInterval) -> DeskFailures.Count {
        .init(
            failures: count,
            age: max(0, Self.milliseconds(now - since)),
            wait: min(Self.longest, max(0, Self.milliseconds(closedUntil - now)))
        )
    }

    /// What is added to a time and taken from it again is not always the same.
    private static func milliseconds(_ seconds: TimeInterval) -> TimeInterval { (seconds * 1_000).rounded() / 1_000 }

    func left(at now: TimeInterval) -> Int { max(0, count - Int((now - since) / Self.decaySeconds)) }

    func wait(at now: TimeInterval) -> UInt16? {
        closedUntil > now ? UInt16((closedUntil - now).rounded(.up)) : nil
    }

    /// Whether there would be a wait if so many more failed, at least one.
    func closes(after failures: Int, at now: TimeInterval) -> Bool {
        failures > 0 && left(at: now) + failures >= tolerated
    }

    mutating func add(at now: TimeInterval) -> Int? {
        count = min(left(at: now) + 1, tolerated + Self.doublings)
        since = now
        guard count >= tolerated else { return nil }
        let span = min(Self.first * Double(1 << (count - tolerated)), Self.longest)
        closedUntil = now + span
        return Int(span)
    }

    mutating func remove(_ failures: Int, at now: TimeInterval) {
        let left = left(at: now)
        since += Double(count - left) * Self.decaySeconds
        count = max(0, left - failures)
    }
}

extension DeskFailures.Count {
    /// Whether a desk that waits after so many failures can have come to it; earlier versions rounded the spans, so that
    /// less than a second more is possible.
    func isPossible(tolerated: Int) -> Bool {
        (0...tolerated + FailureCount.doublings).contains(failures) && wait > -1 && wait < FailureCount.longest + 1
            && age > -1 && age <= 1e10
    }
}
