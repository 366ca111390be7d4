import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("L2CAP channels: closing")
struct ChannelClosingTests {
    @Test("The peer closes a channel, and is answered")
    func byPeer() throws {
        var bench = ChannelBench()
        let id = try bench.opened(credits: 0)
        #expect(try bench.send([1], on: id))
        bench.peer("0605 0400 4000 4100")
        #expect(bench.commands() == ["07050400" + "4000" + "4100"])
        #expect(bench.events().map(\.closeReason) == [.closedByPeer])
        #expect(throws: OrderError.noSuchChannel) { try bench.send([1], on: id) }
        #expect(throws: OrderError.noSuchChannel) { try bench.close(id) }
    }

    @Test("Closing a channel that there is not is rejected; naming another far end is not answered")
    func wrongEnds() throws {
        var bench = ChannelBench()
        let id = try bench.opened()
        bench.peer("0605 0400 4200 4100")
        #expect(bench.commands() == ["01050600" + "0200" + "4200" + "4100"])
        bench.peer("0606 0400 4000 4200")
        #expect(bench.sent().isEmpty && bench.events().isEmpty)
        #expect(bench.host.channel(id) != nil)
    }

    @Test("This end closes a channel, and hears of it when the peer has answered")
    func here() throws {
        var bench = ChannelBench()
        let id = try bench.opened()
        try bench.close(id)
        #expect(bench.commands() == ["06010400" + "4100" + "4000"])
        #expect(bench.events().isEmpty && bench.host.channel(id) == nil)
        // Answers that name other ends are none.
        bench.peer("0701 0400 4000 4100")
        bench.peer("0702 0400 4100 4000")
        #expect(bench.events().isEmpty)
        bench.peer("0701 0400 4100 4000")
        #expect(bench.events().map(\.closeReason) == [.closedHere])
    }

    @Test("A peer that does not answer keeps a channel for no more than 5 s, one that rejects not at all")
    func unanswered() throws {
        var bench = ChannelBench()
        let id = try bench.opened()
        try bench.close(id)
        bench.bench.run(for: .milliseconds(4_999))
        #expect(bench.events().isEmpty)
        bench.bench.run(for: .milliseconds(1))
        #expect(bench.events().map(\.closeReason) == [.closedHere])
        bench.peer("1402 0A00 8000 4100 0002 6400 0500")
        guard case .opened(let next) = bench.events().first else {
            Issue.record("not opened")
            return
        }
        try bench.close(next.id)
        bench.peer("0102 0600 0200 4100 4100")
        #expect(bench.events().map(\.closeReason) == [.closedHere])
    }

    @Test("Both ends close at once, and the late answer concerns nobody")
    func crossing() throws {
        var bench = ChannelBench()
        let id = try bench.opened()
        try bench.close(id)
        bench.peer("0609 0400 4000 4100")
        #expect(bench.commands() == ["0601040041004000", "0709040040004100"])
        #expect(bench.events().map(\.closeReason) == [.closedHere])
        // The number is given out anew meanwhile.
        for source in 0x50..<0x90 { bench.peer("1402 0A00 8000 \([UInt8(source)].hex)00 0002 6400 0500") }
        _ = bench.events()
        let open = bench.host.channels(of: bench.connection).count
        bench.peer("0701 0400 4100 4000")
        #expect(bench.events().isEmpty && bench.host.channels(of: bench.connection).count == open)
    }

    @Test("What waits is sent before the channel is closed, and SDUs come until then")
    func draining() throws {
        var bench = ChannelBench()
        let id = try bench.opened(credits: 1)
        #expect(try bench.send([UInt8](repeating: 7, count: 150), on: id))
        _ = bench.sent()
        try bench.close(id)
        #expect(bench.sent().isEmpty)
        #expect(throws: OrderError.noSuchChannel) { try bench.send([1], on: id) }
        bench.peer(0x40, "0100 AA")
        #expect(bench.events().map(\.sdu) == [[0xAA]])
        bench.peer("1602 0400 4100 0100")
        #expect(bench.sent().map { String($0.prefix(16)) } == ["3400410007070707", "0800050006010400"])
        bench.peer("0701 0400 4100 4000")
        #expect(bench.events().map(\.closeReason) == [.closedHere])
    }

    @Test("What waits can be discarded; a frame that has left in part is finished all the same")
    func discarding() throws {
        var bench = ChannelBench(packetLength: 27, packetCount: 2)
        let id = try bench.opened(credits: 10)
        bench.complete(2)
        _ = bench.sent()
        #expect(try bench.send((0..<200).map { UInt8($0) }, on: id))
        #expect(bench.sent().count == 2)
        try bench.close(id, discarding: true)
        #expect(bench.sent().isEmpty)
        bench.complete(2)
        #expect(bench.sent().map { String($0.prefix(10)) } == ["3031323334", "0800050006"])
        bench.peer(0x40, "0100 AA")
        #expect(bench.events().isEmpty)
    }

    @Test("A lost link ends all channels, each with the reason, before the link's own end is told")
    func linkLoss() throws {
        var bench = ChannelBench()
        let id = try bench.opened()
        let opening = try bench.open()
        bench.bench.disconnectionComplete(bench.connection, reason: .connectionTimeout)
        let events = bench.bench.takeEvents()
        #expect(events.names == ["channel", "channel", "disconnected"])
        let news = events.compactMap { if case .channel(let event) = $0 { event } else { nil } }
        #expect(news[0].closeReason == .disconnected(.connectionTimeout))
        #expect(news[1].failure == .disconnected(.connectionTimeout))
        #expect(throws: OrderError.noSuchChannel) { try bench.send([1], on: id) }
        #expect(throws: OrderError.noSuchChannel) { try bench.close(opening) }
        #expect(bench.host.nextDeadline == nil)
    }

    @Test("Identifiers of requests that wait for answers are not used for others")
    func identifiers() throws {
        var bench = ChannelBench()
        let id = try bench.opened(ChannelOptions(window: 1))
        try bench.close(try bench.open())
        let opening = bench.commands()
        #expect(opening.map { String($0.prefix(4)) } == ["1401"])
        for _ in 0..<300 {
            bench.peer(0x40, "0100 01")
            bench.complete(1)
        }
        let identifiers = bench.commands().map { String(Array($0)[2..<4]) }
        #expect(identifiers.count == 300 && !identifiers.contains("00") && !identifiers.contains("01"))
        #expect(bench.host.channel(id) != nil)
    }
}
