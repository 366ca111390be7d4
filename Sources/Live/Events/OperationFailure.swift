import BluethroatByteCoding
public import BluethroatVirtualTime

/// Why something that was begun could not be done: one line that says what was wrong and what to do, and of which kind
/// it is.
public struct OperationFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What a caller may want to distinguish; the command has an exit code for each.
    public enum Kind: Sendable {
        /// The peer, the radio or the system refused.
        case refused
        /// What was asked for is not possible.
        case wrongUsage
        /// Nothing was found in time.
        case nothingFound
    }

    /// One line, without an end of line; of what is longer than 600 bytes the beginning and the end.
    public var message: String
    /// Of which kind it is.
    public var kind: Kind
    /// The peer's ATT error, if that was the reason. Core 6.0, Vol 3, Part F, 3.4.1.1.
    public var attError: UInt8?
    /// A controller's error, if that was the reason. Core 6.0, Vol 1, Part F.
    public var hciError: UInt8?
    /// Why a pairing failed, if one device sent its reason to the other. Core 6.0, Vol 3, Part H, 3.5.5.
    public var smpReason: UInt8?
    /// When it was found out, since the operation began.
    public var time: Instant

    /// A refusal, unless another kind is named.
    public init(
        _ message: String,
        _ kind: Kind = .refused,
        attError: UInt8? = nil,
        hciError: UInt8? = nil,
        smpReason: UInt8? = nil,
        time: Instant = .zero
    ) {
        self.message = message.abridged
        self.kind = kind
        self.attError = attError
        self.hciError = hciError
        self.smpReason = smpReason
        self.time = time
    }

    public var description: String { message }

    /// The user ended it before it was done.
    public static let interruption = Self("interrupted")
}
