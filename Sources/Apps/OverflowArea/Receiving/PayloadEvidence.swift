/// What was seen of a phone that speaks for each byte of its payload.
///
/// The confidence in a byte is `agreeing / frames × sure / 8`:
/// - `frames` counts the phone's advertisements in which a payload was found, `agreeing` those of them in which the byte had
///   the value that is asked about.
/// - `sure` counts those of its eight bits that no other app can have changed. Without a code word that is a 0, since bits
///   are only ever added, and a 1 whose place was a 0 in another advertisement. In a code word it is a bit that never
///   had to be put right.
public struct PayloadEvidence: Hashable, Sendable {
    /// Advertisements in which a payload was found.
    public private(set) var frames = 0
    /// The bits that were set in every advertisement, with a payload or without; nil before the first one.
    public private(set) var always: OverflowMask?
    /// How often each byte of the payload had each value.
    private var counts: [[UInt8: Int]] = []
    /// Where each byte was read: its eight bits, for each position.
    private var places: [[[OverflowBit]]] = []
    /// The bits that were put right in any of them; nil where there was no code word.
    private var corrected: OverflowMask?

    public init() {}

    /// Takes note of an advertisement, and of what was read in it, if anything was.
    public mutating func note(_ mask: OverflowMask, _ reading: PayloadReading?) {
        always = always?.intersection(mask) ?? mask
        guard let reading else { return }
        frames += 1
        if let more = reading.corrected { corrected = corrected?.union(more) ?? more }
        for (byte, value) in reading.payload.enumerated() {
            if byte == counts.count {
                counts.append([:])
                places.append([])
            }
            counts[byte][value, default: 0] += 1
            if !places[byte].contains(reading.places[byte]) { places[byte].append(reading.places[byte]) }
        }
    }

    /// The confidence in each byte of a payload, 0 to 1; 0 for a byte that was never read.
    public func confidence(in payload: [UInt8]) -> [Double] {
        payload.enumerated().map { byte, value in
            guard counts.indices.contains(byte) else { return 0 }
            let sure = (0..<8).count { isSure($0, of: byte, value) }
            return Double(counts[byte][value] ?? 0) / Double(frames) * Double(sure) / 8
        }
    }

    private func isSure(_ bit: Int, of byte: Int, _ value: UInt8) -> Bool {
        let places = places[byte].map { $0[bit] }
        if let corrected { return !places.contains(where: corrected.contains) }
        guard value >> UInt8(bit) & 1 == 1, let always else { return true }
        return places.contains { !always.contains($0) }
    }
}
