import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// Durations that lead past the last instant that there is.
@Suite("Durations without end")
struct LongDurationTests {
    static let spans: [TimeSpan] = [TimeSpan(nanoseconds: .max), TimeSpan(nanoseconds: .max - 1_000_000_000)]

    private func bench(_ configure: (inout HostConfiguration) -> Void = { _ in }) -> HostBench {
        var bench = HostBench.up(configure: configure)
        // The later, the sooner a sum is too great.
        bench.run(for: .seconds(5))
        return bench
    }

    @Test("Advertising that is to last so long goes on", arguments: spans)
    func advertising(_ span: TimeSpan) throws {
        var bench = bench()
        try bench.order { host, now, actions throws(OrderError) in
            let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!, duration: span)
            try host.startAdvertising(parameters, at: now, into: &actions)
        }
        bench.run(for: .seconds(3_600))
        #expect(bench.takeEvents().names == ["advertisingStarted"])
    }

    @Test("A scan that is to last so long goes on", arguments: spans)
    func scanning(_ span: TimeSpan) throws {
        var bench = bench()
        try bench.order { host, now, actions throws(OrderError) in
            try host.startScanning(ScanParameters(duration: span), at: now, into: &actions)
        }
        bench.run(for: .seconds(3_600))
        #expect(bench.takeEvents().names == ["scanningStarted"])
    }

    @Test("An attempt to connect that may last so long is not given up", arguments: spans)
    func connecting(_ span: TimeSpan) throws {
        var bench = bench()
        try bench.order { host, now, actions throws(OrderError) in
            let peer = DeviceAddress(value: 0x99, kind: .public)
            try host.connect(to: peer, ConnectParameters(timeout: span, untilAnswered: true), at: now, into: &actions)
        }
        bench.run(for: .seconds(3_600))
        #expect(bench.takeEvents().isEmpty)
    }

    @Test("A controller that may think so long about a command is not given up", arguments: spans)
    func commands(_ span: TimeSpan) {
        var bench = HostBench(configure: { $0.commandTimeout = span })
        bench.run(for: .seconds(5))
        bench.holdsPackets = true
        bench.powerOn()
        bench.run(for: .seconds(3_600))
        #expect(bench.takeEvents().isEmpty && bench.host.core.controller.phase == .starting)
        bench.release()
        #expect(bench.host.core.controller.phase == .up)
    }

    @Test("A private address that is to be shown so long is not changed", arguments: spans)
    func rotation(_ span: TimeSpan) throws {
        var bench = bench {
            $0.privacy.rotation = span
            $0.privacy.ownAddress = .nonResolvablePrivate
        }
        try bench.order { host, now, actions throws(OrderError) in
            try host.startScanning(ScanParameters(active: true), at: now, into: &actions)
        }
        let address = bench.host.core.gap.privacy.random.address
        bench.run(for: .seconds(7_200))
        #expect(bench.takeEvents().names == ["scanningStarted"])
        #expect(bench.host.core.gap.privacy.random.address == address)
    }
}
