import BluethroatHost
import BluethroatKeyFob

/// The key fob's nine services, over one connection and with a new connection each time.
enum DiscoveryBenches {
    static var all: [Bench] {
        [
            Bench("discovery", "discoveries/s", target: .timesBumble(50)) { try discoveries(effort: $0) },
            Bench("connectDiscoverDisconnect", "cycles/s") { try cycles(effort: $0) },
        ]
    }

    private static let table = KeyFobTable().services

    static func discoveries(effort: Effort) throws -> Double {
        let pair = Pair(services: table)
        try pair.connect()
        pair.begin(.discover)
        let rate = try pair.rate(effort) { pair.central.count }
        try check(pair.central.result)
        return rate
    }

    static func cycles(effort: Effort) throws -> Double {
        let pair = Pair(services: table)
        pair.begin(.cycle(pair.peripheralAddress))
        let rate = try pair.rate(effort) { pair.central.count }
        try check(pair.central.result)
        return rate
    }

    private static func check(_ result: ProcedureResult?) throws {
        guard case .database(let database) = result, database.services.count == table.count else {
            throw BenchError("not all services were found")
        }
    }
}
