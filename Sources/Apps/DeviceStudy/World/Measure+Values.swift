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
    func values(of found: WorldFindings) -> [Double?] {
        let counts = found.counts
        switch self {
        case .discovery:
            return Self.summary(found.latencies) + [Self.share(found.latencies.count, of: counts.reachedPairs)]
        case .received:
            return [
                Self.share(counts.eventsReceived, of: counts.events),
                Self.share(counts.framesReceived, of: counts.frames),
            ]
        case .collisions:
            return [
                Self.share(found.framesMet, of: found.framesOnAir),
                Self.share(found.lost, of: found.received + found.lost),
            ]
        case .connect:
            return Self.summary(found.connectTimes) + [Self.share(found.connectTimes.count, of: counts.attempts)]
        case .throughput: return [Statistics.mean(found.rates)]
        case .roundtrip: return Self.summary(found.roundTrips)
        case .task:
            let times = found.tasks.compactMap(\.self)
            return Self.summary(times) + [Self.share(times.count, of: found.tasks.count)]
        case .reach:
            let total = found.reaches.reduce(0, +)
            return [
                Statistics.mean(found.reaches), Statistics.mean(found.detections),
                total > 0 ? found.detections.reduce(0, +) / total : nil,
            ]
        case .energy: return found.currents.flatMap(Self.means)
        case .crowd: return []
        }
    }

    /// The current of a group's devices on average, and its parts.
    private static func means(_ currents: WorldFindings.Currents) -> [Double?] {
        guard !currents.sending.isEmpty else { return [nil, nil, nil, nil] }
        let means = [currents.sending, currents.receiving, currents.sleeping].map {
            $0.reduce(0, +) / Double($0.count)
        }
        return [means.reduce(0, +)] + means
    }

    /// Mean, median and 95th percentile.
    private static func summary(_ values: [Double]) -> [Double?] {
        [Statistics.mean(values), Statistics.quantile(0.5, of: values), Statistics.quantile(0.95, of: values)]
    }

    private static func share(_ count: Int, of total: Int) -> Double? {
        total == 0 ? nil : Double(count) / Double(total)
    }
}
