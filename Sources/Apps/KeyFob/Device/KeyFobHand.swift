public import BluethroatVirtualTime

/// The hand that moves the keys: one thing after the other, as a person would.
public struct KeyFobHand: Sendable {
    /// How long a click holds its key down, and how long the hand rests after it.
    public static let click = TimeSpan.milliseconds(200)
    /// More moves than this do not wait.
    static let limit = 256

    private enum Move: Sendable {
        case down(KeyFobKey)
        case up(KeyFobKey)
        case rest
    }

    private var moves: [Move] = []
    private var restsUntil: Instant?

    public init() {}

    /// When the hand moves again, if something waits.
    public var deadline: Instant? { moves.isEmpty ? nil : restsUntil }

    /// False if too much waits already; nothing happens then.
    public mutating func click(_ key: KeyFobKey) -> Bool { append([.down(key), .rest, .up(key), .rest]) }

    public mutating func hold(_ key: KeyFobKey) -> Bool { append([.down(key)]) }

    public mutating func release(_ key: KeyFobKey) -> Bool { append([.up(key)]) }

    private mutating func append(_ more: [Move]) -> Bool {
        guard moves.count + more.count <= Self.limit else { return false }
        moves += more
        return true
    }

    /// The next move that is due; nil when there is none, or the hand rests.
    public mutating func next(at now: Instant) -> KeyFobEvent? {
        if let restsUntil, restsUntil > now { return nil }
        restsUntil = nil
        guard !moves.isEmpty else { return nil }
        switch moves.removeFirst() {
        case .down(let key): return .keyDown(key)
        case .up(let key): return .keyUp(key)
        case .rest:
            restsUntil = now + Self.click
            return nil
        }
    }
}
