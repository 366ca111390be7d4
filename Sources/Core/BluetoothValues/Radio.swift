public import BluethroatVirtualTime

/// How symbols go over the air. Core 6.0, Vol 6, Part A, 3.
public enum PHY: UInt8, Sendable, CaseIterable {
    case le1M = 1
    case le2M = 2
    case leCoded = 3

    /// How long one byte takes without coding: 8 µs at 1 Msym/s, 4 µs at 2 Msym/s; Coded at S=8, 64 µs.
    @inlinable
    public var spanPerByte: TimeSpan {
        switch self {
        case .le1M: .microseconds(8)
        case .le2M: .microseconds(4)
        case .leCoded: .microseconds(64)
        }
    }
}

/// One of the 40 radio channels by its channel index: 0 to 36 for data, 37 to 39 for primary advertising.
/// Core 6.0, Vol 6, Part B, 1.4.1.
public struct ChannelIndex: Hashable, Comparable, Sendable {
    public let index: UInt8

    @inlinable
    public init?(_ index: UInt8) {
        guard index < 40 else { return nil }
        self.index = index
    }

    /// The three primary advertising channels, in the order in which an advertising event uses them.
    public static let advertising = [ChannelIndex(exactly: 37), ChannelIndex(exactly: 38), ChannelIndex(exactly: 39)]

    @inlinable
    public var isAdvertising: Bool { index >= 37 }

    /// The centre frequency in MHz: 2402 to 2480.
    public var frequencyMHz: Int {
        switch index {
        case 37: 2402
        case 38: 2426
        case 39: 2480
        case 0...10: 2404 + 2 * Int(index)
        default: 2406 + 2 * Int(index)
        }
    }

    @usableFromInline
    init(exactly index: UInt8) { self.index = index }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}

/// Which of the 37 data channels a connection uses; at least two. Core 6.0, Vol 6, Part B, 1.4.1 and 2.3.3.1.
public struct ChannelMap: Hashable, Sendable {
    /// Bit n stands for data channel n.
    public let bits: UInt64

    /// Nil with fewer than two channels, or where one of the bits 37 to 63 is set.
    @inlinable
    public init?(bits: UInt64) {
        guard bits >> 37 == 0, bits.nonzeroBitCount >= 2 else { return nil }
        self.bits = bits
    }

    public static let all = Self(exactly: 0x1F_FFFF_FFFF)

    @usableFromInline
    init(exactly bits: UInt64) { self.bits = bits }

    @inlinable
    public var count: Int { bits.nonzeroBitCount }

    @inlinable
    public func contains(_ channel: UInt8) -> Bool { channel < 37 && bits >> UInt64(channel) & 1 == 1 }

    /// The used channels, ascending.
    public var channels: [UInt8] { (0..<37).filter { contains($0) } }
}

/// Radio power in whole dBm, as transmitted or as a receiver would report it.
public struct SignalStrength: Hashable, Comparable, Sendable {
    public let dBm: Int8

    @inlinable
    public init(dBm: Int8) { self.dBm = dBm }

    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.dBm < right.dBm }
}

extension SignalStrength: CustomStringConvertible {
    public var description: String { "\(dBm) dBm" }
}

extension PHY {
    /// As the Core Specification calls it.
    public var name: String {
        switch self {
        case .le1M: "LE 1M"
        case .le2M: "LE 2M"
        case .leCoded: "LE Coded"
        }
    }
}
