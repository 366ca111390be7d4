import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

@Suite("Advertising events")
struct AdvertisingTests {
    static let data: [UInt8] = [2, 1, 6, 3, 9, 0x4B, 0x46]
    static let scanResponse: [UInt8] = [2, 0x0A, 0]

    /// An advertising controller that waits for nothing but time.
    static func bench(
        _ type: AdvertisingType = .connectable,
        channels: UInt8 = 7,
        interval: UInt16 = 0x20,
        peer: DeviceAddress = Bench.testerAddress,
        filter: AdvertisingFilterPolicy = .everybody,
        listed: [DeviceAddress] = [],
        seed: UInt64 = 1
    ) throws -> Bench {
        let bench = try Bench(seed: seed)
        for device in listed {
            let add = LEAddDeviceToFilterAcceptList(device: PeerAddress(device))
            try bench.succeed(.leAddDeviceToFilterAcceptList(add))
        }
        try bench.succeed(
            .leSetAdvertisingParameters(
                LESetAdvertisingParameters(
                    minimumInterval: interval,
                    maximumInterval: interval,
                    type: type,
                    peer: PeerAddress(peer),
                    channelMap: channels,
                    filterPolicy: filter
                )
            )
        )
        try bench.succeed(.leSetAdvertisingData(LESetAdvertisingData(data: data)))
        try bench.succeed(.leSetScanResponseData(LESetScanResponseData(data: scanResponse)))
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
        return bench
    }

    /// What the controller should send for a type of advertising.
    private static func pdu(of type: AdvertisingType) -> AdvertisingPDU {
        switch type {
        case .connectable: .advInd(advertiser: Bench.address, data: data, supportsChannelSelection2: true)
        case .scannable: .advScanInd(advertiser: Bench.address, data: data)
        case .nonConnectable: .advNonconnInd(advertiser: Bench.address, data: data)
        case .directedHighDutyCycle, .directedLowDutyCycle:
            .advDirectInd(
                advertiser: Bench.address,
                target: Bench.testerAddress,
                supportsChannelSelection2: true
            )
        }
    }

    //  Upper Tester      Controller       Lower Tester
    //       | parameters      |                 |
    //       | enable          |                 |
    //       |---------------->|                 |
    //       |                 | ADV_xxx on 37   |
    //       |                 |---------------->|
    //       |                 | … on 38, on 39  |
    //       |                 |---------------->|
    //       |                 | an interval and up to 10 ms later again
    @Test(
        "LL/DDI/ADV/BV-03-C, BV-04-C, BV-15-C, BV-16-C, BV-19-C: every type on all three channels, in order, at its pace",
        arguments: [AdvertisingType.connectable, .scannable, .nonConnectable, .directedLowDutyCycle]
    )
    func events(type: AdvertisingType) throws {
        let bench = try Self.bench(type)
        var starts: [Instant] = []
        for _ in 0..<50 {
            for channel in ChannelIndex.advertising {
                let sent = try bench.nextFrame(within: .milliseconds(31))
                #expect(sent.channel == channel)
                #expect(try sent.advertisingPDU() == Self.pdu(of: type))
                if channel.index == 37 { starts.append(sent.start) }
                // PDUs of one event follow each other within 10 ms. 4.4.2.3.
                #expect(sent.start - starts[starts.count - 1] <= .milliseconds(10))
            }
        }
        let gaps = zip(starts.dropFirst(), starts).map { $0 - $1 - .milliseconds(20) }
        #expect(gaps.allSatisfy { $0 >= .zero && $0 <= .milliseconds(10) }, "advDelay")
        #expect(Set(gaps).count > 40, "the delay is random")
        #expect(try bench.takeEvents().isEmpty)
    }

    @Test(
        "LL/DDI/ADV/BV-01-C, BV-02-C: only the channels of the map are used",
        arguments: 1...7 as ClosedRange<UInt8>
    )
    func channelMap(map: UInt8) throws {
        let bench = try Self.bench(.nonConnectable, channels: map)
        bench.run(for: .seconds(1))
        let used = Set(bench.takeFrames().map { $0.channel.index })
        #expect(used == Set((0..<3).filter { map >> $0 & 1 == 1 }.map { 37 + $0 }))
    }

    @Test("Bits of the channel map that stand for no channel are taken no notice of")
    func reservedChannelBits() throws {
        let bench = try Self.bench(.nonConnectable, channels: 0xF9)
        bench.run(for: .seconds(1))
        #expect(Set(bench.takeFrames().map { $0.channel.index }) == [37])
    }

    @Test("Advertisers with different seeds part, so that they do not collide for ever")
    func seeds() throws {
        let starts = try (1...20).map { seed in
            try Self.bench(.nonConnectable, seed: UInt64(seed)).nextFrame(within: .milliseconds(31)).start
        }
        #expect(Set(starts).count == 20)
        #expect(starts.allSatisfy { $0 <= Instant.zero + .milliseconds(10) })
    }

    //  Controller          Lower Tester
    //      | ADV_DIRECT_IND     |
    //      |------------------->|   for 1.28 s, at least every 3.75 ms on each channel
    //      |                    |
    //   LE Connection Complete, advertising timeout (0x3C)
    @Test("LL/DDI/ADV/BV-11-C: high duty cycle advertising is fast, and over after 1.28 s")
    func highDutyCycle() throws {
        let bench = try Self.bench(.directedHighDutyCycle)
        let begin = bench.now
        let event = try bench.nextEvent(within: .seconds(2))
        guard case .leConnectionComplete(let complete) = event else {
            Issue.record("\(event)")
            return
        }
        #expect(complete.status == .advertisingTimeout)
        #expect(complete.role == .peripheral)
        #expect(bench.now == begin + .milliseconds(1_280))
        let frames = bench.takeFrames()
        #expect(frames.allSatisfy { $0.end <= bench.now })
        for channel in ChannelIndex.advertising {
            let starts = frames.filter { $0.channel == channel }.map(\.start)
            #expect(starts.count > 330)
            #expect(zip(starts.dropFirst(), starts).allSatisfy { $0 - $1 <= .microseconds(3_750) })
        }
        // It is over: silence, and it can begin again.
        bench.run(for: .seconds(1))
        #expect(bench.takeFrames().isEmpty)
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
    }

    @Test("Switched off, high duty cycle advertising ends without an event")
    func highDutyCycleDisabled() throws {
        let bench = try Self.bench(.directedHighDutyCycle)
        bench.run(for: .milliseconds(500))
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: false)))
        _ = bench.takeFrames()
        bench.run(for: .seconds(2))
        #expect(bench.takeFrames().isEmpty)
        #expect(try bench.takeEvents().isEmpty)
    }

    @Test("Directed advertising may last: low duty cycle goes on after 1.28 s")
    func lowDutyCycle() throws {
        let bench = try Self.bench(.directedLowDutyCycle)
        bench.run(for: .seconds(3))
        _ = bench.takeFrames()
        #expect(throws: Never.self) { try bench.nextFrame(within: .milliseconds(31)) }
        #expect(try bench.takeEvents().isEmpty)
    }

    @Test("Data that changes while advertising is on is in the next event")
    func newData() throws {
        let bench = try Self.bench()
        _ = try bench.nextFrame(within: .milliseconds(11))
        try bench.succeed(.leSetAdvertisingData(LESetAdvertisingData(data: [2, 0x0A, 4])))
        bench.run(for: .milliseconds(31))
        _ = bench.takeFrames()
        let sent = try bench.nextFrame(within: .milliseconds(31))
        let expected = AdvertisingPDU.advInd(
            advertiser: Bench.address,
            data: [2, 0x0A, 4],
            supportsChannelSelection2: true
        )
        #expect(try sent.advertisingPDU() == expected)
    }

    @Test("Switching off in the middle of a frame ends it; switching off twice is no error")
    func disable() throws {
        let bench = try Self.bench()
        bench.run(for: .milliseconds(20)) { if case .transmitting = bench.radio { true } else { false } }
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: false)))
        #expect(bench.radio.isIdle)
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: false)))
        bench.run(for: .seconds(1))
        #expect(bench.takeFrames().isEmpty)
    }

    @Test("Switched on again while on, advertising begins anew with the address of the present")
    func enableAgain() throws {
        let bench = try Bench()
        let first = DeviceAddress(value: 0xC0DE_0000_0001, kind: .random)
        try bench.succeed(.leSetRandomAddress(LESetRandomAddress(address: first)))
        try bench.succeed(
            .leSetAdvertisingParameters(LESetAdvertisingParameters(type: .nonConnectable, ownAddressType: .random))
        )
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
        let sent = try bench.nextFrame(within: .seconds(2))
        #expect(try sent.advertisingPDU() == .advNonconnInd(advertiser: first, data: []))
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
        #expect(throws: Never.self) { try bench.nextFrame(within: .milliseconds(11)) }
    }
}
