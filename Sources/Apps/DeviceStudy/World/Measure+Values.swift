import BluethroatBluetoothValues
import BluethroatSimulation
import BluethroatStudies
import BluethroatVirtualTime

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
    /// The numbers of this measure's columns, at the end of a world.
    ///
    /// - Parameter lost: receptions that other frames spoilt or kept from beginning, since it is measured.
    func values(in world: DeviceWorld, lost: Int) -> [Double?] {
        let ledger = world.ledger, pairs = ledger.pairs.flatMap(\.self)
        switch self {
        case .discovery:
            let reached = pairs.filter { $0.reachedAt != nil }
            let latencies = reached.compactMap { pair -> Double? in
                guard let found = pair.discoveredAt, let reached = pair.reachedAt else { return nil }
                return max(0, (found - reached).inSeconds)
            }
            return Self.summary(latencies) + [Self.share(latencies.count, of: reached.count)]
        case .received:
            return [
                Self.share(pairs.map(\.eventsReceived).reduce(0, +), of: pairs.map(\.events).reduce(0, +)),
                Self.share(pairs.map(\.framesReceived).reduce(0, +), of: pairs.map(\.frames).reduce(0, +)),
            ]
        case .collisions:
            let whole = ledger.receptions - ledger.damaged
            return [Self.share(ledger.framesMet, of: ledger.frames), Self.share(lost, of: whole + lost)]
        case .connect:
            let times = world.centrals.flatMap(\.connectTimes)
            return Self.summary(times) + [Self.share(times.count, of: world.centrals.map(\.attempts).reduce(0, +))]
        case .throughput:
            let rates = world.centrals.map { central -> Double in
                guard let first = central.firstValue, let last = central.lastValue, last > first else { return 0 }
                return 8 * Double(central.bytes) / (last - first).inSeconds
            }
            return [Statistics.mean(rates)]
        case .roundtrip: return Self.summary(world.centrals.flatMap(\.roundTrips))
        case .task:
            let times = world.tasks.compactMap(\.length)
            return Self.summary(times) + [Self.share(times.count, of: world.tasks.count)]
        case .reach:
            let reached = pairs.filter { $0.reach > 0 }
            let reach = reached.map(\.reach), detected = reached.map(\.detected)
            let total = reach.reduce(0, +)
            return [
                Statistics.mean(reach), Statistics.mean(detected), total > 0 ? detected.reduce(0, +) / total : nil,
            ]
        case .energy: return world.plan.groups.flatMap { Self.currents(of: $0, in: world) }
        case .crowd: return []
        }
    }

    /// The current of a group's devices on average, and its parts, in amperes.
    private static func currents(of group: DeviceGroup, in world: DeviceWorld) -> [Double?] {
        let table = world.plan.currents, length = (world.world.now - world.start).inSeconds
        let devices = world.members.filter { $0.group == group }.map { world.ledger.radioTimes[Int($0.id.rawValue)] }
        guard !devices.isEmpty, length > 0 else { return [nil, nil, nil, nil] }
        let parts = devices.map { times -> (Double, Double, Double) in
            let sending = times.sendingByPower.keys.sorted().map { power in
                (times.sendingByPower[power] ?? .zero).inSeconds
                    * table.current(sendingWith: SignalStrength(dBm: power))
            }
            let received = min(times.received(until: world.world.now), length)
            let asleep = max(0, length - received - times.sending.inSeconds)
            return (sending.reduce(0, +) / length, received * table.receive / length, asleep * table.sleep / length)
        }
        let means = [parts.map(\.0), parts.map(\.1), parts.map(\.2)].map { $0.reduce(0, +) / Double(devices.count) }
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
