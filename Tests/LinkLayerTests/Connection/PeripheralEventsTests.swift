import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// Connection events with the controller as peripheral.
@Suite("Connection events of a peripheral")
struct PeripheralEventsTests {
    @Test(
        "Every event is on the channel that the algorithm says, whatever the map",
        arguments: [false, true],
        [0x1F_FFFF_FFFF, 0x3, 0x10_0000_0001, 0x15_5555_5555, 0x00_0010_0200] as [UInt64]
    )
    func channels(secondAlgorithm: Bool, bits: UInt64) throws {
        let bench = try Bench()
        let map = try #require(ChannelMap(bits: bits))
        let link = try bench.connectAsPeripheral(channelMap: map, hop: 11, secondAlgorithm: secondAlgorithm)
        // The tester checks each channel.
        try link.idle(events: 100)
        link.beSilent(events: 5)
        try link.idle(events: 20)
    }

    @Test(
        "The first packet may come anywhere in the transmit window, and sets the anchor for those to come",
        arguments: [0, 1, 625, 1_249, 1_250, 2_500] as [Int64]
    )
    func transmitWindow(microseconds: Int64) throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral(window: (2, 5))
        link.moveAnchor(by: .microseconds(microseconds))
        #expect(try link.exchange() != nil)
        try link.idle(events: 5)
    }

    @Test("Before the window and after it nothing is heard, but the window stays open until something is")
    func outsideTransmitWindow() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral(window: (1, 5))
        link.moveAnchor(by: .microseconds(-40))
        #expect(try link.exchange() == nil)
        link.moveAnchor(by: .microseconds(40 + 1_250 + 60))
        #expect(try link.exchange() == nil)
        link.moveAnchor(by: .microseconds(-80))
        #expect(try link.exchange() != nil)
    }

    //  The window widens with the time since the last anchor heard: (central's + own accuracy) x elapsed + 16 µs. 4.5.7
    @Test(
        "Window widening grows with both clocks' inaccuracy and with time",
        arguments: [(.upTo500, 100), (.upTo20, 100), (.upTo50, 1)] as [(SleepClockAccuracy, Int)]
    )
    func windowWidening(accuracy: SleepClockAccuracy, missed: Int) throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral(intervalSteps: 80, timeoutSteps: 3200, accuracy: accuracy)
        try link.idle(events: 3)
        link.beSilent(events: missed)
        bench.forgetListenings()
        bench.run(until: link.anchor + .milliseconds(50))
        let order = try #require(bench.listenings.last { $0.until < bench.now })
        let expected = link.anchor
        let elapsed = TimeSpan.milliseconds(100) * Int64(missed + 1)
        let widening =
            elapsed.nanoseconds * (accuracy.partsPerMillion + 50) / 1_000_000
        for side in [expected - order.since, order.until - expected] {
            #expect(side.nanoseconds >= widening + 16_000)
            #expect(side.nanoseconds <= widening + 17_000)
        }
    }

    @Test("Half an interval less T_IFS is the widest the window gets")
    func widestWindow() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral(intervalSteps: 6, timeoutSteps: 3200, accuracy: .upTo500)
        try link.idle(events: 3)
        bench.run(for: .seconds(20))
        let order = try #require(bench.listenings.last)
        #expect(order.until - order.since == (.microseconds(3_750) - .microseconds(150)) * 2)
    }

    @Test("A damaged packet is answered, but not acknowledged; a second one in a row ends the event")
    func damaged() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.idle(events: 3)
        let heard = try #require(try link.exchange(.start([1, 2, 3]), moreData: true, .damaged))
        #expect(!link.isAcknowledged)
        #expect(heard.header.moreData == false)
        #expect(bench.takePackets().isEmpty)
        // The tester sends it again, whole.
        try link.send(.empty)
        #expect(bench.takePackets() == [[2, 0, 0x20, 3, 0, 1, 2, 3]])

        // Two damaged packets in one event: the second gets no answer.
        let again = try link.exchange(.start([4]), moreData: true, .damaged)
        #expect(again != nil)
    }

    @Test("To another access address, on another channel, or outside of its window the controller is deaf")
    func deaf() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.idle(events: 2)
        link.moveAnchor(by: .microseconds(-100))
        #expect(try link.exchange() == nil)
        link.moveAnchor(by: .microseconds(100))
        #expect(try link.exchange() != nil)
    }

    @Test("LL/CON/PER/BV-13-C: the supervision timeout counts from the last packet with a right CRC")
    func supervision() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral(intervalSteps: 40, timeoutSteps: 50)
        try link.idle(events: 5)
        let last = try #require(try link.exchange())
        let heardAt = last.sent.start - AirTime.interFrameSpace
        for _ in 0..<3 { try link.exchange(.empty, .damaged) }
        let event = try bench.nextEvent(within: .seconds(2))
        let complete = DisconnectionComplete(connection: link.handle, reason: .connectionTimeout)
        #expect(event == .disconnectionComplete(complete))
        #expect(bench.now == heardAt + .milliseconds(500))
        bench.run(for: .seconds(1))
        #expect(bench.radio.isIdle && bench.takePackets().isEmpty)
    }

    @Test("LL/CON/PER/BI-…: a central that never comes makes 0x3E after six intervals")
    func notEstablished() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral(intervalSteps: 40, timeoutSteps: 3200)
        let event = try bench.nextEvent(within: .seconds(2))
        let complete = DisconnectionComplete(
            connection: link.handle,
            reason: .connectionFailedToBeEstablished
        )
        #expect(event == .disconnectionComplete(complete))
        #expect(bench.now == link.requestEnd + .milliseconds(300))
    }

    //  Controller      Lower Tester (central)
    //      |     empty, MD 0 |
    //      |<----------------|
    //      | data, MD 1      |
    //      |---------------->|
    //      |     empty, MD 0 |   since the controller has more
    //      |<----------------|
    //      | data, MD 0      |
    //      |---------------->|
    @Test("LL/CON/PER/BV-04-C, BV-06-C: all that is waiting goes out in one event, MD says so")
    func moreData() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.idle(events: 2)
        for byte in 0..<4 as Range<UInt8> { bench.send([2, 0, 0, 1, 0, byte]) }
        var event: UInt16?
        for byte in 0..<4 as Range<UInt8> {
            let heard = try #require(try link.exchange())
            #expect(heard.payload == .start([byte]))
            #expect(heard.header.moreData == (byte < 3))
            #expect(event ?? heard.eventCounter == heard.eventCounter)
            event = heard.eventCounter
        }
        try link.idle(events: 1)
        let completed = try bench.takeEvents().reduce(0) { sum, event in
            guard case .numberOfCompletedPackets(let packets) = event else { return sum }
            return sum + packets.completed.reduce(0) { $0 + Int($1.count) }
        }
        #expect(completed == 4)
    }

    @Test("LL/CON/PER/BV-05-C: while the central has more, the event goes on")
    func centralHasMore() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.idle(events: 2)
        for byte in 0..<20 as Range<UInt8> {
            #expect(try link.exchange(.start([byte]), moreData: byte < 19) != nil)
        }
        #expect(bench.takePackets() == (0..<20).map { [2, 0, 0x20, 1, 0, $0] })
    }

    @Test("A packet longer than a PDU goes out in pieces: one start, then continuations")
    func fragments() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        let data = (0..<60).map { UInt8($0) }
        bench.send([2, 0, 0, 60, 0] + data)
        bench.send([2, 0, 0x10, 3, 0, 100, 101, 102])
        var payloads: [Payload] = []
        while payloads.count < 4 { payloads.append(try #require(try link.nextPayload())) }
        #expect(payloads[0] == .start(Array(data[0..<27])))
        #expect(payloads[1] == .continuation(Array(data[27..<54])))
        #expect(payloads[2] == .continuation(Array(data[54...])))
        #expect(payloads[3] == .continuation([100, 101, 102]))
    }
}
