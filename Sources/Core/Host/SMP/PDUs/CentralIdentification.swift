public import BluethroatByteCoding

/// SMP_Central_Identification: by what a central asks for a long term key of legacy pairing. Core 6.0, Vol 3, Part H,
/// 3.6.3.
public struct CentralIdentification: Hashable, Sendable {
    /// EDIV.
    public var encryptedDiversifier: UInt16
    /// Rand.
    public var random: UInt64

    public init(encryptedDiversifier: UInt16, random: UInt64) {
        self.encryptedDiversifier = encryptedDiversifier
        self.random = random
    }

    /// Both zero: the key of a pairing under way, and every key of LE Secure Connections.
    public static let none = Self(encryptedDiversifier: 0, random: 0)

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        guard bytes.byteCount >= 10 else { throw .truncated(needed: 10, available: bytes.byteCount) }
        encryptedDiversifier = try bytes.takeUInt16()
        random = try bytes.takeUInt64()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(encryptedDiversifier)
        out.appendUInt64(random)
    }
}
