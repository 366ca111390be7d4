public import Foundation

/// What a request is answered with.
public struct HTTPAnswer: Sendable {
    public enum Body: Sendable {
        case bytes(Data)
        /// In pieces, as they come.
        case pieces(any HTTPPieces)
    }

    /// The status code, 200 to 599.
    public var status: Int
    /// Names in lower case; the length and what concerns the connection is added.
    public var fields: [(name: String, value: String)]
    public var body: Body
    /// Whether the connection ends with this answer.
    public var isLast: Bool

    public init(
        _ status: Int,
        _ fields: [(name: String, value: String)] = [],
        body: Body = .bytes(Data()),
        isLast: Bool = false
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.isLast = isLast
    }
}

/// A body that comes in pieces.
public protocol HTTPPieces: Sendable {
    /// Whether there are pieces for as long as the peer listens.
    var isEndless: Bool { get }

    /// The next piece; waits until there is one. Nil at the end, and soon after the task is cancelled.
    func next() async -> [UInt8]?

    /// Nothing is read any more; called once.
    func end()
}
