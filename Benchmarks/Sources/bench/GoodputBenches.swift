import BluethroatBluetoothValues
import BluethroatSimulation
import BluethroatVirtualTime

/// How much of a connection's time on the air carries payload, when one side has something to say without end.
enum GoodputBenches {
    static var all: [Bench] {
        [
            Bench("goodput.27", "% of the limit") { _ in try notifications(payload: 27) },
            Bench("goodput.251", "% of the limit", target: .atLeast(97)) { _ in try notifications(payload: 251) },
            Bench("goodput2M.notification", "% of the limit", target: .atLeast(97)) { _ in
                try notifications(payload: 251, phy: .le2M, mtu: 247)
            },
            Bench("goodput2M.notifiedValue", "% of the limit") { _ in
                try notifications(payload: 251, phy: .le2M, mtu: 247) * 244 / 251
            },
            Bench("goodput2M.l2cap", "% of the limit", target: .atLeast(97)) { _ in try channel() },
        ]
    }

    /// Notifications that fill Link Layer payloads, in per cent of the limit; the payload is all that the Link Layer
    /// carries.
    static func notifications(payload: Int, phy: PHY = .le1M, mtu: Int = 517) throws -> Double {
        // L2CAP takes 4 bytes of a payload, ATT 3.
        let pair = try ValueBenches.notifyingPair(
            payload - 4 - 3,
            longPackets: payload > 27,
            le2M: phy == .le2M,
            mtu: mtu
        )
        let rate = try rate(in: pair) { pair.central.count * payload }
        return 100 * rate / limit(payload: payload, phy: phy)
    }

    /// SDUs over a channel from central to peripheral on LE 2M, in per cent of the limit; the headers of frames and the
    /// lengths in front of SDUs do not count as payload.
    static func channel() throws -> Double {
        let pair = Pair(le2M: true)
        try pair.connect()
        try pair.beginSending()
        let rate = try rate(in: pair) { pair.peripheral.channelBytes }
        return 100 * rate / limit(payload: 251, phy: .le2M)
    }

    /// By how much a count goes up in a simulated second, over a minute.
    private static func rate(in pair: Pair, of count: () -> Int) throws -> Double {
        pair.world.run(for: .seconds(5))
        let before = count(), span = TimeSpan.seconds(60)
        pair.world.run(for: span)
        if let failure = pair.central.failure { throw BenchError(failure) }
        return Double(count() - before) / span.inSeconds
    }

    /// Bytes of payload a second, in one direction, that no implementation exceeds: one payload in the time of its
    /// frame, a pause, the shortest frame there is as acknowledgement, and another pause.
    static func limit(payload: Int, phy: PHY) -> Double {
        // The preamble has one byte on LE 1M and two on LE 2M; then access address, header, CRC.
        let microsecondsPerByte = phy == .le2M ? 4 : 8, pause = 150
        let around = (phy == .le2M ? 2 : 1) + 4 + 2 + 3
        let frame = microsecondsPerByte * (around + payload)
        let acknowledgement = microsecondsPerByte * around
        return Double(payload) / (Double(frame + pause + acknowledgement + pause) * 1e-6)
    }
}
