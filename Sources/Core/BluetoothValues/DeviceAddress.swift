public import BluethroatByteCoding

/// A 48-bit device address and whether it is public or random. Core 6.0, Vol 6, Part B, 1.3.
public struct DeviceAddress: Hashable, Sendable {
    /// Who gave out the 48 bits.
    public enum Kind: UInt8, Sendable {
        case `public` = 0
        case random = 1
    }

    /// The address in the low 48 bits; its first octet in text is the most significant.
    public let value: UInt64
    public let kind: Kind

    /// Bits above the lowest 48 are dropped.
    @inlinable
    public init(value: UInt64, kind: Kind) {
        self.value = value & 0xFFFF_FFFF_FFFF
        self.kind = kind
    }

    /// Six bytes, least significant first, as in every packet.
    @inlinable
    public init(parsing bytes: inout RawSpan, kind: Kind) throws(DecodeError) {
        self.init(value: try bytes.takeUInt48(), kind: kind)
    }

    /// Writes the six bytes, least significant first; the kind travels elsewhere.
    @inlinable
    public func write(to out: inout [UInt8]) { out.appendUInt48(value) }

    /// `78:C5:E5:9B:76:0D`: six pairs of hexadecimal digits, most significant first; nil for anything else.
    public init?(_ text: some StringProtocol, kind: Kind) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6 else { return nil }
        var value: UInt64 = 0
        for part in parts {
            guard part.utf8.count == 2, let byte = UInt8(part, radix: 16), part.first != "+", part.first != "-"
            else { return nil }
            value = value << 8 | UInt64(byte)
        }
        self.init(value: value, kind: kind)
    }

    /// The six bytes, least significant first.
    public var bytes: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

    /// What kind of random address the two most significant bits announce; nil for public addresses and for
    /// the reserved pattern. Core 6.0, Vol 6, Part B, 1.3.2.
    public var randomSubtype: RandomSubtype? {
        guard kind == .random else { return nil }
        switch value >> 46 {
        case 0b11: return .staticDevice
        case 0b01: return .resolvablePrivate
        case 0b00: return .nonResolvablePrivate
        default: return nil
        }
    }

    public enum RandomSubtype: Sendable {
        case staticDevice
        case resolvablePrivate
        case nonResolvablePrivate
    }
}

extension DeviceAddress: CustomStringConvertible {
    /// `78:C5:E5:9B:76:0D`, without the kind.
    public var description: String {
        bytes.reversed().map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "0" + digits : digits
        }.joined(separator: ":")
    }
}
