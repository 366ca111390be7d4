import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("L2CAP channels: data")
struct ChannelDataTests {
    // MARK: Receiving

    @Test("An SDU comes in frames, its length in front of the first")
    func reassembly() throws {
        var bench = ChannelBench()
        _ = try bench.opened()
        bench.peer(0x40, "0500 010203")
        #expect(bench.events().isEmpty)
        bench.peer(0x40, "04")
        bench.peer(0x40, "05")
        bench.peer(0x40, "0000")
        bench.peer(0x40, "0100 AA")
        #expect(bench.events().map(\.sdu) == [[1, 2, 3, 4, 5], [], [0xAA]])
    }

    @Test("A frame may come in any number of ACL data packets", arguments: [1, 3, 5, 27])
    func fragments(length: Int) throws {
        var bench = ChannelBench()
        _ = try bench.opened()
        let sdu = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        var frame: [UInt8] = []
        frame.appendUInt16(302)
        frame.appendUInt16(0x40)
        frame.appendUInt16(300)
        frame += sdu
        for start in stride(from: 0, to: frame.count, by: length) {
            bench.bench.receiveFragment(
                Array(frame[start..<min(start + length, frame.count)]),
                boundary: start == 0 ? .firstFlushable : .continuing,
                on: bench.connection
            )
        }
        #expect(bench.events().map(\.sdu) == [sdu])
    }

    static let violations: [([String], ChannelViolation)] = [
        // MTU 30, MPS 25, two frames: a third one.
        (["3000", "0100 01", "0100 01", "0100 01"], .sduTooLong),
        (["0100 01", "0100 01", "0100 01"], .frameWithoutCredit),
        ([String(repeating: "00", count: 26)], .frameTooLong),
        ([String(repeating: "00", count: 1_500)], .frameTooLong),
        (["01"], .frameTooShort), ([""], .frameTooShort),
        (["1F00"], .sduTooLong), (["FFFF"], .sduTooLong),
        (["0100 0102"], .sduOverrun), (["0300 01", "010203"], .sduOverrun),
    ]

    @Test("A rule that is broken closes the channel, and nothing of it comes through any more", arguments: violations)
    func rules(frames: [String], violation: ChannelViolation) throws {
        var bench = ChannelBench()
        let id = try bench.opened(ChannelOptions(mtu: 30, mps: 25, window: 2, crediting: .whenConsumed))
        for frame in frames { bench.peer(0x40, frame) }
        #expect(bench.events().last?.closeReason == .violation(violation))
        #expect(bench.commands().last == "06010400" + "4100" + "4000")
        bench.peer(0x40, "0100 01")
        bench.peer("1602 0400 4100 0100")
        #expect(throws: OrderError.noSuchChannel) { try bench.send([1], on: id) }
        bench.peer("0701 0400 4100 4000")
        #expect(bench.events().isEmpty && bench.sent().isEmpty)
        #expect(bench.host.levels(of: id) == nil)
    }

    @Test("A frame longer than any channel takes closes its channel, in however many pieces it comes")
    func longFragments() throws {
        var bench = ChannelBench()
        _ = try bench.opened(ChannelOptions(mps: 50))
        bench.bench.receiveFragment([200, 0, 0x40, 0], boundary: .firstFlushable, on: bench.connection)
        bench.bench.receiveFragment([UInt8](repeating: 0, count: 200), boundary: .continuing, on: bench.connection)
        #expect(bench.events().map(\.closeReason) == [.violation(.frameTooLong)])
    }

    @Test("Frames for channels that there are not are dropped")
    func unknownChannels() throws {
        var bench = ChannelBench()
        _ = try bench.opened()
        for number in [0x0000, 0x0007, 0x003F, 0x0041, 0x007F, 0x0080, 0xFFFF] as [UInt16] {
            bench.peer(number, "0100 01")
        }
        #expect(bench.events().isEmpty && bench.sent().isEmpty)
    }

    // MARK: Credits for the peer

    @Test("Credits go back in lots of half a window")
    func automaticCredits() throws {
        var bench = ChannelBench()
        _ = try bench.opened(ChannelOptions(window: 8))
        for _ in 0..<3 { bench.peer(0x40, "0100 01") }
        #expect(bench.sent().isEmpty)
        bench.peer(0x40, "0100 01")
        #expect(bench.commands() == ["16010400" + "4000" + "0400"])
        for _ in 0..<8 { bench.peer(0x40, "0100 01") }
        #expect(bench.commands() == ["16020400" + "4000" + "0400", "16030400" + "4000" + "0400"])
    }

    @Test("A peer that begins without credits gets them as soon as the channel is open")
    func zeroCreditStart() throws {
        var bench = ChannelBench()
        try bench.listen(0x80, ChannelListenerOptions(channel: ChannelOptions(window: 8, initialCredits: 0)))
        bench.peer("1401 0A00 8000 4100 0002 6400 0000")
        #expect(bench.commands() == ["15010a00" + "4000" + "9811" + "de05" + "0000" + "0000", "1601040040000800"])
    }

    @Test("A peer that is not worked off must wait, but may always finish an SDU")
    func backPressure() throws {
        var bench = ChannelBench()
        let id = try bench.opened(ChannelOptions(mtu: 100, mps: 25, window: 2, crediting: .whenConsumed))
        bench.peer(0x40, "0100 01")
        bench.peer(0x40, "0100 02")
        #expect(bench.sent().isEmpty)
        func consume(_ count: Int) {
            bench.bench.order { host, now, actions in host.consume(count, of: id, at: now, into: &actions) }
        }
        consume(1)
        #expect(bench.commands() == ["16010400" + "4000" + "0100"])
        consume(1)
        #expect(bench.commands() == ["16020400" + "4000" + "0100"])
        // More than there is.
        consume(5)
        #expect(bench.commands().isEmpty)
        // An SDU of 100 bytes takes five frames, more than the window: the rest of it is granted.
        bench.peer(0x40, "6400" + String(repeating: "11", count: 23))
        #expect(bench.commands() == ["16030400" + "4000" + "0300"])
        for count in [25, 25, 25, 2] { bench.peer(0x40, String(repeating: "22", count: count)) }
        #expect(bench.commands().isEmpty)
        #expect(bench.events().last?.sdu?.count == 100)
        consume(1)
        #expect(bench.commands() == ["16040400" + "4000" + "0200"])
    }

    // MARK: Sending

    @Test("An SDU leaves in frames that the peer takes, each for a credit")
    func segmentation() throws {
        var bench = ChannelBench(packetLength: 27)
        // Frames of 100 bytes; with packets of 27 bytes, 77 of them and the header fill three.
        let id = try bench.opened(credits: 2)
        bench.complete(1)
        #expect(try bench.send((0..<160).map { UInt8($0) }, on: id))
        let packets = bench.sent()
        #expect(packets.map { $0.count / 2 } == [27, 27, 27, 27, 27, 27])
        #expect(packets[0].hasPrefix("4d00" + "4100" + "a000" + "0001"))
        #expect(packets[3].hasPrefix("4d00" + "4100" + "4b4c"))
        #expect(bench.host.levels(of: id)?.credits == 0 && bench.host.levels(of: id)?.queuedBytes == 8)
        bench.complete(6)
        bench.peer("1602 0400 4100 0100")
        #expect(bench.sent() == ["08004100" + "98999a9b9c9d9e9f"])
        #expect(bench.host.levels(of: id)?.queuedBytes == 0)
    }

    @Test("An SDU without bytes is a frame with nothing but its length")
    func emptySDU() throws {
        var bench = ChannelBench()
        let id = try bench.opened()
        #expect(try bench.send([], on: id))
        #expect(bench.sent() == ["0200" + "4100" + "0000"])
    }

    @Test("Without credits nothing leaves, and what waits is told when there is room again")
    func waiting() throws {
        var bench = ChannelBench()
        let id = try bench.opened(ChannelOptions(sendBuffer: 100), credits: 0)
        #expect(try bench.send([UInt8](repeating: 1, count: 60), on: id))
        #expect(try bench.send([UInt8](repeating: 2, count: 60), on: id))
        #expect(try !bench.send([3], on: id))
        #expect(bench.sent().isEmpty && bench.events().isEmpty)
        bench.peer("1602 0400 4100 0100")
        #expect(bench.events().isEmpty && bench.sent().count == 1)
        bench.peer("1603 0400 4100 0500")
        #expect(bench.events().map(\.name) == ["readyToSend"])
        bench.peer("1604 0400 4100 0500")
        #expect(bench.events().isEmpty)
    }

    @Test("65535 credits are the most; one more closes the channel, none are nothing")
    func creditLimits() throws {
        var bench = ChannelBench()
        let id = try bench.opened(credits: 65_534)
        bench.peer("1601 0400 4100 0000")
        bench.peer("1602 0400 4200 FFFF")
        bench.peer("1602 0400 4100 0100")
        #expect(bench.host.levels(of: id)?.credits == 65_535)
        #expect(bench.events().isEmpty && bench.sent().isEmpty)
        bench.peer("1603 0400 4100 0100")
        #expect(bench.events().map(\.closeReason) == [.violation(.tooManyCredits)])
        #expect(bench.commands() == ["0601040041004000"])
    }

    @Test("Channels take turns, a frame each")
    func turns() throws {
        var bench = ChannelBench()
        let first = try bench.opened(credits: 0)
        bench.peer("1402 0A00 8000 4200 0002 6400 0000")
        _ = bench.sent()
        guard case .opened(let second) = bench.events().first else {
            Issue.record("not opened")
            return
        }
        for _ in 0..<3 {
            #expect(try bench.send([UInt8](repeating: 1, count: 150), on: first))
            #expect(try bench.send([UInt8](repeating: 2, count: 150), on: second.id))
        }
        // Both may send from here on, but the controller is given no more than six packets at a time.
        bench.peer("1603 0400 4100 6400")
        bench.peer("1603 0400 4200 6400")
        for _ in 0..<12 { bench.complete(1) }
        let channels = bench.sent().map { String(Array($0)[4..<6]) }
        #expect(channels.count == 12)
        // The first had the controller to itself until the second got credits.
        #expect(channels == ["41", "41", "41", "41", "42", "41", "42", "41", "42", "42", "42", "42"])
    }

    @Test("Attribute PDUs go between frames, and wait for no more than the packets that the controller has")
    func attributesInBetween() throws {
        var bench = ChannelBench()
        let id = try bench.opened(credits: 1_000)
        bench.complete(1)
        for _ in 0..<20 { #expect(try bench.send([UInt8](repeating: 1, count: 500), on: id)) }
        #expect(bench.sent().count == 6)
        for number in 0..<9 as Range<UInt8> { #expect(DataTests.offer([number], on: bench.connection, &bench.bench)) }
        // There is room for them with the controller: channels leave some.
        #expect(bench.sent().map { String(Array($0)[4..<6]) } == ["04", "04", "04", "04", "04", "04"])
        bench.complete(12)
        #expect(bench.sent().prefix(4).map { String(Array($0)[4..<6]) } == ["04", "41", "04", "41"])
    }

    @Test("Nothing comes between the packets of a frame")
    func wholeFrames() throws {
        var bench = ChannelBench(packetLength: 27, packetCount: 3)
        let id = try bench.opened(credits: 1_000)
        #expect(try bench.send((0..<200).map { UInt8($0) }, on: id))
        #expect(DataTests.offer([0xEE], on: bench.connection, &bench.bench))
        bench.peer("7701 0100 00")
        for _ in 0..<20 { bench.complete(1) }
        var machine = Recombination()
        var channels: [UInt16] = []
        for packet in bench.bench.controller.data {
            let fragment = Array(packet.dropFirst(5))
            let outcome =
                packet[2] & 0x30 == 0
                ? machine.begin(fragment.span.bytes, attLimit: 517, channelLimit: 1_000)
                : machine.proceed(fragment.span.bytes, attLimit: 517, channelLimit: 1_000)
            if case .complete(let frame) = outcome { channels.append(UInt16(frame[2])) }
            #expect(outcome != .malformed)
        }
        #expect(channels.filter { $0 == 0x41 }.count == 3)
        #expect(channels.count == 6 && channels.contains(4))
    }

    @Test("Frames fill packets of 251 bytes, and are never longer than the peer takes")
    func frameLengths() {
        for (mps, length) in [(23, 23), (100, 100), (247, 247), (300, 247), (1_000, 1_000), (65_533, 2_004)] {
            var sender = ChannelSender(options: ChannelOptions(), packetLength: 1_021)
            sender.configure(mtu: 65_535, mps: mps)
            _ = sender.add(credits: 1)
            let isTaken = sender.append([UInt8](repeating: 0, count: 65_535))
            #expect(isTaken)
            var frame = sender.nextFrame(to: 0x40)
            var packet: [UInt8] = []
            guard let handle = ConnectionHandle(rawValue: 1) else { return }
            while !frame.isFinished { packet += frame.nextPacket(handle: handle, maximumLength: 1_021).dropFirst(5) }
            #expect(packet.count - 4 == length)
        }
    }
}
