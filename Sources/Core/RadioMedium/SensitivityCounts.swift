import BluethroatBluetoothValues

/// How many radios have which sensitivity of their own, to know the keenest of them at once.
struct SensitivityCounts: Sendable {
    /// By the sensitivity in dBm, from -128 on; empty while nobody has one.
    private var counts: [UInt32] = []
    /// The least of them in dBm; nil where there is none.
    private(set) var least: Int?

    /// A radio had one, or will have one.
    mutating func replace(_ old: SignalStrength?, by new: SignalStrength?) {
        guard old != new else { return }
        if counts.isEmpty { counts = [UInt32](repeating: 0, count: 256) }
        if let old { counts[Int(old.dBm) + 128] -= 1 }
        if let new {
            counts[Int(new.dBm) + 128] += 1
            least = min(least ?? Int(new.dBm), Int(new.dBm))
        }
        // The keenest one has gone.
        if let least, counts[least + 128] == 0 { self.least = counts.firstIndex { $0 > 0 }.map { $0 - 128 } }
    }
}
