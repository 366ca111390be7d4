import Foundation

/// The failures that a desk has counted, so that they can be kept beyond its end.
///
/// Times in it are spans, since no clock is asked: what was left to wait is left to wait again when the desk is back, and the
/// time that it was off makes nothing forgotten.
public struct DeskFailures: Equatable, Sendable {
    /// Failures in a row.
    struct Count: Equatable, Sendable, Codable {
        var failures: Int
        /// How long ago the last one was, or was forgotten, in seconds.
        var age: TimeInterval
        /// For how long nobody is listened to, in seconds.
        var wait: TimeInterval
    }

    var desk = Count(failures: 0, age: 0, wait: 0)
    var users: [String: Count] = [:]
    /// For how long visits have kept others away since the last failure of that kind, in seconds.
    var held: TimeInterval = 0

    /// None.
    public init() {}
}

extension DeskFailures: Codable {
    private enum CodingKeys: CodingKey { case desk, users, held }

    /// Throws for numbers that no desk counts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        desk = try container.decode(Count.self, forKey: .desk)
        users = try container.decode([String: Count].self, forKey: .users)
        held = try container.decode(TimeInterval.self, forKey: .held)
        guard (0..<DeskGuard.heldSeconds).contains(held),
            desk.isPossible(tolerated: DeskGuard.toleratedForDesk),
            users.values.allSatisfy({ $0.isPossible(tolerated: DeskGuard.toleratedForUser) })
        else {
            throw DecodingError.dataCorruptedError(forKey: .desk, in: container, debugDescription: "no such count")
        }
    }
}

/// Where a desk keeps what it has counted.
public protocol DeskTries: AnyObject, Sendable {
    /// What was kept.
    var failures: DeskFailures { get }

    /// Keeps them, before anybody hears of the latest. Why that could not be done, in one line; nil if it was.
    func keep(_ failures: DeskFailures) -> String?
}
