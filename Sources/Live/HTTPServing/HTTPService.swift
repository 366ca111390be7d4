/// What a server answers with.
public protocol HTTPService: Sendable {
    /// Why a request is not answered, decided from its head alone: its body is not read then, and the connection ends.
    /// Nil lets it in.
    func refusal(of head: HTTPRequest) -> HTTPAnswer?

    /// The answer to a whole request.
    func answer(_ request: HTTPRequest) async -> HTTPAnswer

    /// The answer to what is no request; the connection ends with it.
    func answer(to fault: HTTPFault) -> HTTPAnswer
}

/// What is wrong with bytes that should be a request.
public enum HTTPFault: Error, Hashable, Sendable {
    /// They cannot be read as HTTP/1.1, or could be read in two ways; the sentence says why.
    case unreadable(String)
    /// The head has too many bytes; the sentence says which part of it.
    case headTooLong(String)
    /// The body has more than this many bytes.
    case bodyTooLong(Int)
    /// The answer would have no end, and as many peers as may have such a one have one.
    case tooManyStreams

    /// The status code.
    public var status: Int {
        switch self {
        case .unreadable: 400
        case .headTooLong: 431
        case .bodyTooLong: 413
        case .tooManyStreams: 503
        }
    }
}
