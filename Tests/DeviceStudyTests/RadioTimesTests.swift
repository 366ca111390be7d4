import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatStudies
import BluethroatVirtualTime
import Testing

@testable import BluethroatDeviceStudy

@Suite("How long a radio is on")
struct RadioTimesTests {
    private static func at(_ milliseconds: Int64) -> Instant { .zero + .milliseconds(milliseconds) }

    /// HCI_LE_Set_Scan_Parameters with half of the time, and HCI_LE_Set_Scan_Enable. Core 6.0, Vol 4, Part E, 7.8.10 and 7.8.11.
    private static let scanHalf: [UInt8] = [1, 0x0B, 0x20, 7, 1, 32, 0, 16, 0, 0, 0]
    private static func scan(_ isOn: Bool) -> [UInt8] { [1, 0x0C, 0x20, 2, isOn ? 1 : 0, 0] }
    /// HCI_LE_Create_Connection with a quarter of the time, as far as it is looked at, and its cancellation.
    private static let create: [UInt8] = [1, 0x0D, 0x20, 25, 32, 0, 8, 0] + [UInt8](repeating: 0, count: 21)
    private static let cancel: [UInt8] = [1, 0x0E, 0x20, 0]
    /// HCI_LE_Connection_Complete.
    private static func connected(status: UInt8 = 0, role: UInt8) -> [UInt8] {
        [4, 0x3E, 19, 1, status, 0, 0, role] + [UInt8](repeating: 0, count: 14)
    }

    @Test("A scan goes on while a connection is made, and after it")
    func scanGoesOn() {
        var times = RadioTimes(from: .zero)
        times.hci(Self.scanHalf, at: .zero)
        times.hci(Self.scan(true), at: .zero)
        times.hci(Self.create, at: Self.at(1_000))
        times.hci(Self.connected(role: 0), at: Self.at(3_000))
        #expect(times.received(until: Self.at(3_000)) == 0.5 + 2 * 0.75)
        #expect(times.received(until: Self.at(5_000)) == 0.5 + 2 * 0.75 + 2 * 0.5)
        times.hci(Self.scan(false), at: Self.at(5_000))
        #expect(times.received(until: Self.at(9_000)) == 3)
    }

    @Test("Calling ends with a connection of one's own, a failure or a cancellation, not as another one's peripheral")
    func calling() {
        for end in [connectedAsCentral, Self.connected(status: 2, role: 0), Self.cancel] {
            var times = RadioTimes(from: .zero)
            times.hci(Self.create, at: .zero)
            times.hci(Self.connected(role: 1), at: Self.at(1_000))
            times.hci(end, at: Self.at(2_000))
            #expect(times.received(until: Self.at(4_000)) == 0.5)
        }
    }

    private var connectedAsCentral: [UInt8] { Self.connected(role: 0) }

    @Test("A peripheral's receiver opens earlier by what clocks drift; a central's does not")
    func widening() {
        func frame(at milliseconds: Int64) -> Reception {
            Reception(
                channel: ChannelIndex(5)!,
                phy: .le1M,
                start: Self.at(milliseconds),
                end: Self.at(milliseconds) + .microseconds(80),
                strength: SignalStrength(dBm: -50),
                frame: []
            )
        }
        for role in [UInt8(0), 1] {
            var times = RadioTimes(from: .zero)
            times.hci(Self.connected(role: role), at: .zero)
            times.received(frame(at: 1_000))
            times.received(frame(at: 2_000))
            let seconds = times.received(until: Self.at(3_000))
            #expect(abs(seconds - (role == 0 ? 0.000_16 : 0.000_26)) < 1e-9, "\(seconds)")
        }
    }

    @Test("An answer counts once, from its first bit; one that is awaited in vain counts with its access address")
    func answers() {
        let channel = ChannelIndex(5)!, length = TimeSpan.microseconds(80)
        func frame(_ hasMore: Bool) -> [UInt8] { [1, 2, 3, 4, hasMore ? 0x11 : 0x01, 0, 0, 0, 0] }
        func sent(_ times: inout RadioTimes, at start: TimeSpan, hasMore: Bool = false) {
            times.transmitted(
                Transmission(
                    radio: RadioID(rawValue: 0),
                    channel: channel,
                    phy: .le1M,
                    power: SignalStrength(dBm: 0),
                    syncWord: 0,
                    start: .zero + start,
                    end: .zero + start + length,
                    frame: frame(hasMore)
                )
            )
        }
        func got(_ times: inout RadioTimes, at start: TimeSpan, hasMore: Bool = false) {
            times.received(
                Reception(
                    channel: channel,
                    phy: .le1M,
                    start: .zero + start,
                    end: .zero + start + length,
                    strength: SignalStrength(dBm: -50),
                    frame: frame(hasMore)
                )
            )
        }
        func microseconds(_ times: RadioTimes) -> Double { (times.received(until: Self.at(1)) * 1e7).rounded() / 10 }

        var central = RadioTimes(from: .zero)
        central.hci(connectedAsCentral, at: .zero)
        sent(&central, at: .zero)
        #expect(microseconds(central) == 40)
        got(&central, at: .microseconds(230))
        #expect(microseconds(central) == 80)
        sent(&central, at: .microseconds(460))
        #expect(microseconds(central) == 120)

        for hasMore in [false, true] {
            var peripheral = RadioTimes(from: .zero)
            peripheral.hci(Self.connected(role: 1), at: .zero)
            got(&peripheral, at: .zero)
            sent(&peripheral, at: .microseconds(230), hasMore: hasMore)
            #expect(microseconds(peripheral) == (hasMore ? 120 : 80))
            // The central has more: its next packet is awaited, and comes.
            got(&peripheral, at: .microseconds(460), hasMore: true)
            #expect(microseconds(peripheral) == 160)
            sent(&peripheral, at: .microseconds(690))
            #expect(microseconds(peripheral) == 200)
        }
    }

    @Test("Throughput counts the time in which there is no connection any more")
    func lostConnection() throws {
        func rate(_ way: String, length: Int) throws -> Double {
            let plan = try StudyPlan(
                yaml: """
                    length: \(length) s
                    worlds: 1
                    air: {shadowing: 0 dB}
                    devices:
                      p: {kind: peripheral, value: 244 B, place: at}
                      c: {kind: central, to: p, traffic: notify, walk: trace, trace: way.csv}
                    measure: throughput
                    """,
                named: "a.yaml"
            ) { _ in way }
            let results = try #require(try plan.results(on: ThreadedRunner(threads: 1)))
            return try #require(results.estimate(row: 0, column: 0)).mean
        }
        let near = try rate("c,0,1,0", length: 4)
        // Out of reach from the seventh second on, which is the fifth that is measured.
        let gone = try rate("c,0,1,0\nc,6,1,0\nc,7,5000,0", length: 30)
        #expect(near > 700_000 && gone > near * 2 / 29 && gone < near * 5 / 29, "\(near), \(gone)")
    }

    @Test("A peripheral that notifies as fast as it can stalls no world in which its central ends the connection")
    func notifiesWhileItEnds() throws {
        let plan = try StudyFileTests.plan(
            """
            worlds: 4
            length: 5 s
            devices:
              per: {kind: peripheral, count: 2}
              ce: {kind: central, to: per, traffic: notify, count: 2, hold: 1 s}
            measure: [throughput, connect]
            """
        )
        let results = try #require(try plan.results(on: ThreadedRunner(threads: 2)))
        #expect(results.outcomes[0].count == 4)
    }

    @Test("A text is as long as the file says")
    func text() throws {
        let plan = try StudyFileTests.plan(
            """
            length: 20 s
            devices:
              r: {kind: text-server, place: at}
              s: {kind: text-client, place: at, x: 1 m, text: 1000 B}
            vary: {s.text: [1006 B, 1009 B]}
            measure: [task]
            """
        )
        let results = try #require(try plan.results(on: ThreadedRunner(threads: 2)))
        #expect(results.outcomes[0].map(\.digest) != results.outcomes[1].map(\.digest))
    }
}
