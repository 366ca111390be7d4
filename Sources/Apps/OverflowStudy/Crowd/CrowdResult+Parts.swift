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
        // Who waited first is not known any more: in ascending order.
        joined.waits = try ranks.gather(waits.map { UInt64(bitPattern: $0.nanoseconds) })
            .map { .nanoseconds(Int64(bitPattern: $0)) }
            .sorted()
        joined.digest = try part.digest()
        return joined
    }
}
