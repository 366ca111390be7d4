/// A payload that was read in an overflow area, and the bits in which it was.
public struct PayloadReading: Hashable, Sendable {
    public let payload: [UInt8]
    /// For each byte of the payload its eight bits, the lowest first.
    public let places: [[OverflowBit]]
    /// The bits of a code word that were put right; nil where there was no code word, so that nothing could be.
    public let corrected: OverflowMask?

    init(_ payload: [UInt8], places: [[OverflowBit]], corrected: OverflowMask?) {
        self.payload = payload
        self.places = places
        self.corrected = corrected
    }

    /// What is behind the matching byte in the first position that has one, whether the bank is polluted or not; nil if
    /// there is none, or if so many bytes have no room behind it.
    public init?(
        inBanksOf mask: OverflowMask,
        positions: BeaconFrame.Positions = .halves,
        matchingByte: UInt8 = BeaconFrame.usualMatchingByte,
        payloadSize: Int
    ) {
        let bytes = mask.bytes(.app)
        guard (0...positions.longestPayload).contains(payloadSize),
            let start = positions.starts.first(where: { bytes[$0] == matchingByte })
        else { return nil }
        let range = start + 1..<start + 1 + payloadSize
        self.init(
            Array(bytes[range]),
            places: range.map { byte in (8 * byte..<8 * byte + 8).compactMap { OverflowBit(index: $0) } },
            corrected: nil
        )
    }

    /// The payload of a Hamming code word; nil if there is none with the matching byte.
    public init?(
        hammingCodeIn mask: OverflowMask,
        matchingByte: UInt8 = BeaconFrame.usualMatchingByte,
        start: Int = HammingFrame.usualStart
    ) {
        let reading = HammingFrame.read(mask, matchingByte: matchingByte, start: start)
        guard case .payload(let payload, let wrong) = reading else { return nil }
        let data = HammingCode.dataPlaces.map { start + $0 }
        var corrected = OverflowMask()
        if let wrong { corrected.insert(wrong) }
        self.init(payload, places: Self.places(of: payload, among: data), corrected: corrected)
    }

    /// The bits of a payload behind its matching byte, among those that carry data.
    static func places(of payload: [UInt8], among data: [Int]) -> [[OverflowBit]] {
        payload.indices.map { byte in
            data[8 * (byte + 1)..<8 * (byte + 2)].compactMap { OverflowBit(index: $0) }
        }
    }
}
