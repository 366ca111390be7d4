/// How a payload of a few bytes is put into the overflow area so that it can be found there again: a byte that says "here",
/// with the payload behind it, in one of two banks. Everything else is zero.
///
/// Other apps on the phone may set bits as well. So the sender takes turns between the banks, and who listens trusts a
/// bank only if nothing was in it while the other had its turn.
public struct BeaconFrame: Hashable, Sendable {
    /// Where a frame begins in each position, as bytes in the order of apps.
    public struct Positions: Hashable, Sendable {
        public let starts: [Int]

        /// The halves: 0 and 8. With the usual matching byte the second one has the bit of a watch that wants to be set
        /// up, see `OverflowBit.watchSetup`.
        public static let halves = Self(starts: [0, 8])

        /// 0 and 9: nothing is ever in the byte with the bit of a watch that wants to be set up, which costs one byte of
        /// payload. Both sides have to use it.
        public static let sparingWatches = Self(starts: [0, 9])

        public var count: Int { starts.count }

        /// The eight bytes, 64 bits, in which a position is, whatever of them a frame takes.
        func bank(of position: Int) -> Range<Int> {
            let start = starts[position] / 8 * 8
            return start..<start + 8
        }

        /// How many bytes of payload there is room for behind the matching byte.
        public var longestPayload: Int { 16 - (starts.last ?? 0) - 1 }
    }

    public static let usualMatchingByte: UInt8 = 0xAA

    public let matchingByte: UInt8
    public let payload: [UInt8]
    public let positions: Positions

    /// Nil if the payload is longer than a bank has room for, or if nothing would be sent, all being zero.
    public init?(
        _ payload: [UInt8],
        matchingByte: UInt8 = BeaconFrame.usualMatchingByte,
        positions: Positions = .halves
    ) {
        guard payload.count <= positions.longestPayload, matchingByte != 0 else { return nil }
        self.matchingByte = matchingByte
        self.payload = payload
        self.positions = positions
    }

    /// All 16 bytes while it is the turn of a position, counted from 0, in the order of apps.
    public func bytes(at position: Int) -> [UInt8] { mask(at: position).bytes(.app) }

    /// The same as a mask.
    public func mask(at position: Int) -> OverflowMask {
        precondition(positions.starts.indices.contains(position), "there is no position \(position)")
        // Without a list of the bytes: each phone of a crowd asks for it every few seconds.
        var mask = OverflowMask()
        var place = positions.starts[position]
        mask.insert(matchingByte, at: place)
        for byte in payload {
            place += 1
            mask.insert(byte, at: place)
        }
        return mask
    }

    /// Whether iPhones nearby will take the phone for a watch that wants to be set up.
    public var disturbsWatches: Bool {
        positions.starts.indices.contains { mask(at: $0).contains(.watchSetup) }
    }
}
