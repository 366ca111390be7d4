/// How a matching byte and four bytes of payload become a code word, in which foreign bits are put right so that it need not
/// be moved about. Both sides have to use the same.
public enum OverflowCode: Hashable, Sendable {
    /// `HammingFrame`: 47 bits from a place on; one foreign bit in them does no harm.
    case hamming(start: Int)
    /// `BCHFrame`: all 128 bits; fourteen foreign bits do no harm.
    case bch

    /// How many bytes of payload a code word carries.
    public static let payloadSize = 4

    /// The code word of a payload; nil unless it has four bytes, and the code word room.
    public func mask(
        of payload: [UInt8],
        matchingByte: UInt8 = BeaconFrame.usualMatchingByte
    ) -> OverflowMask? {
        switch self {
        case .hamming(let start): HammingFrame(payload, matchingByte: matchingByte, start: start)?.mask
        case .bch: BCHFrame(payload, matchingByte: matchingByte)?.mask
        }
    }

    /// The payload of the code word in an overflow area; nil if there is none with the matching byte.
    public func read(
        _ mask: OverflowMask,
        matchingByte: UInt8 = BeaconFrame.usualMatchingByte
    ) -> PayloadReading? {
        switch self {
        case .hamming(let start): PayloadReading(hammingCodeIn: mask, matchingByte: matchingByte, start: start)
        case .bch: BCHFrame.read(mask, matchingByte: matchingByte)
        }
    }
}
