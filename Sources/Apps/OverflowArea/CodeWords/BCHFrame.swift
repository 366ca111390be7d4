/// A matching byte and four bytes of payload as a code word of `BCHCode` that takes all of the overflow area: any
/// fourteen bits that other apps set do no harm, and of more than that those that fall on bits which are set anyway.
///
/// The first bit of the area is always set, as in `HammingFrame`. The other 127 are the code word, its data from byte 8 on,
/// round behind the last bit to the second one. No code word has the bit of a watch that wants to be set up.
public struct BCHFrame: Hashable, Sendable {
    public static let payloadSize = 4
    /// How many bits other apps may set, whichever they are.
    public static let correctable = BCHCode.correctable

    public let matchingByte: UInt8
    public let payload: [UInt8]

    /// Nil unless the payload has four bytes, and nil if they and the matching byte are zero: what other apps set would be
    /// taken for that.
    public init?(_ payload: [UInt8], matchingByte: UInt8 = BeaconFrame.usualMatchingByte) {
        guard payload.count == Self.payloadSize, matchingByte != 0 || payload.contains(where: { $0 != 0 }) else {
            return nil
        }
        self.payload = payload
        self.matchingByte = matchingByte
    }

    public var mask: OverflowMask {
        var word = [Bool](repeating: false, count: BCHCode.count)
        for (index, bit) in zip(Self.dataPlaces, ([matchingByte] + payload).flatMap(\.bits)) {
            word[Self.power(of: index)] = bit
        }
        word = BCHCode.encode(Array(word.suffix(BCHCode.dataCount)))
        var mask = OverflowMask()
        for index in [0] + Self.places.filter({ word[Self.power(of: $0)] }) {
            OverflowBit(index: index).map { mask.insert($0) }
        }
        return mask
    }

    /// Looks for a code word. Other apps only add bits: a code word of which a bit is missing is none.
    public static func read(
        _ mask: OverflowMask,
        matchingByte: UInt8 = BeaconFrame.usualMatchingByte
    ) -> PayloadReading? {
        var seen = [Bool](repeating: false, count: BCHCode.count)
        for bit in mask.bits where bit.index > 0 { seen[power(of: bit.index)] = true }
        guard let word = BCHCode.decode(seen), !unused.contains(where: { word[power(of: $0)] }) else { return nil }
        var foreign = OverflowMask()
        for index in places where word[power(of: index)] != seen[power(of: index)] {
            guard seen[power(of: index)] else { return nil }
            OverflowBit(index: index).map { foreign.insert($0) }
        }
        let bytes = stride(from: 0, to: dataPlaces.count, by: 8).map { first in
            (0..<8).reduce(UInt8(0)) { word[power(of: dataPlaces[first + $1])] ? $0 | 1 << UInt8($1) : $0 }
        }
        guard bytes.first == matchingByte, bytes.contains(where: { $0 != 0 }) else { return nil }
        let payload = Array(bytes.dropFirst())
        return PayloadReading(
            payload,
            places: PayloadReading.places(of: payload, among: dataPlaces),
            corrected: foreign
        )
    }

    /// The bits of the code word.
    private static let places = 1..<OverflowBit.count
    private static let firstPlace = 64
    /// Of the 43 bits of data three are always zero: the watch's, and the last two.
    private static let unused = [OverflowBit.watchSetup.index, 105, 106]
    private static let dataPlaces = (firstPlace..<firstPlace + BCHCode.dataCount).filter { !unused.contains($0) }

    /// The highest powers are data; behind the last bit it goes on with the second one.
    private static func power(of index: Int) -> Int {
        (BCHCode.count - 1 + firstPlace - index) % BCHCode.count
    }
}
