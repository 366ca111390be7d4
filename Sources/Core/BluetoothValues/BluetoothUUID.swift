public import BluethroatByteCoding

/// A UUID of 16, 32 or 128 bits. Short forms stand for `xxxxxxxx-0000-1000-8000-00805F9B34FB`
/// (Core 6.0, Vol 3, Part B, 2.5.1); a short form equals its long spelling.
public struct BluetoothUUID: Sendable {
    /// The length it was written in, which is the length it goes on air in.
    public enum Width: UInt8, Sendable {
        case bits16 = 2
        case bits32 = 4
        case bits128 = 16
    }

    /// The most significant 64 of the full 128 bits.
    public let high: UInt64
    /// The least significant 64 of the full 128 bits.
    public let low: UInt64
    public let width: Width

    @usableFromInline
    static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    @usableFromInline
    static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

    @inlinable
    public init(_ short: UInt16) {
        high = UInt64(short) << 32 | Self.baseHigh
        low = Self.baseLow
        width = .bits16
    }

    @inlinable
    public init(bits32 value: UInt32) {
        high = UInt64(value) << 32 | Self.baseHigh
        low = Self.baseLow
        width = .bits32
    }

    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
        width = .bits128
    }

    /// All bytes of the span: 2, 4 or 16, least significant first.
    @inlinable
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        switch bytes.byteCount {
        case 2: self.init(try bytes.takeUInt16())
        case 4: self.init(bits32: try bytes.takeUInt32())
        case 16:
            let low = try bytes.takeUInt64()
            self.init(high: try bytes.takeUInt64(), low: low)
        case let other: throw .invalidLength(other)
        }
    }

    /// 2, 4 or 16 bytes, least significant first.
    @inlinable
    public func write(to out: inout [UInt8]) {
        switch width {
        case .bits16: out.appendUInt16(UInt16(truncatingIfNeeded: high >> 32))
        case .bits32: out.appendUInt32(UInt32(truncatingIfNeeded: high >> 32))
        case .bits128: writeLong(to: &out)
        }
    }

    /// All 16 bytes, least significant first, whatever the width.
    @inlinable
    public func writeLong(to out: inout [UInt8]) {
        out.appendUInt64(low)
        out.appendUInt64(high)
    }

    /// In the form that ATT uses: 16-bit UUIDs in two bytes, all others in sixteen. Core 6.0, Vol 3, Part F, 3.2.1.
    @inlinable
    public func writeForATT(to out: inout [UInt8]) {
        if width == .bits16 { write(to: &out) } else { writeLong(to: &out) }
    }

    /// The number of bytes `writeForATT` writes.
    @inlinable
    public var attByteCount: Int { width == .bits16 ? 2 : 16 }

    /// The 16-bit value, if this UUID has one.
    @inlinable
    public var short: UInt16? {
        low == Self.baseLow && high & 0xFFFF_0000_FFFF_FFFF == Self.baseHigh
            ? UInt16(truncatingIfNeeded: high >> 32) : nil
    }

    /// 4 or 8 hexadecimal digits, or 36 characters with hyphens; nil for anything else.
    public init?(_ text: some StringProtocol) {
        let count = text.utf8.count
        guard count == 4 || count == 8 || count == 36 else { return nil }
        var digits: [UInt8] = []
        for (index, character) in text.utf8.enumerated() {
            if count == 36, index == 8 || index == 13 || index == 18 || index == 23 {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard character != UInt8(ascii: "-"), character != UInt8(ascii: " "), character != UInt8(ascii: ":")
            else { return nil }
            digits.append(character)
        }
        guard let bytes = [UInt8](hex: String(decoding: digits, as: UTF8.self)) else { return nil }
        let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch bytes.count {
        case 2: self.init(UInt16(number))
        case 4: self.init(bits32: UInt32(number))
        default: self.init(high: number, low: bytes.dropFirst(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        }
    }
}

extension BluetoothUUID: Hashable {
    @inlinable
    public static func == (left: Self, right: Self) -> Bool { left.high == right.high && left.low == right.low }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }
}

extension BluetoothUUID: ExpressibleByIntegerLiteral {
    /// A 16-bit UUID: `0x180F`.
    @inlinable
    public init(integerLiteral value: UInt16) { self.init(value) }
}

extension BluetoothUUID: CustomStringConvertible {
    /// Upper case: `180F`, `0000FFE0`, or 36 characters with hyphens, by the width it was written in.
    public var description: String {
        switch width {
        case .bits16: Self.digits(high >> 32, 4)
        case .bits32: Self.digits(high >> 32, 8)
        case .bits128: longDescription
        }
    }

    /// All 128 bits, in 36 characters.
    public var longDescription: String {
        [
            Self.digits(high >> 32, 8), Self.digits(high >> 16 & 0xFFFF, 4), Self.digits(high & 0xFFFF, 4),
            Self.digits(low >> 48, 4), Self.digits(low & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }

    private static func digits(_ value: UInt64, _ count: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: count - text.count) + text
    }
}
