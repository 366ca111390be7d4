import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatVirtualTime
import Testing

@Suite("Scanning")
struct ScanningTests {
    static func start(_ bench: inout HostBench, _ parameters: ScanParameters = ScanParameters()) throws(OrderError) {
        try bench.order { host, now, actions throws(OrderError) in
            try host.startScanning(parameters, at: now, into: &actions)
        }
    }

    static func stop(_ bench: inout HostBench) throws(OrderError) {
        try bench.order { host, now, actions throws(OrderError) in try host.stopScanning(at: now, into: &actions) }
    }

    static func ends(_ events: [HostEvent]) -> [ScanEnd] {
        events.compactMap { if case .scanningEnded(let end) = $0 { end } else { nil } }
    }

    static func report(_ type: AdvertisingReportType, data: [UInt8], rssi: Int8?) -> Event {
        let report = LEAdvertisingReport.Report(
            type: type,
            peer: PeerAddress(DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)),
            data: data,
            rssi: rssi.map(SignalStrength.init(dBm:))
        )
        return .leAdvertisingReport(LEAdvertisingReport(reports: [report]))
    }

    @Test("Parameters are set as asked, then scanning is enabled")
    func order() throws {
        var bench = HostBench.up()
        let timing = try #require(ScanTiming(intervalSteps: 0x60, windowSteps: 0x30))
        var parameters = ScanParameters(active: false, timing: timing, filtersDuplicates: true)
        parameters.filter = .listedOnly
        parameters.ownAddress = .staticRandom
        try Self.start(&bench, parameters)
        #expect(bench.takeEvents().names == ["scanningStarted"])
        let set = LESetScanParameters(
            isActive: false,
            interval: 0x60,
            window: 0x30,
            ownAddressType: .random,
            filterPolicy: .basicFiltered
        )
        #expect(
            bench.controller.commands == [
                .leSetScanParameters(set),
                .leSetScanEnable(LESetScanEnable(isEnabled: true, filtersDuplicates: true)),
            ]
        )
    }

    @Test("Each report is told as it was heard, while scanning is on")
    func reports() throws {
        var bench = HostBench.up()
        bench.report(Self.report(.connectable, data: [2, 1, 6], rssi: -60))
        try Self.start(&bench)
        bench.report(Self.report(.connectable, data: [2, 1, 6], rssi: -60))
        bench.report(Self.report(.scanResponse, data: [], rssi: nil))
        try Self.stop(&bench)
        bench.report(Self.report(.connectable, data: [2, 1, 6], rssi: -60))
        let reports = bench.takeEvents().compactMap {
            if case .advertisingReport(let report) = $0 { report } else { nil }
        }
        let address = DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)
        #expect(
            reports == [
                AdvertisingReport(
                    kind: .connectable,
                    address: address,
                    data: [2, 1, 6],
                    signalStrength: SignalStrength(dBm: -60)
                ),
                AdvertisingReport(kind: .scanResponse, address: address, data: [], signalStrength: nil),
            ]
        )
    }

    @Test("A controller that reports in the extended form is understood too")
    func extendedReports() throws {
        var bench = HostBench.up()
        try Self.start(&bench)
        _ = bench.takeEvents()
        let kinds: [(ExtendedAdvertisingReportType, AdvertisingReport.Kind)] = [
            ([.connectable], .connectable), ([.connectable, .scannable, .legacy], .connectable),
            ([.connectable, .directed, .legacy], .directed), ([.scannable, .legacy], .scannable),
            ([.legacy], .nonConnectable), ([.connectable, .scannable, .scanResponse, .legacy], .scanResponse),
        ]
        let address = DeviceAddress(value: 0xC0FF_EE00_0001, kind: .random)
        for (type, kind) in kinds {
            let report = LEExtendedAdvertisingReport.Report(
                type: type,
                peer: PeerAddress(address),
                rssi: SignalStrength(dBm: -50),
                data: [2, 1, 6]
            )
            bench.report(.leExtendedAdvertisingReport(LEExtendedAdvertisingReport(reports: [report])))
            guard case .advertisingReport(let told) = bench.takeEvents().first else {
                Issue.record("\(kind) was not told")
                continue
            }
            #expect(told.kind == kind && told.address == address && told.data == [2, 1, 6])
        }
    }

    @Test("A scan ends by itself when its duration is over, or at an order, once")
    func ends() throws {
        var bench = HostBench.up()
        try Self.start(&bench, ScanParameters(duration: .seconds(5)))
        #expect(throws: OrderError.busy) { try Self.start(&bench) }
        bench.run(for: .seconds(5))
        #expect(Self.ends(bench.takeEvents()) == [.durationOver])
        #expect(throws: OrderError.notActive) { try Self.stop(&bench) }
        try Self.start(&bench)
        try Self.stop(&bench)
        #expect(Self.ends(bench.takeEvents()) == [.stopped])
    }

    @Test("Refused scanning has not begun", arguments: [Opcode.leSetScanParameters, .leSetScanEnable])
    func refusal(opcode: Opcode) throws {
        var bench = HostBench.up()
        bench.controller.refusals[opcode] = .commandDisallowed
        try Self.start(&bench)
        #expect(Self.ends(bench.takeEvents()) == [.refused(.commandDisallowed)])
    }

    @Test("What is stopped while it starts ends once, whenever the order comes", arguments: 0...2)
    func stopWhileStarting(answered: Int) throws {
        var bench = HostBench.up()
        bench.holdsPackets = true
        try Self.start(&bench)
        for _ in 0..<answered { bench.releaseOne() }
        try Self.stop(&bench)
        try? Self.start(&bench)
        try? Self.stop(&bench)
        bench.release()
        #expect(Self.ends(bench.takeEvents()) == [.stopped])
    }

    @Test("The filter accept list is cleared, then filled, and the outcome told")
    func filterAcceptList() throws {
        func set(_ count: UInt64, _ bench: inout HostBench) throws(OrderError) {
            let addresses = (0..<count).map { DeviceAddress(value: 0xC000_0000_0000 + $0, kind: .random) }
            try bench.order { host, now, actions throws(OrderError) in
                try host.setFilterAcceptList(addresses, at: now, into: &actions)
            }
        }
        func outcome(_ events: [HostEvent]) -> ControllerError? {
            for case .filterAcceptListSet(let result) in events { return result }
            return nil
        }
        var bench = HostBench.up()
        try set(2, &bench)
        #expect(outcome(bench.takeEvents()) == .success)
        #expect(
            bench.controller.opcodes
                == [.leClearFilterAcceptList, .leAddDeviceToFilterAcceptList, .leAddDeviceToFilterAcceptList]
        )
        try set(0, &bench)
        #expect(outcome(bench.takeEvents()) == .success)
        bench.controller.refusals[.leAddDeviceToFilterAcceptList] = .memoryCapacityExceeded
        try set(2, &bench)
        #expect(outcome(bench.takeEvents()) == .memoryCapacityExceeded)
        #expect(throws: OrderError.filterAcceptListTooLong) { try set(5, &bench) }
        try Self.start(&bench)
        #expect(throws: OrderError.busy) { try set(1, &bench) }
    }
}
