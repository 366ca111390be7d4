import BluethroatRanks
import BluethroatVirtualTime

extension CrowdResult {
    /// What has become of the payloads in the whole world, from what this rank's part knows. All ranks call this together
    /// and get the same.
    func joined(_ part: WorldPart) throws(RankFailure) -> CrowdResult {
        let ranks = part.ranks
        var joined = self
        func nanoseconds(_ time: TimeSpan?) -> Int64 { time?.nanoseconds ?? .max }
        let times = try ranks.least(phones.flatMap { [nanoseconds($0.heard), nanoseconds($0.got)] })
        func time(_ index: Int) -> TimeSpan? { times[index] == .max ? nil : .nanoseconds(times[index]) }
        for phone in joined.phones.indices {
            joined.phones[phone] = Phone(heard: time(2 * phone), got: time(2 * phone + 1))
        }
        let sums = try ranks.sum(
            [meetings, changes, mistakes, transmissions].map { UInt64($0) } + [UInt64(bitPattern: waited.nanoseconds)]
        )
        joined.meetings = Int(sums[0])
        joined.changes = Int(sums[1])
        joined.mistakes = Int(sums[2])
        joined.transmissions = Int(sums[3])
        joined.waited = .nanoseconds(Int64(bitPattern: sums[4]))
        var bytes: [UInt8] = []
        for wait in waits { withUnsafeBytes(of: wait.nanoseconds.littleEndian) { unsafe bytes.append(contentsOf: $0) } }
        // Who waited first is not known any more: in ascending order.
        joined.waits = try ranks.share(bytes).flatMap { bytes in
            stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
                let value = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
                return TimeSpan.nanoseconds(Int64(bitPattern: value))
            }
        }.sorted()
        joined.digest = try part.digest()
        return joined
    }
}
