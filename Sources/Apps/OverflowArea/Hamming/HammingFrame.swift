/// A matching byte and four bytes of payload as a code word in the overflow area, in which one bit that another app sets
/// does no harm. So it need not be moved about, which apps in the background cannot do any more since iOS 14.
///
/// The first bit of the area is always set: while the app is on the screen one of its services stands in the advertisement
/// itself and is missing in the area, and that is the first one.
public struct HammingFrame: Hashable, Sendable {
    /// What was found in an overflow area.
    public enum Reading: Hashable, Sendable {
        /// With the bit that had to be put right, if one had.
        case payload([UInt8], corrected: OverflowBit?)
        /// No code word with the matching byte.
        case notFound

        public var payload: [UInt8]? { if case .payload(let bytes, _) = self { bytes } else { nil } }
    }

    public static let payloadSize = 4
    /// Where the code word begins: the first bit of byte 8.
    public static let usualStart = 64
    /// The first place from which on no code word has the bit of a watch that wants to be set up. Both sides have to use
    /// it.
    public static let startSparingWatches = 72

    public let matchingByte: UInt8
    public let payload: [UInt8]
    public let start: Int

    /// Nil unless the payload has four bytes, and there is room for the code word: it begins at an index from 1 to 81.
    public init?(
        _ payload: [UInt8],
        matchingByte: UInt8 = BeaconFrame.usualMatchingByte,
        start: Int = HammingFrame.usualStart
    ) {
        guard payload.count == Self.payloadSize, Self.starts.contains(start) else { return nil }
        self.payload = payload
        self.matchingByte = matchingByte
        self.start = start
    }

    public var mask: OverflowMask {
        let code = HammingCode.encode(([matchingByte] + payload).flatMap(\.bits))
        var mask = OverflowMask()
        for index in [0] + code.indices.filter({ code[$0] }).map({ start + $0 }) {
            OverflowBit(index: index).map { mask.insert($0) }
        }
        return mask
    }

    /// Whether iPhones nearby will take the phone for a watch that wants to be set up.
    public var disturbsWatches: Bool { mask.contains(.watchSetup) }

    /// Looks for a code word.
    public static func read(
        _ mask: OverflowMask,
        matchingByte: UInt8 = BeaconFrame.usualMatchingByte,
        start: Int = HammingFrame.usualStart
    ) -> Reading {
        precondition(
            starts.contains(start),
            "a code word begins at an index from \(starts.lowerBound) to \(starts.upperBound)"
        )
        let places = (start..<start + HammingCode.wholeCount).compactMap { OverflowBit(index: $0) }
        guard let (data, corrected) = HammingCode.decode(places.map(mask.contains)) else { return .notFound }
        let bytes = stride(from: 0, to: data.count, by: 8).map { first in
            (0..<8).reduce(UInt8(0)) { data[first + $1] ? $0 | 1 << UInt8($1) : $0 }
        }
        guard bytes.first == matchingByte else { return .notFound }
        return .payload(Array(bytes.dropFirst()), corrected: corrected.map { places[$0] })
    }

    private static let starts = 1...(OverflowBit.count - HammingCode.wholeCount)
}

extension UInt8 {
    /// The lowest bit first.
    var bits: [Bool] { (0..<8).map { self >> UInt8($0) & 1 == 1 } }
}
