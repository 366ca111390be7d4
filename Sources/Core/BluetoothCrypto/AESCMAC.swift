/// AES-CMAC: a code of 128 bits that authenticates a message of any length. RFC 4493; Core 6.0, Vol 3, Part H, 2.2.5.
///
/// A message may come in pieces:
///
///     var code = AESCMAC(key: key)
///     code.update(first.span.bytes)
///     code.update(second.span.bytes)
///     let result = code.finish()
public struct AESCMAC: Sendable {
    private var code: MessageCode

    public init(key: Block128) { code = MessageCode(key: key) }

    /// Adds the next piece of the message.
    public mutating func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe code.update($0) }
    }

    /// The code of everything so far.
    public consuming func finish() -> Block128 { code.finish() }

    /// The code of a message that is there as a whole.
    public static func authenticate(_ message: [UInt8], key: Block128) -> Block128 {
        var code = Self(key: key)
        code.update(message.span.bytes)
        // Given away, since it would be copied if it were still there.
        return (consume code).finish()
    }
}
