public import Foundation

/// A request to a server, with TLS or without.
public struct HTTPQuestion: Sendable {
    /// In capitals: `POST`.
    public var method: String
    /// Besides those of the connection and the length.
    public var fields: [(name: String, value: String)]
    public var body: Data
    let host: String
    let port: Int
    /// Whether the connection uses TLS, and the server has to prove its name by a certificate.
    let isEncrypted: Bool
    /// What the server calls it: the path, and what follows it.
    let target: String
    /// What the request calls the server.
    let authority: String

    /// Nil unless the URL is one of `http://` or `https://`, with a host and a port that there can be.
    public init?(
        _ method: String,
        _ url: URL,
        fields: [(name: String, value: String)] = [],
        body: Data = Data()
    ) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        switch parts.scheme {
        case "http": isEncrypted = false
        case "https": isEncrypted = true
        default: return nil
        }
        let name = parts.percentEncodedHost ?? ""
        let host = (url.host ?? "").trimmingCharacters(in: ["[", "]"]), port = url.port ?? (isEncrypted ? 443 : 80)
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
public struct HTTPReply: Hashable, Sendable {
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
    /// The TLS handshake failed, or the certificate of the server is not trusted for its name.
    case untrusted
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
