public import Foundation

/// A request to a server without TLS.
public struct HTTPQuestion: Sendable {
    /// In capitals: `POST`.
    public var method: String
    /// Besides those of the connection and the length.
    public var fields: [(name: String, value: String)]
    public var body: Data
    let host: String
    let port: Int
    /// What the server calls it: the path, and what follows it.
    let target: String
    /// What the request calls the server.
    let authority: String

    /// Nil unless the URL is one of `http://`, with a host and a port that there can be.
    public init?(
        _ method: String,
        _ url: URL,
        fields: [(name: String, value: String)] = [],
        body: Data = Data()
    ) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), parts.scheme == "http" else {
            return nil
        }
        let name = parts.percentEncodedHost ?? ""
        let host = (url.host ?? "").trimmingCharacters(in: ["[", "]"]), port = url.port ?? 80
        guard !host.isEmpty, (1...65_535).contains(port) else { return nil }
        let path = parts.percentEncodedPath.hasPrefix("/") ? parts.percentEncodedPath : "/" + parts.percentEncodedPath
        self.method = method
        self.fields = fields
        self.body = body
        self.host = host
        self.port = port
        target = path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        authority = url.port == nil ? name : "\(name):\(port)"
    }
}

/// What a server has answered, whatever its status is.
public struct HTTPReply: Sendable {
    public let status: Int
    public let body: Data

    public init(status: Int, body: Data) {
        self.status = status
        self.body = body
    }
}

/// Why there is no answer.
public enum HTTPFailure: Error, Hashable, Sendable {
    /// There is no server.
    case unreachable
    /// The server said nothing for too long, or did not come to an end.
    case late
    /// The answer has more bytes than are read of one.
    case tooLong
    /// What came is not HTTP/1.1.
    case unreadable
    /// The connection ended before the answer did.
    case cutOff
    /// `HTTPClient.cancel` was called.
    case cancelled
}
