import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("L2CAP channels: opening")
struct ChannelOpeningTests {
    // MARK: The peer opens

    @Test("A peer that asks for a service gets a channel, and both ends' terms")
    func incoming() throws {
        var bench = ChannelBench()
        try bench.listen(0x80, ChannelListenerOptions(channel: ChannelOptions(mtu: 512, mps: 247, window: 10)))
        bench.peer("1407 0A00 8000 4100 0002 6400 0500")
        // Destination 0x0040, MTU 512, MPS 247, 10 credits, success.
        #expect(bench.commands() == ["15070a00" + "4000" + "0002" + "f700" + "0a00" + "0000"])
        let events = bench.events()
        guard case .opened(let channel) = events.first, events.count == 1 else {
            Issue.record("not opened: \(events)")
            return
        }
        #expect(channel.isIncoming && !channel.isEnhanced)
        #expect(channel.peerMTU == 512 && channel.peerMPS == 100 && channel.mtu == 512 && channel.mps == 247)
        #expect(channel.id.number == 0x40 && channel.spsm.rawValue == 0x80)
        #expect(bench.host.levels(of: channel.id)?.credits == 5)
    }

    @Test(
        "What cannot be granted is refused with the reason",
        arguments: [
            // Nobody listens; a number that is none.
            ("1401 0A00 8100 4100 0002 6400 0500", 0x02), ("1401 0A00 0001 4100 0002 6400 0500", 0x02),
            ("1401 0A00 0000 4100 0002 6400 0500", 0x02),
            // A source channel below and above the range.
            ("1401 0A00 8000 3F00 0002 6400 0500", 0x09), ("1401 0A00 8000 8000 0002 6400 0500", 0x09),
            // MTU 22; MPS 22; MPS 65534.
            ("1401 0A00 8000 4100 1600 6400 0500", 0x0B), ("1401 0A00 8000 4100 0002 1600 0500", 0x0B),
            ("1401 0A00 8000 4100 0002 FEFF 0500", 0x0B),
        ]
    )
    func refusals(request: String, result: UInt8) throws {
        var bench = ChannelBench()
        try bench.listen()
        bench.peer(request)
        #expect(bench.commands() == ["15010a00" + "0000000000000000" + [result, 0].hex])
        #expect(bench.events().isEmpty)
    }

    @Test("The least and the most of everything is granted")
    func limits() throws {
        var bench = ChannelBench()
        try bench.listen()
        bench.peer("1401 0A00 8000 4000 1700 1700 0000")
        bench.peer("1402 0A00 8000 7F00 FFFF FDFF FFFF")
        #expect(bench.events().map(\.name) == ["opened", "opened"])
    }

    @Test("A source channel that is in use already is refused")
    func allocated() throws {
        var bench = ChannelBench()
        _ = try bench.opened()
        bench.peer("1402 0A00 8000 4100 0002 6400 0500")
        #expect(bench.commands() == ["15020a00" + "0000000000000000" + "0a00"])
    }

    @Test("No more channels than the host, or the service, may have are opened")
    func resources() throws {
        var bench = ChannelBench { $0.maximumChannels = 3 }
        try bench.listen(0x80, ChannelListenerOptions(maximumChannels: 2))
        try bench.listen(0x81)
        for (spsm, source) in [("80", "41"), ("80", "42"), ("80", "43"), ("81", "44"), ("81", "45")] {
            bench.peer("1401 0A00 \(spsm)00 \(source)00 0002 6400 0500")
        }
        #expect(bench.commands().map { String($0.suffix(4)) } == ["0000", "0000", "0400", "0000", "0400"])
    }

    static let links: [(AttributeAccess, LinkSecurity, UInt8)] = {
        var known = LinkSecurity(), encrypted = LinkSecurity(), short = LinkSecurity(), trusted = LinkSecurity()
        known.hasKey = true
        encrypted.isEncrypted = true
        encrypted.keySize = 16
        short.isEncrypted = true
        short.keySize = 7
        trusted.isAuthorized = true
        return [
            (.encrypted, LinkSecurity(), 0x05), (.encrypted, known, 0x08), (.encrypted, encrypted, 0),
            (.authenticated, encrypted, 0x05), (.authorized, encrypted, 0x06), (.authorized, trusted, 0),
            (AttributeAccess(security: .encrypted, minimumKeySize: 16), short, 0x07),
        ]
    }()

    @Test("A link that is not good enough is told what it lacks", arguments: links)
    func security(access: AttributeAccess, link: LinkSecurity, result: UInt8) throws {
        var bench = ChannelBench()
        try bench.listen(0x80, ChannelListenerOptions(access: access))
        let found = bench.host.core.links.slot(of: bench.connection)
        let index = try #require(found)
        bench.host.change { core in core.links[index].security.level = link }
        bench.peer("1401 0A00 8000 4100 0002 6400 0500")
        #expect(bench.commands().map { String($0.suffix(4)) } == [[result, 0].hex])
    }

    @Test("Services get numbers of their own, and peers reach them until nobody listens any more")
    func listening() throws {
        var bench = ChannelBench()
        let first = try bench.host.listen(), second = try bench.host.listen()
        #expect(first.rawValue == 0x80 && second.rawValue == 0x81)
        #expect(throws: OrderError.busy) { try bench.host.listen(on: first) }
        bench.host.stopListening(on: first)
        bench.peer("1401 0A00 8000 4100 0002 6400 0500")
        #expect(bench.commands().map { String($0.suffix(4)) } == ["0200"])
        for _ in 0..<127 { try bench.host.listen() }
        #expect(throws: OrderError.tooManyChannels) { try bench.host.listen() }
        #expect(throws: OrderError.parametersOutOfRange) {
            try bench.host.listen(on: SPSM(rawValue: 0x25), ChannelListenerOptions(channel: ChannelOptions(mtu: 22)))
        }
        #expect(SPSM(rawValue: 0) == nil && SPSM(rawValue: 0x100) == nil)
        #expect(SPSM(rawValue: 0x7F)?.isDynamic == false && SPSM(rawValue: 0x80)?.isDynamic == true)
    }

    @Test("An application that wants to be asked decides, and a wish that it forgets is refused after 30 s")
    func asking() throws {
        var bench = ChannelBench()
        try bench.listen(0x80, ChannelListenerOptions(asks: true))
        bench.peer("1401 0A00 8000 4100 0002 6400 0500")
        bench.peer("1402 0A00 8000 4200 0002 6400 0500")
        bench.peer("1403 0A00 8000 4300 0002 6400 0500")
        #expect(bench.commands().isEmpty)
        let wishes = bench.events().compactMap { if case .requested(let request) = $0 { request } else { nil } }
        #expect(wishes.count == 3 && wishes[0].peerMTU == 512 && wishes[0].count == 1)
        bench.bench.order { host, now, actions in
            host.answer(wishes[1].id, refusing: .insufficientAuthorization, at: now, into: &actions)
            host.answer(wishes[0].id, at: now, into: &actions)
            host.answer(wishes[0].id, at: now, into: &actions)
        }
        #expect(bench.commands().map { String($0.prefix(4) + $0.suffix(4)) } == ["15020600", "15010000"])
        #expect(bench.events().map(\.name) == ["opened"])
        bench.bench.run(for: .seconds(31))
        #expect(bench.commands().map { String($0.prefix(4) + $0.suffix(4)) } == ["15030400"])
        bench.bench.order { host, now, actions in host.answer(wishes[2].id, at: now, into: &actions) }
        #expect(bench.sent().isEmpty && bench.events().isEmpty)
    }

    @Test("A wish is granted as the service is by then, and not as it was when the application was asked")
    func askedBefore() throws {
        var bench = ChannelBench()
        try bench.listen(0x80, ChannelListenerOptions(asks: true))
        bench.peer("1401 0A00 8000 4100 0002 6400 0500")
        let wishes = bench.events().compactMap { if case .requested(let request) = $0 { request } else { nil } }
        bench.host.stopListening(on: try #require(SPSM(rawValue: 0x80)))
        try bench.listen(0x80, ChannelListenerOptions(access: .encrypted))
        bench.bench.order { host, now, actions in host.answer(wishes[0].id, at: now, into: &actions) }
        #expect(bench.commands().map { String($0.prefix(4) + $0.suffix(4)) } == ["15010500"])
        #expect(bench.events().isEmpty)
    }

    // MARK: This end opens

    @Test("A channel that is granted is open on the peer's terms")
    func outgoing() throws {
        var bench = ChannelBench()
        let id = try bench.open(0x25, ChannelOptions(mtu: 100, mps: 50, window: 7))
        #expect(bench.commands() == ["14010a00" + "2500" + "4000" + "6400" + "3200" + "0700"])
        #expect(throws: OrderError.noSuchChannel) { try bench.send([1], on: id) }
        bench.peer("1501 0A00 7F00 1700 1700 0100 0000")
        let events = bench.events()
        guard case .opened(let channel) = events.first else {
            Issue.record("not opened: \(events)")
            return
        }
        #expect(channel.id == id && !channel.isIncoming && channel.peerMTU == 23 && channel.peerMPS == 23)
        #expect(throws: OrderError.valueTooLong) { try bench.send([UInt8](repeating: 0, count: 24), on: id) }
    }

    @Test(
        "Every refusal is told",
        arguments: [
            0x0002, 0x0004, 0x0005, 0x0006, 0x0007, 0x0008, 0x0009, 0x000A, 0x000B, 0x1234,
        ] as [UInt16]
    )
    func refused(result: UInt16) throws {
        var bench = ChannelBench()
        let id = try bench.open()
        var digits: [UInt8] = []
        digits.appendUInt16(result)
        bench.peer("1501 0A00 0000 0000 0000 0000" + digits.hex)
        #expect(bench.events().map(\.failure) == [.refused(ChannelRefusal(rawValue: result))])
        #expect(bench.host.channel(id) == nil && bench.host.levels(of: id) == nil)
    }

    @Test("A peer that does not know of channels, or does not answer, ends the attempt")
    func noAnswer() throws {
        var bench = ChannelBench()
        _ = try bench.open()
        bench.peer("0101 0200 0000")
        #expect(bench.events().map(\.failure) == [.notUnderstood])
        _ = try bench.open()
        bench.bench.run(for: .seconds(29))
        #expect(bench.events().isEmpty)
        bench.bench.run(for: .seconds(2))
        #expect(bench.events().map(\.failure) == [.timeout])
        // Too late.
        bench.peer("1502 0A00 4100 0002 6400 0100 0000")
        #expect(bench.events().isEmpty)
    }

    @Test(
        "An answer that makes no sense opens nothing",
        arguments: ["3F00 0002 6400", "8000 0002 6400", "0000 0002 6400", "4100 1600 6400", "4100 0002 FEFF"]
    )
    func malformed(answer: String) throws {
        var bench = ChannelBench()
        _ = try bench.open()
        _ = bench.sent()
        bench.peer("1501 0A00" + answer + "0100 0000")
        #expect(bench.events().map(\.failure) == [.malformedResponse])
        // What the peer believes to be open is closed.
        #expect(bench.commands() == (answer.hasPrefix("41") ? ["0602040041004000"] : []))
    }

    @Test("A peer that gives one number to two channels loses both")
    func allocatedTwice() throws {
        var bench = ChannelBench()
        _ = try bench.opened()
        _ = try bench.open()
        _ = bench.sent()
        bench.peer("1501 0A00 4100 0002 6400 0100 0000")
        let events = bench.events()
        #expect(events.map(\.name) == ["closed", "openFailed"])
        #expect(events[0].closeReason == .violation(.channelAllocatedTwice))
        #expect(bench.commands() == ["0602040041004000"])
    }

    @Test("A channel may be given up before the peer has answered")
    func givenUp() throws {
        var bench = ChannelBench()
        let first = try bench.open(), second = try bench.open()
        try bench.close(first)
        try bench.close(second)
        _ = bench.sent()
        bench.peer("1501 0A00 4100 0002 6400 0100 0000")
        #expect(bench.commands() == ["0603040041004000"])
        bench.peer("1502 0A00 0000 0000 0000 0000 0400")
        #expect(bench.events().map(\.closeReason) == [.closedHere])
        bench.peer("0703 0400 4100 4000")
        #expect(bench.events().map(\.closeReason) == [.closedHere])
    }

    @Test("Answers to other questions, and with other identifiers, are dropped")
    func wrongAnswers() throws {
        var bench = ChannelBench()
        _ = try bench.open()
        bench.peer("1502 0A00 4100 0002 6400 0100 0000")
        bench.peer("1500 0A00 4100 0002 6400 0100 0000")
        bench.peer("1801 0A00 0002 6400 0100 0000 4100")
        bench.peer("0701 0400 4100 4000")
        bench.peer("1301 0200 0000")
        #expect(bench.events().isEmpty)
        bench.peer("1501 0A00 4100 0002 6400 0100 0000")
        #expect(bench.events().map(\.name) == ["opened"])
    }

    @Test("Numbers outside of the ranges are refused here already, and so are too many channels")
    func ranges() throws {
        var bench = ChannelBench { $0.maximumChannels = 2 }
        for options in [
            ChannelOptions(mtu: 22), ChannelOptions(mtu: 65_536), ChannelOptions(mps: 22), ChannelOptions(mps: 65_534),
            ChannelOptions(window: 0), ChannelOptions(window: 65_536), ChannelOptions(window: 4, initialCredits: 5),
            ChannelOptions(sendBuffer: 0),
        ] {
            #expect(throws: OrderError.parametersOutOfRange) { try bench.open(0x80, options) }
        }
        _ = try bench.open()
        _ = try bench.open()
        #expect(throws: OrderError.tooManyChannels) { try bench.open() }
    }

    @Test("A channel's number is used again only when all others have been, and the old name means nothing then")
    func names() throws {
        var bench = ChannelBench()
        var last: L2CAPChannelID?
        for round in 0..<130 {
            let id = try bench.open()
            #expect(id.number == UInt16(0x40 + round % 64) && id != last)
            #expect(id.generation == UInt32(round + 1))
            bench.bench.run(for: .seconds(31))
            last = id
        }
        #expect(bench.events().count == 130)
    }
}
