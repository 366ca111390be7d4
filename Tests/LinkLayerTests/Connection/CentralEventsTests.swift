import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// Connection events with the controller as central.
@Suite("Connection events of a central")
struct CentralEventsTests {
    @Test("Every event is at its anchor, on the channel of the algorithm", arguments: [false, true])
    func anchors(secondAlgorithm: Bool) throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral(secondAlgorithm: secondAlgorithm)
        // The tester checks instant and channel of each.
        for _ in 0..<200 { #expect(try link.exchange() != nil) }
    }

    @Test("It speaks in every event even to a peripheral that sleeps, and the connection lasts")
    func peripheralSleeps() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral(latency: 4)
        var starts: [Instant] = []
        for _ in 0..<20 {
            starts.append(try #require(try link.exchange()).sent.start)
            for _ in 0..<4 {
                // The tester hears, but keeps silent.
                starts.append(try bench.nextFrame(within: .milliseconds(31)).start)
                link.beSilent(events: 1)
            }
        }
        #expect(zip(starts.dropFirst(), starts).allSatisfy { $0 - $1 == .milliseconds(30) })
        #expect(bench.takePackets().isEmpty)
    }

    @Test("LL/CON/CEN/BV-03-C, BV-05-C: what is not acknowledged goes out again, unchanged")
    func repetition() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        #expect(try link.exchange() != nil)
        bench.send([2, 0, 0, 1, 0, 42])
        for _ in 0..<3 { #expect(try link.exchange(.empty, .deaf)?.payload == .start([42])) }
        for _ in 0..<3 { #expect(try link.exchange(.empty, .damaged)?.payload == .start([42])) }
        #expect(bench.takePackets().isEmpty)
        // Heard, but not acknowledged before the tester's next packet arrives.
        #expect(try link.exchange()?.payload == .start([42]))
        #expect(try link.exchange()?.payload == .empty)
        let completed = CompletedPackets(connection: link.handle, count: 1)
        #expect(try bench.takeEvents() == [.numberOfCompletedPackets(NumberOfCompletedPackets(completed: [completed]))])
    }

    @Test("LL/CON/CEN/BV-04-C: what comes twice is passed on once")
    func duplicate() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        try link.exchange()
        try link.exchange(.start([7, 8]))
        for _ in 0..<3 { try link.exchange(.empty, .stubborn) }
        try link.idle(events: 2)
        #expect(bench.takePackets() == [[2, 0, 0x20, 2, 0, 7, 8]])
    }

    @Test("An event goes on while one side has more, and ends before the next one begins")
    func moreData() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral(intervalSteps: 6)
        try link.exchange()
        for byte in 0..<12 as Range<UInt8> { bench.send([2, 0, 0, 27, 0] + [UInt8](repeating: byte, count: 27)) }
        var bytes: [UInt8] = [], events: [UInt16] = []
        while bytes.count < 12 {
            let heard = try #require(try link.exchange())
            guard heard.isNew, heard.payload != .empty else { continue }
            bytes.append(heard.payload.bytes[0])
            events.append(heard.eventCounter)
        }
        #expect(bytes == Array(0..<12))
        // 7.5 ms hold more than nine exchanges of 27 bytes and nothing: 296 + 150 + 80 + 150 µs.
        #expect(Set(events).count == 2)
    }

    @Test("What has no room at the end of an event goes out in part, and an answer still ends before the next begins")
    func endOfEvent() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral(intervalSteps: 7)
        try link.idle(events: 1)
        try bench.succeed(
            .leSetDataLength(LESetDataLength(connection: link.handle, transmitOctets: 251, transmitTime: 2_120))
        )
        _ = try link.nextControl()
        try link.send(.lengthRsp(.longest))
        let handle = UInt8(link.handle.rawValue)
        let packets = (0..<8 as Range<UInt8>).map { [UInt8](repeating: $0, count: 251) }
        for packet in packets { bench.send([2, handle, 0, 251, 0] + packet) }
        var bytes: [UInt8] = [], lengthsOfEvents: [UInt16: [Int]] = [:]
        while bytes.count < 8 * 251 {
            let heard = try #require(try link.exchange())
            guard heard.isNew, heard.payload != .empty else { continue }
            // The first part of a packet begins an L2CAP PDU, the others go on with it.
            #expect(heard.payload.link == (bytes.count % 251 == 0 ? .start : .continuation))
            bytes += heard.payload.bytes
            lengthsOfEvents[heard.eventCounter, default: []].append(heard.payload.bytes.count)
            // Pause, 27 bytes, pause; the anchor is that of this event.
            let end = heard.sent.end + .microseconds(150 + 8 * 37 + 150)
            if lengthsOfEvents[heard.eventCounter]!.count > 1 {
                #expect(end <= link.anchor + .microseconds(8_750))
            }
        }
        #expect(bytes == packets.flatMap(\.self))
        // In 8.75 ms there is time for three exchanges of 251 bytes, and for 83 bytes more.
        let complete = lengthsOfEvents.filter { $0.value.count == 4 }
        #expect(complete.contains { $0.value == [251, 251, 251, 83] }, "\(lengthsOfEvents)")
        #expect(lengthsOfEvents.count == 3, "\(lengthsOfEvents)")
    }

    @Test("The peripheral's MD keeps the central asking")
    func peripheralHasMore() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        try link.exchange()
        var events = Set<UInt16>()
        for byte in 0..<10 as Range<UInt8> {
            let heard = try #require(try link.exchange(.start([byte]), moreData: byte < 9))
            events.insert(heard.eventCounter)
        }
        #expect(events.count == 1)
        #expect(bench.takePackets().count == 10)
    }

    @Test("Left alone it gives up after the supervision timeout")
    func supervision() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral(intervalSteps: 24, timeoutSteps: 50)
        for _ in 0..<5 { try link.exchange() }
        let last = bench.now
        let event = try bench.nextEvent(within: .seconds(2))
        let complete = DisconnectionComplete(connection: link.handle, reason: .connectionTimeout)
        #expect(event == .disconnectionComplete(complete))
        #expect(bench.now == last + .milliseconds(500))
    }

    @Test("Buffers are counted: more packets than there are buffers overflow, and all others arrive")
    func overflow() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        try link.exchange()
        for byte in 0..<15 as Range<UInt8> { bench.send([2, 0, 0, 1, 0, byte]) }
        let overflows = try bench.takeEvents()
        #expect(overflows.count == 3)
        #expect(overflows.allSatisfy { if case .dataBufferOverflow = $0 { true } else { false } })
        var bytes: [UInt8] = []
        while let payload = try link.nextPayload(within: 3) { bytes += payload.bytes }
        #expect(bytes == Array(0..<12))
        // All twelve places are free again.
        for byte in 0..<12 as Range<UInt8> { bench.send([2, 0, 0, 1, 0, byte]) }
        #expect(try !bench.takeEvents().contains { if case .dataBufferOverflow = $0 { true } else { false } })
    }
}
