/// The Constant Tone Extension that LL_CTE_REQ asks for. Core 6.0, Vol 6, Part B, 2.4.2.27.
public struct ToneRequest: RawRepresentable, Hashable, Sendable {
    /// As on the air: the length in the lowest five bits, the type in the highest two.
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The least length that is requested, in steps of 8 µs.
    @inlinable
    public var minimumLength: UInt8 { rawValue & 0x1F }

    /// 0 is AoA, 1 is AoD with slots of 1 µs, 2 is AoD with slots of 2 µs.
    @inlinable
    public var type: UInt8 { rawValue >> 6 }
}
