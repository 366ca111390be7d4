import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

@Suite("Scanning")
struct ScanningTests {
    private static let advertiser = DeviceAddress(value: 0xC0FF_EE00_0001, kind: .random)
    private static let other = DeviceAddress(value: 0xC0FF_EE00_0002, kind: .random)
    private static let data: [UInt8] = [2, 1, 6]

    private static func bench(
        active: Bool = false,
        interval: UInt16 = 0x10,
        window: UInt16 = 0x10,
        filter: ScanFilterPolicy = .basicUnfiltered,
        listed: [DeviceAddress] = [],
        filtersDuplicates: Bool = false
    ) throws -> Bench {
        let bench = try Bench()
        for device in listed {
            let add = LEAddDeviceToFilterAcceptList(device: PeerAddress(device))
            try bench.succeed(.leAddDeviceToFilterAcceptList(add))
        }
        let parameters = LESetScanParameters(
            isActive: active,
            interval: interval,
            window: window,
            filterPolicy: filter
        )
        try bench.succeed(.leSetScanParameters(parameters))
        let enable = LESetScanEnable(isEnabled: true, filtersDuplicates: filtersDuplicates)
        try bench.succeed(.leSetScanEnable(enable))
        return bench
    }

    private func takeReports(_ bench: Bench) throws -> [LEAdvertisingReport.Report] {
        try bench.takeEvents().flatMap { event in
            guard case .leAdvertisingReport(let report) = event else {
                Issue.record("\(event)")
                return [LEAdvertisingReport.Report]()
            }
            return report.reports
        }
    }

    private static let pdus: [(AdvertisingPDU, AdvertisingReportType, [UInt8])] = [
        (.advInd(advertiser: advertiser, data: data, supportsChannelSelection2: false), .connectable, data),
        (.advInd(advertiser: advertiser, data: [], supportsChannelSelection2: true), .connectable, []),
        (.advScanInd(advertiser: advertiser, data: data), .scannable, data),
        (.advNonconnInd(advertiser: advertiser, data: data), .nonConnectable, data),
        (
            .advNonconnInd(advertiser: advertiser, data: [UInt8](repeating: 7, count: 31)), .nonConnectable,
            [UInt8](repeating: 7, count: 31)
        ),
        (.advDirectInd(advertiser: advertiser, target: Bench.address, supportsChannelSelection2: false), .directed, []),
    ]

    @Test("LL/DDI/SCN/BV-01-C, BV-05-C, BV-10-C, BV-11-C, BV-12-C: passive scanning reports every type and asks nobody")
    func passive() throws {
        let bench = try Self.bench()
        for (pdu, type, data) in Self.pdus {
            _ = try #require(bench.advertise(pdu, strength: -61))
            let report = try #require(try takeReports(bench).first)
            #expect(report.type == type)
            #expect(report.peer == PeerAddress(Self.advertiser))
            #expect(report.data == data)
            #expect(report.rssi == SignalStrength(dBm: -61))
        }
        bench.run(for: .seconds(1))
        #expect(bench.takeFrames().isEmpty)
    }

    @Test("What scanners and initiators send, and directed advertising to others, is not reported")
    func notReported() throws {
        let bench = try Self.bench()
        let indication = try ConnectIndication.sample(from: Self.other, to: Self.advertiser)
        let pdus: [AdvertisingPDU] = [
            .scanReq(scanner: Self.other, advertiser: Self.advertiser),
            .scanRsp(advertiser: Self.advertiser, data: Self.data),
            .connectInd(indication),
            .advDirectInd(advertiser: Self.advertiser, target: Self.other, supportsChannelSelection2: true),
            .unknown(AdvertisingHeader(AdvertisingPDUType(rawValue: 9), length: 6), payload: [1, 2, 3, 4, 5, 6]),
            .unknown(AdvertisingHeader(.extended, length: 9), payload: [6, 0, 1, 2, 3, 4, 5, 6, 7]),
        ]
        for pdu in pdus {
            _ = try #require(bench.advertise(pdu))
            #expect(try takeReports(bench).isEmpty, "\(pdu)")
        }
    }

    @Test("Advertising PDUs that are too short or too long are not reported", arguments: [0, 1, 5, 38, 60, 255])
    func impossibleLengths(length: Int) throws {
        let bench = try Self.bench()
        for type in [AdvertisingPDUType.advInd, .advDirectInd, .advScanInd, .advNonconnInd] {
            let header = AdvertisingHeader(type, length: UInt8(length))
            _ = try #require(bench.advertise(.unknown(header, payload: [UInt8](repeating: 1, count: length))))
            #expect(try takeReports(bench).isEmpty)
        }
        _ = try #require(bench.advertise(Self.pdus[0].0))
        #expect(try takeReports(bench).count == 1)
    }

    @Test("LL/DDI/SCN/BV-02-C: with the list as filter only listed devices are reported")
    func filtered() throws {
        let bench = try Self.bench(filter: .basicFiltered, listed: [Self.advertiser])
        _ = bench.advertise(.advNonconnInd(advertiser: Self.other, data: Self.data))
        let twin = DeviceAddress(value: Self.advertiser.value, kind: .public)
        _ = bench.advertise(.advNonconnInd(advertiser: twin, data: Self.data))
        #expect(try takeReports(bench).isEmpty)
        _ = bench.advertise(.advNonconnInd(advertiser: Self.advertiser, data: Self.data))
        #expect(try takeReports(bench).count == 1)
    }

    /// Advertises, and answers the scan request that follows if there is one.
    private func advertiseAndAnswer(_ bench: Bench, _ pdu: AdvertisingPDU, answering: Bool = true) throws -> Bool {
        _ = bench.takeFrames()
        let end = try #require(bench.advertise(pdu))
        bench.run(until: end + AirTime.interFrameSpace)
        guard case .transmitting(let request) = bench.radio else { return false }
        #expect(request.start == end + AirTime.interFrameSpace)
        bench.run(until: request.end)
        _ = bench.takeFrames()
        let expected = AdvertisingPDU.scanReq(scanner: Bench.address, advertiser: Self.advertiser)
        #expect(try request.advertisingPDU() == expected)
        if answering {
            let response = AirFrame.make(advertising: .scanRsp(advertiser: Self.advertiser, data: [1, 2]))
            let start = request.end + AirTime.interFrameSpace
            bench.transmit(response, on: request.channel, at: start)
            bench.run(until: start + AirTime.span(ofFrame: response, phy: .le1M))
        } else {
            bench.run(until: request.end + AirTime.interFrameSpace + .microseconds(10))
        }
        return true
    }

    //  Controller       Lower Tester
    //      |          ADV_IND |
    //      |<-----------------|
    //      | SCAN_REQ         |
    //      |----------------->|
    //      |         SCAN_RSP |
    //      |<-----------------|
    @Test(
        "LL/DDI/SCN/BV-03-C: active scanning asks and reports the answer after the advertisement",
        arguments: [0, 2]
    )
    func active(index: Int) throws {
        let bench = try Self.bench(active: true)
        for _ in 0..<5 {
            #expect(try advertiseAndAnswer(bench, Self.pdus[index].0))
            #expect(try takeReports(bench).map(\.type) == [Self.pdus[index].1, .scanResponse])
        }
    }

    @Test("Nobody asks advertisers that are not scannable, and nobody that is filtered out")
    func activeButNotScannable() throws {
        let bench = try Self.bench(active: true)
        #expect(try !advertiseAndAnswer(bench, Self.pdus[3].0))
        #expect(try !advertiseAndAnswer(bench, Self.pdus[5].0))
        let picky = try Self.bench(active: true, filter: .basicFiltered)
        #expect(try !advertiseAndAnswer(picky, Self.pdus[0].0))
    }

    @Test("An answer of somebody else's is none")
    func wrongResponder() throws {
        let bench = try Self.bench(active: true)
        let end = try #require(bench.advertise(Self.pdus[0].0))
        let request = try bench.nextFrame(within: .milliseconds(1))
        #expect(request.start == end + AirTime.interFrameSpace)
        let response = AirFrame.make(advertising: .scanRsp(advertiser: Self.other, data: [1, 2]))
        bench.transmit(response, on: request.channel, at: request.end + AirTime.interFrameSpace)
        bench.run(for: .milliseconds(1))
        #expect(try takeReports(bench).map(\.type) == [.connectable])
    }

    @Test("The more requests stay unanswered the more advertisements pass between two, up to 256 on average 128")
    func backoff() throws {
        let bench = try Self.bench(active: true)
        var gaps: [Int] = []
        var passed = 0
        while gaps.count < 60 {
            passed += 1
            if try advertiseAndAnswer(bench, Self.pdus[0].0, answering: false) {
                gaps.append(passed)
                passed = 0
            }
            _ = bench.takePackets()
        }
        #expect(gaps[0] == 1, "the first advertisement is answered")
        #expect(gaps.prefix(4).allSatisfy { $0 <= 2 })
        #expect(gaps.allSatisfy { 1...256 ~= $0 })
        let late = gaps.suffix(40)
        #expect(late.reduce(0, +) / late.count > 64)
        // Answers bring the limit down again: sixteen of them, and every advertisement is asked once more.
        var answers = 0
        while answers < 20 {
            if try advertiseAndAnswer(bench, Self.pdus[0].0) { answers += 1 }
            _ = bench.takePackets()
        }
        for _ in 0..<5 { #expect(try advertiseAndAnswer(bench, Self.pdus[0].0)) }
    }

    @Test("A duplicate is a report of the same kind from the same device; enabling again forgets all")
    func duplicates() throws {
        let bench = try Self.bench(filtersDuplicates: true)
        for _ in 0..<3 {
            for (pdu, _, _) in [Self.pdus[0], Self.pdus[2], Self.pdus[3]] { _ = bench.advertise(pdu) }
            _ = bench.advertise(.advScanInd(advertiser: Self.other, data: []))
        }
        #expect(try takeReports(bench).count == 4)
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: true, filtersDuplicates: true)))
        _ = bench.advertise(Self.pdus[0].0)
        #expect(try takeReports(bench).count == 1)
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: true, filtersDuplicates: false)))
        for _ in 0..<3 { _ = bench.advertise(Self.pdus[0].0) }
        #expect(try takeReports(bench).count == 3)
    }

    @Test("Switched off, nothing is reported, not even the answer that was asked for; switching off twice is no error")
    func disable() throws {
        let bench = try Self.bench(active: true)
        _ = try #require(bench.advertise(Self.pdus[0].0))
        let request = try bench.nextFrame(within: .milliseconds(1))
        _ = bench.takePackets()
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: false)))
        let response = AirFrame.make(advertising: .scanRsp(advertiser: Self.advertiser, data: [1, 2]))
        bench.transmit(response, on: request.channel, at: request.end + AirTime.interFrameSpace)
        bench.run(for: .seconds(1))
        #expect(bench.takePackets().isEmpty)
        #expect(bench.radio.isIdle)
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: false)))
    }

    @Test(
        "A window opens every interval on the next channel",
        arguments: [(0x10, 0x10), (0xA0, 0x30), (0x4000, 0x0004), (4, 4)] as [(UInt16, UInt16)]
    )
    func windows(interval: UInt16, window: UInt16) throws {
        let bench = try Self.bench(interval: interval, window: window)
        let step = TimeSpan.microseconds(625)
        bench.run(for: step * Int64(interval) * 7)
        let orders = bench.listenings.prefix(7)
        #expect(orders.count == 7)
        for (index, order) in orders.enumerated() {
            #expect(order.since == Instant.zero + step * Int64(interval) * Int64(index))
            #expect(order.until == order.since + step * Int64(window))
            #expect(order.channel == ChannelIndex.advertising[index % 3])
            #expect(order.accessAddress == .advertising)
        }
    }

    @Test("Outside of the window nothing is heard")
    func betweenWindows() throws {
        let bench = try Self.bench(interval: 0xA0, window: 0x30)
        let frame = AirFrame.make(advertising: Self.pdus[3].0)
        bench.transmit(frame, on: ChannelIndex.advertising[0], at: Instant.zero + .milliseconds(40))
        bench.run(for: .milliseconds(90))
        #expect(try takeReports(bench).isEmpty)
    }

    @Test("Reports can be masked, and damaged frames are none")
    func masked() throws {
        let bench = try Self.bench()
        var damaged = AirFrame.make(advertising: Self.pdus[0].0)
        damaged[damaged.count - 1] ^= 1
        bench.transmit(damaged, on: ChannelIndex.advertising[0], at: bench.now + .milliseconds(1))
        bench.run(for: .milliseconds(3))
        #expect(bench.takePackets().isEmpty)
        try bench.enableEvents(except: .advertisingReport)
        _ = bench.advertise(Self.pdus[0].0)
        #expect(bench.takePackets().isEmpty)
    }

    @Test("A scan request goes out under the address that the host has chosen")
    func ownAddress() throws {
        let bench = try Bench()
        let own = DeviceAddress(value: 0xC0DE_0000_0001, kind: .random)
        try bench.succeed(.leSetRandomAddress(LESetRandomAddress(address: own)))
        try bench.succeed(.leSetScanParameters(LESetScanParameters(isActive: true, ownAddressType: .random)))
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: true)))
        _ = try #require(bench.advertise(Self.pdus[0].0))
        let request = try bench.nextFrame(within: .milliseconds(1)).advertisingPDU()
        #expect(request == .scanReq(scanner: own, advertiser: Self.advertiser))
    }
}
