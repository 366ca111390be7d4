import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// What an advertiser answers to requests, and to whose.
@Suite("Requests to an advertiser")
struct AdvertisingRequestsTests {
    private static let stranger = DeviceAddress(value: 0xC0FF_EE00_0099, kind: .random)
    private static let response = AdvertisingPDU.scanRsp(
        advertiser: Bench.address,
        data: AdvertisingTests.scanResponse
    )

    /// Sends a request T_IFS after the next advertisement; answers what comes back T_IFS after that, if anything.
    private func ask(
        _ bench: Bench,
        from scanner: DeviceAddress = Bench.testerAddress,
        of advertiser: DeviceAddress = Bench.address,
        late: TimeSpan = .zero,
        damaged: Bool = false
    ) throws -> AdvertisingPDU? {
        _ = bench.takeFrames()
        let advertisement = try bench.nextFrame(within: .seconds(2))
        var request = AirFrame.make(advertising: .scanReq(scanner: scanner, advertiser: advertiser))
        if damaged { request[request.count - 2] ^= 1 }
        let start = advertisement.end + AirTime.interFrameSpace + late
        bench.transmit(request, on: advertisement.channel, at: start)
        let end = start + AirTime.span(ofFrame: request, phy: .le1M)
        bench.run(until: end + AirTime.interFrameSpace)
        guard case .transmitting(let answer) = bench.radio, answer.start == end + AirTime.interFrameSpace,
            answer.channel == advertisement.channel
        else { return nil }
        bench.run(until: answer.end)
        return try bench.takeFrames().first { $0.start == answer.start }?.advertisingPDU()
    }

    //  Controller       Lower Tester
    //      | ADV_IND          |
    //      |----------------->|
    //      |         SCAN_REQ |   T_IFS later
    //      |<-----------------|
    //      | SCAN_RSP         |   T_IFS later
    //      |----------------->|
    @Test(
        "LL/DDI/ADV/BV-05-C, BV-17-C: a scan request is answered after T_IFS, on every channel",
        arguments: [AdvertisingType.connectable, .scannable]
    )
    func scanRequest(type: AdvertisingType) throws {
        let bench = try AdvertisingTests.bench(type)
        for _ in 0..<6 { #expect(try ask(bench) == Self.response) }
        #expect(try bench.takeEvents().isEmpty)
    }

    @Test("A response says what was set last, and the address of now, while on, of another kind and after a reset")
    func newResponse() throws {
        let bench = try AdvertisingTests.bench()
        #expect(try ask(bench) == Self.response)
        try bench.succeed(.leSetScanResponseData(LESetScanResponseData(data: [2, 0x0A, 4])))
        bench.run(for: .milliseconds(31))
        #expect(try ask(bench) == .scanRsp(advertiser: Bench.address, data: [2, 0x0A, 4]))
        // The same 48 bits as a random address, and back.
        let twin = DeviceAddress(value: Bench.address.value, kind: .random)
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: false)))
        try bench.succeed(.leSetRandomAddress(LESetRandomAddress(address: twin)))
        for type in [OwnAddressType.random, .public] {
            let address = type == .random ? twin : Bench.address
            let parameters = LESetAdvertisingParameters(
                minimumInterval: 0x20,
                maximumInterval: 0x20,
                ownAddressType: type
            )
            try bench.succeed(.leSetAdvertisingParameters(parameters))
            try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
            #expect(try ask(bench, of: address) == .scanRsp(advertiser: address, data: [2, 0x0A, 4]))
            try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: false)))
        }
        try bench.succeed(.reset)
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
        #expect(try ask(bench) == .scanRsp(advertiser: Bench.address, data: []))
    }

    @Test(
        "Scan requests to advertising that is not scannable get no answer",
        arguments: [AdvertisingType.nonConnectable, .directedLowDutyCycle, .directedHighDutyCycle]
    )
    func notScannable(type: AdvertisingType) throws {
        let bench = try AdvertisingTests.bench(type)
        for _ in 0..<3 { #expect(try ask(bench) == nil) }
    }

    @Test("A request to another advertiser, a damaged one and one out of time get no answer")
    func notForUs() throws {
        let bench = try AdvertisingTests.bench()
        #expect(try ask(bench, of: Self.stranger) == nil)
        // The same 48 bits, but as a random address, are another device.
        let twin = DeviceAddress(value: Bench.address.value, kind: .random)
        #expect(try ask(bench, of: twin) == nil)
        #expect(try ask(bench, damaged: true) == nil)
        #expect(try ask(bench, late: .microseconds(3)) == nil)
        #expect(try ask(bench, late: .microseconds(2)) == Self.response)
    }

    @Test(
        "LL/DDI/ADV/BV-08-C, BV-18-C: the filter policy says whose scan requests count",
        arguments: AdvertisingFilterPolicy.allCases
    )
    func filteredScans(policy: AdvertisingFilterPolicy) throws {
        let bench = try AdvertisingTests.bench(filter: policy, listed: [Bench.testerAddress])
        let isFiltered = policy == .scansFromList || policy == .onlyFromList
        #expect(try ask(bench) == Self.response)
        #expect(try ask(bench, from: Self.stranger) == (isFiltered ? nil : Self.response))
        let twin = DeviceAddress(value: Bench.testerAddress.value, kind: .random)
        #expect(try ask(bench, from: twin) == (isFiltered ? nil : Self.response))
    }

    /// Sends CONNECT_IND after the next advertisement; answers the connection, if one comes of it.
    private func connect(
        _ bench: Bench,
        from initiator: DeviceAddress = Bench.testerAddress,
        edit: (inout [UInt8]) -> Void = { _ in }
    ) throws -> LEConnectionComplete? {
        _ = bench.takeFrames()
        let advertisement = try bench.nextFrame(within: .seconds(2))
        let indication = try ConnectIndication.sample(from: initiator, to: Bench.address)
        var frame = AirFrame.make(advertising: .connectInd(indication))
        edit(&frame)
        AirFrame.renewCRC(of: &frame, crcInit: .advertising)
        let start = advertisement.end + AirTime.interFrameSpace
        bench.transmit(frame, on: advertisement.channel, at: start)
        bench.run(until: start + AirTime.span(ofFrame: frame, phy: .le1M))
        guard case .leConnectionComplete(let complete)? = try bench.takeEvents().first else { return nil }
        return complete
    }

    @Test(
        "LL/DDI/ADV/BV-06-C: a connection request ends advertising and begins a connection",
        arguments: [AdvertisingType.connectable, .directedLowDutyCycle, .directedHighDutyCycle]
    )
    func connection(type: AdvertisingType) throws {
        let bench = try AdvertisingTests.bench(type)
        let complete = try #require(try connect(bench))
        #expect(complete.status == .success)
        #expect(complete.role == .peripheral)
        #expect(complete.peer == PeerAddress(Bench.testerAddress))
        #expect(complete.interval == 24 && complete.latency == 0 && complete.supervisionTimeout == 100)
        #expect(complete.centralClockAccuracy == SleepClockAccuracy.upTo20.rawValue)
        _ = bench.takeFrames()
        // Nobody comes to the events, so nothing is heard from the controller any more.
        bench.run(for: .seconds(5))
        #expect(bench.takeFrames().isEmpty)
    }

    @Test("LL/DDI/ADV/BV-07-C: a scan request first, a connection request in a later event")
    func scanThenConnect() throws {
        let bench = try AdvertisingTests.bench()
        #expect(try ask(bench) == Self.response)
        #expect(try connect(bench)?.status == .success)
    }

    @Test(
        "Connection requests to advertising that is not connectable count for nothing",
        arguments: [AdvertisingType.scannable, .nonConnectable]
    )
    func notConnectable(type: AdvertisingType) throws {
        let bench = try AdvertisingTests.bench(type)
        #expect(try connect(bench) == nil)
        #expect(throws: Never.self) { try bench.nextFrame(within: .milliseconds(31)) }
    }

    @Test(
        "LL/DDI/ADV/BV-09-C: the filter policy says whose connection requests count",
        arguments: AdvertisingFilterPolicy.allCases
    )
    func filteredConnections(policy: AdvertisingFilterPolicy) throws {
        let bench = try AdvertisingTests.bench(filter: policy, listed: [Bench.testerAddress])
        let isFiltered = policy == .connectionsFromList || policy == .onlyFromList
        #expect((try connect(bench, from: Self.stranger) == nil) == isFiltered)
        if isFiltered { #expect(try connect(bench) != nil) }
    }

    @Test(
        "Directed advertising takes connections from its target alone, list or no list",
        arguments: [AdvertisingType.directedLowDutyCycle, .directedHighDutyCycle],
        [false, true]
    )
    func directed(type: AdvertisingType, isListed: Bool) throws {
        let bench = try AdvertisingTests.bench(
            type,
            filter: .onlyFromList,
            listed: isListed ? [Self.stranger] : []
        )
        #expect(try connect(bench, from: Self.stranger) == nil)
        #expect(try connect(bench) != nil)
    }

    @Test(
        "A connection request with a field out of its range is none, and advertising goes on",
        arguments: [
            // Where in CONNECT_IND's 34 bytes, and what is written there.
            (19, [0]), (19, [9]),  // window size 0, more than 10 ms
            (19, [6, 0, 0, 6, 0]),  // window size as long as the interval
            (20, [25, 0]),  // window offset more than the interval
            (22, [5, 0]), (22, [0x81, 0x0C]),  // interval below 7.5 ms, above 4 s
            (24, [0xF4, 1]),  // latency 500
            (26, [9, 0]), (26, [0x81, 0x0C]),  // timeout below 100 ms, above 32 s
            (28, [0, 0, 0, 0, 0]), (28, [1, 0, 0, 0, 0]),  // no channel, one channel
            (33, [4]), (33, [17]),  // hop 4, hop 17
        ] as [(Int, [UInt8])]
    )
    func impossibleParameters(offset: Int, bytes: [UInt8]) throws {
        let bench = try AdvertisingTests.bench()
        let complete = try connect(bench) { frame in
            for (place, byte) in bytes.enumerated() { frame[AirFrame.payloadOffset + offset + place] = byte }
        }
        #expect(complete == nil)
        #expect(throws: Never.self) { try bench.nextFrame(within: .milliseconds(31)) }
    }

    @Test("Between two addresses there is one connection: a second request is taken no notice of")
    func oneConnection() throws {
        let bench = try AdvertisingTests.bench()
        #expect(try connect(bench) != nil)
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
        _ = bench.takeFrames()
        #expect(try connect(bench) == nil)
        #expect(try connect(bench, from: Self.stranger) != nil)
    }
}
