/// Why the panel does not do what it was asked: one word for programs, one sentence for people.
public struct PanelError: Error, Hashable, Sendable {
    /// The class of the error, and with it the HTTP status.
    public enum Kind: Int, Sendable {
        /// The request cannot be understood, or asks for what cannot be.
        case badRequest = 400
        /// A token is needed, and this is none.
        case unauthorized = 401
        /// A page of another origin asks.
        case forbidden = 403
        case notFound = 404
        case methodNotAllowed = 405
        /// It cannot be done as things are.
        case conflict = 409
        case tooLarge = 413
        case unsupportedMediaType = 415
        /// What stands before the body is too long.
        case headTooLarge = 431
        /// The Bluetooth peer or the radio said no.
        case refused = 502
        /// Too many have what was asked for.
        case busy = 503
        /// Nothing came in time.
        case timeout = 504
    }

    public var kind: Kind
    /// For programs: lower case, words joined by hyphens.
    public var code: String
    /// What was wrong, and what to do.
    public var message: String
    /// The code of the ATT error that the peer has answered with, if it has.
    public var attError: UInt8?

    public init(_ kind: Kind, _ code: String, _ message: String) {
        self.kind = kind
        self.code = code
        self.message = message
    }
}

extension PanelError {
    /// The request cannot be understood, or not be carried out.
    public static func badRequest(_ message: String) -> Self { Self(.badRequest, "bad-request", message) }
}

/// How an error is written in an answer.
struct ErrorAnswer: Described {
    static let schemaName = "Error"

    @Property("One word for programs.") var error = ""
    @Property("One sentence for people: what was wrong, and what to do.") var message = ""
    @Property("The code of the ATT error that the peer has answered with.", 0...255) var attError: Int? = nil
}
