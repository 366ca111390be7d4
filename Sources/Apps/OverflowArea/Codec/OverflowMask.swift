public import CoreBluetooth
import Foundation

/// What is in the overflow area: 128 bits, each for very many services.
///
/// A phone sends the OR of what all its apps want, so that an app can see to ones, never to zeroes.
public struct OverflowMask: Hashable, Sendable {
    /// How bytes become bits.
    public enum BitOrder: String, Hashable, Sendable, CaseIterable {
        /// As they are sent, and as a sniffer shows them: the highest bit of the first byte is the first of the table.
        case air
        /// As apps that carry data in the overflow area have them: the lowest bit of the first byte is the first of the
        /// table. Therefore each of their bytes is mirrored on the air.
        case app
    }

    /// Bits 0 to 63 and 64 to 127 of the table, the lowest bit being the first.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// No bit is set. That cannot be sent.
    public init() {}

    /// The bits of these services.
    public init(services: some Sequence<CBUUID>) {
        for service in services { insert(OverflowBit(of: service)) }
    }

    /// Up to 16 bytes; missing ones are zero. Nil if there are more.
    public init?(_ bytes: some Collection<UInt8>, order: BitOrder) {
        guard bytes.count <= 16 else { return nil }
        for (place, byte) in bytes.enumerated() { insert(order == .app ? byte : byte.mirrored, at: place) }
    }

    /// All 16 bytes.
    public func bytes(_ order: BitOrder) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        for word in [low, high] {
            for bit in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(bit))) }
        }
        return order == .app ? bytes : bytes.map(\.mirrored)
    }

    /// The services of the table that stand for the bits which are set, in the order of the table.
    public var services: [CBUUID] {
        let table = OverflowBit.table
        var services: [CBUUID] = []
        services.reserveCapacity(count)
        forEachIndex { services.append(table[$0]) }
        return services
    }

    /// The bits that are set, from left to right.
    public var bits: [OverflowBit] {
        var bits: [OverflowBit] = []
        forEachIndex { if let bit = OverflowBit(index: $0) { bits.append(bit) } }
        return bits
    }

    private func forEachIndex(_ body: (Int) -> Void) {
        for (word, start) in [(low, 0), (high, 64)] {
            var left = word
            while left != 0 {
                body(start + left.trailingZeroBitCount)
                left &= left &- 1
            }
        }
    }

    public var isEmpty: Bool { low == 0 && high == 0 }

    /// How many bits are set.
    public var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    public func contains(_ bit: OverflowBit) -> Bool {
        (bit.index < 64 ? low : high) & Self.place(of: bit) != 0
    }

    public mutating func insert(_ bit: OverflowBit) {
        if bit.index < 64 { low |= Self.place(of: bit) } else { high |= Self.place(of: bit) }
    }

    /// Sets the bits of a byte that has a place from 0 to 15, in the order of apps.
    mutating func insert(_ byte: UInt8, at place: Int) {
        let bits = UInt64(byte) << UInt64(8 * (place % 8))
        if place < 8 { low |= bits } else { high |= bits }
    }

    public mutating func remove(_ bit: OverflowBit) {
        if bit.index < 64 { low &= ~Self.place(of: bit) } else { high &= ~Self.place(of: bit) }
    }

    /// What is on the air if one phone's apps want both.
    public func union(_ other: Self) -> Self {
        var both = self
        both.low |= other.low
        both.high |= other.high
        return both
    }

    /// What is set in both.
    public func intersection(_ other: Self) -> Self {
        var both = self
        both.low &= other.low
        both.high &= other.high
        return both
    }

    private static func place(of bit: OverflowBit) -> UInt64 { 1 << UInt64(bit.index % 64) }
}

extension OverflowMask: CustomStringConvertible {
    /// 32 hexadecimal digits, as it is sent.
    public var description: String { hexadecimal(.air) }

    /// 32 hexadecimal digits in upper case.
    public func hexadecimal(_ order: BitOrder) -> String {
        bytes(order).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }.joined()
    }
}

extension UInt8 {
    /// The same bits from right to left.
    var mirrored: UInt8 {
        var bits = self
        bits = bits << 4 | bits >> 4
        bits = (bits & 0x33) << 2 | (bits & 0xCC) >> 2
        return (bits & 0x55) << 1 | (bits & 0xAA) >> 1
    }
}
