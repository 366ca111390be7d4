/// What a server may take of those who ask it.
public struct HTTPAskingLimits: Sendable {
    /// How long the server may say nothing, in seconds; the connection has to be there by then.
    public var silence = 15.0
    /// From the question to the end of the answer, in seconds, whatever comes meanwhile.
    public var answer = 30.0
    /// Of a body, in bytes.
    public var body = 1 << 20
    /// Of all that is no body, in bytes: heads, lengths of parts, trailers.
    public var rest = 64 << 10
    /// Of an encrypted connection, in bytes as they come: TLS has messages of its own, of which a server can send any number.
    public var encrypted = 4 << 20
    /// Of one head, in bytes.
    public var head = 32 << 10
    /// Of one head.
    public var fields = 100

    public init() {}
}
