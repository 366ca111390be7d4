/// A running fingerprint of everything that happened: integers in, one integer out.
///
/// The same seed gives the same digest in every process. It hashes numbers and bytes, never text.
public struct TraceDigest: Hashable, Sendable {
    public private(set) var value: UInt64 = 0x6a09_e667_f3bc_c908

    public init() {}

    @inlinable
    public mutating func absorb(_ number: Int) { absorb(UInt64(bitPattern: Int64(number))) }

    public mutating func absorb(_ number: UInt64) {
        // One multiplication and a fold a word; order matters, as it must.
        let product = (value ^ number).multipliedFullWidth(by: 0x9fb2_1c65_1e98_df25)
        value = product.high ^ product.low &+ 0x2545_f491_4f6c_dd1d
    }

    public mutating func absorb(_ bytes: [UInt8]) {
        absorb(UInt64(bytes.count))
        let span = bytes.span.bytes
        var offset = 0
        while offset + 8 <= span.byteCount {
            absorb(unsafe UInt64(littleEndian: span.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        absorb(rest)
    }
}

extension TraceDigest: CustomStringConvertible {
    /// Sixteen hexadecimal digits.
    public var description: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
