public import BluethroatByteCoding
public import BluethroatVirtualTime

/// The 32 bits that say which link a frame belongs to. Core 6.0, Vol 6, Part B, 2.1.2.
public struct AccessAddress: RawRepresentable, Hashable, Sendable {
    /// Bit 0 goes first on the air.
    public let rawValue: UInt32

    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The address of every primary advertising channel: 0x8E89BED6.
    public static let advertising = Self(rawValue: 0x8E89_BED6)

    /// Four bytes, least significant first.
    @inlinable
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        rawValue = try bytes.takeUInt32()
    }

    /// Writes the four bytes.
    @inlinable
    public func write(to out: inout [UInt8]) { out.appendUInt32(rawValue) }

    /// Whether the address may be given to a connection. Uncoded PHYs need no more than this.
    public var isAllowedForConnection: Bool {
        let distance = (rawValue ^ Self.advertising.rawValue).nonzeroBitCount
        return distance > 1
            && !hasSevenEqualBitsInARow
            && rawValue != (rawValue & 0xFF) &* 0x0101_0101
            && transitions(among: 31) <= 24
            && (transitions(among: 31) - transitions(among: 26)) >= 2
    }

    /// Whether the address may be given to a connection that may use LE Coded.
    public var isAllowedForCodedConnection: Bool {
        isAllowedForConnection
            && (rawValue & 0xFF).nonzeroBitCount >= 3
            && transitions(among: 15) <= 11
    }

    /// An address that any connection may have, whatever its PHY.
    public static func random(using stream: inout SeededRandom) -> Self {
        while true {
            let candidate = Self(rawValue: UInt32(truncatingIfNeeded: stream.next()))
            if candidate.isAllowedForCodedConnection { return candidate }
        }
    }

    /// How often neighbouring bits differ among the lowest `pairs` pairs of neighbours.
    private func transitions(among pairs: UInt32) -> Int {
        ((rawValue ^ rawValue >> 1) & (1 << pairs - 1)).nonzeroBitCount
    }

    private var hasSevenEqualBitsInARow: Bool {
        // Six neighbouring pairs in a row without a change.
        let equal = ~(rawValue ^ rawValue >> 1) & 0x7FFF_FFFF
        let three = equal & equal >> 1 & equal >> 2
        return three & three >> 3 != 0
    }
}

extension AccessAddress: CustomStringConvertible {
    /// `0x8E89BED6`
    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}
