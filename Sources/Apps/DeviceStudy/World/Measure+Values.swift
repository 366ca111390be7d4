import BluethroatStudies

/// What came of one world: the numbers of the study's columns.
struct WorldOutcome: Codable, Hashable, Sendable {
    /// In the order of the columns; nil where there is none.
    var values: [Double?]
    /// Frames on the air.
    var transmissions: Int
    /// The world's fingerprint.
    var digest: UInt64
}

extension Measure {
    /// The numbers of this measure's columns.
    func values(of found: WorldFindings, for groups: [DeviceGroup]) -> [Double?] {
        switch self {
        case .discovery:
            let latencies = found.pairs.compactMap(\.latency)
            return Self.summary(latencies) + [Self.share(latencies.count, of: found.pairs.count(where: \.isReached))]
        case .received:
            return [
                Self.share(Self.sum(found.pairs, \.eventsReceived), of: Self.sum(found.pairs, \.events)),
                Self.share(Self.sum(found.pairs, \.framesReceived), of: Self.sum(found.pairs, \.frames)),
            ]
        case .collisions:
            return [
                Self.share(found.framesMet, of: found.frames), Self.share(found.lost, of: found.received + found.lost),
            ]
        case .connect:
            let times = found.centrals.flatMap(\.connectTimes)
            return Self.summary(times) + [Self.share(times.count, of: Self.sum(found.centrals, \.attempts))]
        case .throughput: return [Statistics.mean(found.centrals.map(\.rate))]
        case .roundtrip: return Self.summary(found.centrals.flatMap(\.roundTrips))
        case .task:
            let times = found.tasks.compactMap(\.self)
            return Self.summary(times) + [Self.share(times.count, of: found.tasks.count)]
        case .reach:
            let reached = found.pairs.filter { $0.reach > 0 }
            let reach = reached.map(\.reach), detected = reached.map(\.detected)
            let total = reach.reduce(0, +)
            return [
                Statistics.mean(reach), Statistics.mean(detected), total > 0 ? detected.reduce(0, +) / total : nil,
            ]
        case .energy: return groups.flatMap { Self.currents(of: $0, in: found) }
        case .crowd: return []
        }
    }

    /// The current of a group's devices on average, and its parts, in amperes.
    private static func currents(of group: DeviceGroup, in found: WorldFindings) -> [Double?] {
        let parts = found.currents.filter { $0.group == group.name }
        guard !parts.isEmpty else { return [nil, nil, nil, nil] }
        let means = [parts.map(\.sending), parts.map(\.receiving), parts.map(\.sleeping)].map {
            $0.reduce(0, +) / Double(parts.count)
        }
        return [means.reduce(0, +)] + means
    }

    private static func sum<Value>(_ values: [Value], _ number: (Value) -> Int) -> Int {
        values.reduce(0) { $0 + number($1) }
    }

    /// Mean, median and 95th percentile.
    private static func summary(_ values: [Double]) -> [Double?] {
        [Statistics.mean(values), Statistics.quantile(0.5, of: values), Statistics.quantile(0.95, of: values)]
    }

    private static func share(_ count: Int, of total: Int) -> Double? {
        total == 0 ? nil : Double(count) / Double(total)
    }
}
