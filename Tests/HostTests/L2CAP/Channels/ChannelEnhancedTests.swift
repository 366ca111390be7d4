import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("L2CAP channels: the enhanced procedure")
struct ChannelEnhancedTests {
    /// Two channels that the peer has opened: 0x40 and 0x41 here, 0x50 and 0x51 there. The peer takes SDUs of 512 bytes
    /// in frames of 100.
    static func opened() throws -> (ChannelBench, [L2CAPChannelID]) {
        var bench = ChannelBench()
        try bench.listen(0x80, ChannelListenerOptions(channel: ChannelOptions(mtu: 100, mps: 80, window: 4)))
        bench.peer("1701 0C00 8000 0002 6400 0500 5000 5100")
        _ = bench.sent()
        _ = bench.events()
        return (bench, bench.host.channels(of: bench.connection))
    }

    static func order(
        _ bench: inout ChannelBench,
        _ body: (Host, Instant, inout HostActions) throws(OrderError) -> Void
    ) throws(OrderError) {
        try bench.bench.order(body)
    }

    @Test("Up to five channels are opened with one request")
    func incoming() throws {
        var bench = ChannelBench()
        try bench.listen(0x80, ChannelListenerOptions(channel: ChannelOptions(mtu: 100, mps: 80, window: 4)))
        bench.peer("1701 1200 8000 0002 6400 0500 5000 5100 5200 5300 5400")
        #expect(bench.commands() == ["18011200" + "6400" + "5000" + "0400" + "0000" + "40004100420043004400"])
        #expect(bench.events().map(\.name) == Array(repeating: "opened", count: 5))
    }

    @Test(
        "What cannot be granted is refused, all of it or the channels concerned",
        arguments: [
            ("1701 0C00 8100 0002 6400 0500 5000 5100", "0000 0000 0000 0200 0000 0000"),
            ("1701 0C00 8000 3F00 6400 0500 5000 5100", "0000 0000 0000 0B00 0000 0000"),
            ("1701 0C00 8000 0002 3F00 0500 5000 5100", "0000 0000 0000 0B00 0000 0000"),
            ("1701 0800 8000 0002 6400 0500", "0000 0000 0000 0C00"),
            ("1701 0C00 8000 0002 6400 0500 3F00 5100", "6400 5000 0400 0900 0000 4000"),
            ("1701 0E00 8000 0002 6400 0500 5000 5000 5100", "6400 5000 0400 0A00 4000 0000 4100"),
            ("1701 1000 8000 0002 6400 0500 5000 5100 5200 5300", "6400 5000 0400 0400 4000 4100 4200 0000"),
        ]
    )
    func refusals(request: String, answer: String) throws {
        var bench = ChannelBench { $0.maximumChannels = 3 }
        try bench.listen(0x80, ChannelListenerOptions(channel: ChannelOptions(mtu: 100, mps: 80, window: 4)))
        bench.peer(request)
        let digits = answer.filter { $0 != " " }.lowercased()
        #expect(bench.commands().map { String($0.dropFirst(8)) } == [digits])
    }

    @Test("A link that is not good enough opens none")
    func security() throws {
        var bench = ChannelBench()
        try bench.listen(0x80, ChannelListenerOptions(access: .encrypted))
        bench.peer("1701 0A00 8000 0002 6400 0500 5000")
        #expect(bench.commands() == ["18010a00" + "000000000000" + "0500" + "0000"])
    }

    @Test("This end opens several; each is told of by itself")
    func outgoing() throws {
        var bench = ChannelBench()
        var ids: [L2CAPChannelID] = []
        let connection = bench.connection
        let spsm = try #require(SPSM(rawValue: 0x80))
        try Self.order(&bench) { host, now, actions throws(OrderError) in
            let options = ChannelOptions(mtu: 100, mps: 80, window: 4)
            ids = try host.openChannels(3, connection, to: spsm, options, at: now, into: &actions)
        }
        #expect(bench.commands() == ["17010e00" + "8000" + "6400" + "5000" + "0400" + "400041004200"])
        bench.peer("1801 0E00 0002 6400 0500 0400 5000 0000 5200")
        let events = bench.events()
        #expect(events.map(\.name) == ["opened", "openFailed", "opened"])
        #expect(events[1].failure == .refused(.noResources))
        guard case .opened(let last) = events[2] else { return }
        #expect(last.id == ids[2] && last.isEnhanced && last.peerMTU == 512 && last.peerMPS == 100)
        for count in [0, 6] {
            #expect(throws: OrderError.parametersOutOfRange) {
                try Self.order(&bench) { host, now, actions throws(OrderError) in
                    _ = try host.openChannels(count, connection, to: spsm, at: now, into: &actions)
                }
            }
        }
    }

    @Test("A peer that says that the answer is still to come is given two minutes", arguments: ["0D", "0E", "0F"])
    func pending(result: String) throws {
        var bench = ChannelBench()
        let connection = bench.connection
        let spsm = try #require(SPSM(rawValue: 0x80))
        try Self.order(&bench) { host, now, actions throws(OrderError) in
            _ = try host.openChannels(1, connection, to: spsm, at: now, into: &actions)
        }
        bench.peer("1801 0A00 0000 0000 0000 \(result)00 0000")
        bench.bench.run(for: .seconds(119))
        #expect(bench.events().isEmpty)
        bench.bench.run(for: .seconds(2))
        #expect(bench.events().map(\.failure) == [.timeout])
    }

    @Test(
        "Answers that make no sense open nothing",
        arguments: [
            "0002 6400 0500 0000", "3F00 6400 0500 0000 5000", "0002 3F00 0500 0000 5000",
            "0002 6400 0500 0000 3F00", "0002 6400 0500 0000 0000",
        ]
    )
    func malformed(answer: String) throws {
        var bench = ChannelBench()
        let connection = bench.connection
        let spsm = try #require(SPSM(rawValue: 0x80))
        try Self.order(&bench) { host, now, actions throws(OrderError) in
            _ = try host.openChannels(1, connection, to: spsm, at: now, into: &actions)
        }
        let length = try #require([UInt8](hex: answer)).count
        bench.peer("1801 \([UInt8(length)].hex)00" + answer)
        #expect(bench.events().map(\.failure) == [.malformedResponse])
        #expect(bench.host.channels(of: connection).isEmpty)
    }

    // MARK: Other lengths

    @Test(
        "The peer's lengths may grow, and its MPS may shrink on one channel alone",
        arguments: [
            ("0002 6400 5000 5100", 0x00), ("0003 7000 5000 5100", 0x00), ("0002 5000 5000", 0x00),
            ("FF01 6400 5000", 0x01), ("0002 6300 5000 5100", 0x02), ("FF01 6300 5000 5100", 0x01),
            ("0002 6400 5000 5300", 0x03), ("0002 6400", 0x04), ("0002 3F00 5000", 0x04),
            ("3F00 6400 5000", 0x04), ("0002 FEFF 5000", 0x04),
        ]
    )
    func peerReconfigures(request: String, result: UInt8) throws {
        var (bench, ids) = try Self.opened()
        let bytes = try #require([UInt8](hex: request))
        bench.peer("1909 \([UInt8(bytes.count)].hex)00" + request)
        #expect(bench.commands() == ["1a090200" + [result, 0].hex])
        let description = try #require(bench.host.channel(ids[0]))
        if result == 0 {
            #expect(description.peerMTU == Int(bytes[0]) | Int(bytes[1]) << 8)
            #expect(description.peerMPS == Int(bytes[2]) | Int(bytes[3]) << 8)
            #expect(bench.events().count == (bytes.count - 4) / 2)
        } else {
            #expect(description.peerMTU == 512 && description.peerMPS == 100)
            #expect(bench.events().isEmpty)
        }
    }

    @Test("Channels that were not opened with the enhanced procedure keep their lengths")
    func plainChannels() throws {
        var bench = ChannelBench()
        let id = try bench.opened()
        bench.peer("1909 0600 0003 7000 4100")
        #expect(bench.commands() == ["1a0902000300"])
        #expect(throws: OrderError.unsupported) {
            try Self.order(&bench) { host, now, actions throws(OrderError) in
                try host.reconfigure([id], mtu: 5_000, mps: 2_000, at: now, into: &actions)
            }
        }
    }

    @Test("This end's lengths change when the peer has agreed")
    func reconfigures() throws {
        var (bench, ids) = try Self.opened()
        let both = ids
        try Self.order(&bench) { host, now, actions throws(OrderError) in
            try host.reconfigure(both, mtu: 200, mps: 90, at: now, into: &actions)
        }
        #expect(bench.commands() == ["19010800" + "c800" + "5a00" + "40004100"])
        #expect(throws: OrderError.busy) {
            try Self.order(&bench) { host, now, actions throws(OrderError) in
                try host.reconfigure([both[0]], mtu: 300, mps: 90, at: now, into: &actions)
            }
        }
        #expect(bench.host.channel(ids[0])?.mtu == 100)
        bench.peer("1A01 0200 0000")
        guard case .reconfigured(both, .answered(.success)) = bench.events().first else {
            Issue.record("not reconfigured")
            return
        }
        #expect(bench.host.channel(ids[0])?.mtu == 200 && bench.host.channel(ids[1])?.mps == 90)
        bench.peer(0x40, "C800" + String(repeating: "00", count: 88))
        #expect(bench.events().isEmpty)
        for (mtu, mps, channels) in [(199, 90, both), (200, 89, both), (200, 63, [both[0]])] {
            #expect(throws: OrderError.parametersOutOfRange) {
                try Self.order(&bench) { host, now, actions throws(OrderError) in
                    try host.reconfigure(channels, mtu: mtu, mps: mps, at: now, into: &actions)
                }
            }
        }
    }
}
