import Foundation

/// Heart Rate Measurement, 0x2A37: what a sensor sends about once a second. Heart Rate Service 1.0, 3.1.
public struct HeartRateMeasurement: Equatable, Sendable {
    public var beatsPerMinute: Int
    /// Nil where the sensor cannot tell.
    public var hasContact: Bool?
    /// In kilojoules, since it was reset.
    public var energyExpended: Int?
    /// The intervals between beats, in seconds, the oldest first.
    public var rrIntervals: [Double]

    /// Nil for bytes that end before their flags say so, or go on after it.
    public init?(_ data: Data) {
        var bytes = Array(data)[...]
        guard let flags = bytes.popFirst() else { return nil }

        func takeNumber(ofBytes count: Int) -> Int? {
            guard bytes.count >= count else { return nil }
            defer { bytes.removeFirst(count) }
            return bytes.prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) }
        }

        guard let rate = takeNumber(ofBytes: flags & 0x01 == 0 ? 1 : 2) else { return nil }
        beatsPerMinute = rate
        hasContact = flags & 0x04 == 0 ? nil : flags & 0x02 != 0
        if flags & 0x08 != 0 {
            guard let energy = takeNumber(ofBytes: 2) else { return nil }
            energyExpended = energy
        }
        rrIntervals = []
        if flags & 0x10 != 0 {
            while !bytes.isEmpty {
                guard let interval = takeNumber(ofBytes: 2) else { return nil }
                rrIntervals.append(Double(interval) / 1_024)
            }
        }
        guard bytes.isEmpty else { return nil }
    }
}
