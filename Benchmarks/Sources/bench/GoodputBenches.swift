import Simulation
import VirtualTime

/// How much of a connection's time on the air carries payload, when a peripheral has notifications without end.
enum GoodputBenches {
    /// Link Layer payloads in bytes: the longest without Data Length Extension, and with it.
    static let payloads = [27, 251]

    static var all: [Bench] {
        payloads.map { payload in
            Bench("goodput.\(payload)", "% of the limit", target: payload == 251 ? .atLeast(97) : nil) { _ in
                try share(payload: payload) * 100
            }
        }
    }

    /// The share of what LE 1M can carry in one direction. That is one payload in the time of its frame, a pause, the
    /// shortest frame there is as acknowledgement, and another pause.
    static func share(payload: Int) throws -> Double {
        // L2CAP takes 4 bytes of a payload, ATT 3.
        let pair = try ValueBenches.notifyingPair(payload - 4 - 3, longPackets: payload > 27)
        pair.world.run(for: .seconds(5))
        let before = pair.central.count, span = TimeSpan.seconds(60)
        pair.world.run(for: span)
        if let failure = pair.central.failure { throw BenchError(failure) }
        let measured = Double((pair.central.count - before) * payload) / span.inSeconds
        return measured / limit(payload: payload)
    }

    /// Bytes of payload a second on LE 1M that no implementation exceeds.
    static func limit(payload: Int) -> Double {
        let microsecondsPerByte = 8, pause = 150
        // Preamble, access address, header, CRC.
        let frame = microsecondsPerByte * (1 + 4 + 2 + payload + 3)
        let acknowledgement = microsecondsPerByte * (1 + 4 + 2 + 3)
        return Double(payload) / (Double(frame + pause + acknowledgement + pause) * 1e-6)
    }
}
