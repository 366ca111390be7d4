public import BluethroatByteCoding

/// The twelve bytes that authenticate a Signed Write Command on a link without encryption.
/// Core 6.0, Vol 3, Part H, 2.4.5; Vol 3, Part C, 10.4.1.
///
/// The counter is what stops a replay: a sender uses each value once, and a receiver takes only values above the last
/// one that it accepted under the key.
public struct DataSignature: Hashable, Sendable {
    /// Bytes of a signature in a packet: the counter and the code.
    public static let byteCount = 12

    /// SignCounter: how many messages were signed with the key before this one.
    public let counter: UInt32
    /// The most significant 64 bits of the message's CMAC.
    public let code: UInt64

    /// Signs a message, which for ATT is the PDU from its opcode to the end of the value, with the connection
    /// signature resolving key.
    public init(signing message: RawSpan, key: Block128, counter: UInt32) {
        self.counter = counter
        code = Self.code(of: message, counter: counter, key: key)
    }

    /// Takes a signature from the end of a PDU.
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        guard bytes.byteCount >= Self.byteCount else {
            throw .truncated(needed: Self.byteCount, available: bytes.byteCount)
        }
        counter = try bytes.takeUInt32()
        code = try bytes.takeUInt64()
    }

    /// Appends the signature to the message that it signs.
    public func write(to out: inout [UInt8]) {
        out.appendUInt32(counter)
        out.appendUInt64(code)
    }

    /// Whether the message was signed with the key and this signature's counter. The caller, which
    /// keeps the last counter, checks that this one was not used before.
    public func authenticates(_ message: RawSpan, key: Block128) -> Bool {
        let expected = Self.code(of: message, counter: counter, key: key)
        return ConstantTime.areEqual(Block128(high: 0, low: code), Block128(high: 0, low: expected))
    }

    private static func code(of message: RawSpan, counter: UInt32, key: Block128) -> UInt64 {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(message.byteCount + 4)
        bytes.append(contentsOf: message)
        bytes.appendUInt32(counter)
        // The message is one long number, sent like every other with its least significant byte first; CMAC reads it
        // from the other end.
        bytes.reverse()
        return AESCMAC.authenticate(bytes, key: key).high
    }
}
