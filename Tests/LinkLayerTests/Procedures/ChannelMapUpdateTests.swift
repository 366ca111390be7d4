import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

@Suite("Channel map update")
struct ChannelMapUpdateTests {
    private static let half = ChannelMap(bits: 0x15_5555_5555) ?? .all
    private static let few = ChannelMap(bits: 0x00_0000_0111) ?? .all

    private static func classify(_ map: ChannelMap) -> Command {
        .leSetHostChannelClassification(LESetHostChannelClassification(channels: bytes(map)))
    }

    private func map(_ link: LinkTester) throws -> [UInt8] {
        let answer = try link.bench.command(.leReadChannelMap(LEReadChannelMap(connection: link.handle)))
        guard case .commandComplete(let complete) = answer else { throw Unexpected("no Command Complete") }
        return try complete.returned(LEReadChannelMapReturn.self).channels
    }

    private static func bytes(_ map: ChannelMap) -> [UInt8] {
        (0..<5).map { UInt8(truncatingIfNeeded: map.bits >> (8 * $0)) }
    }

    @Test("A peripheral changes over at the instant, with either algorithm", arguments: [false, true])
    func peripheralFollows(secondAlgorithm: Bool) throws {
        let link = try Bench().connectAsPeripheral(secondAlgorithm: secondAlgorithm)
        try link.idle(events: 3)
        for map in [Self.half, Self.few, .all] {
            let update = ChannelMapIndication(channelMap: map, instant: link.eventCounter &+ 8)
            link.follow(update)
            try link.send(.channelMapInd(update))
            while link.eventCounter != update.instant { try link.idle(events: 1) }
            // The tester checks every channel.
            try link.idle(events: 40)
            #expect(try self.map(link) == Self.bytes(map))
        }
        #expect(link.bench.takePackets().isEmpty)
    }

    @Test("The map that a host reads is that of the last LL_CHANNEL_MAP_IND, before its instant as well")
    func readMap() throws {
        let peripheral = try Bench().connectAsPeripheral()
        try peripheral.idle(events: 3)
        let update = ChannelMapIndication(channelMap: Self.few, instant: peripheral.eventCounter &+ 20)
        peripheral.follow(update)
        try peripheral.send(.channelMapInd(update))
        #expect(try map(peripheral) == Self.bytes(Self.few))
        let central = try Bench().connectAsCentral()
        try central.idle(events: 3)
        try central.bench.succeed(Self.classify(Self.half))
        guard case .channelMapInd(let told) = try central.nextControl() else {
            throw Unexpected("no LL_CHANNEL_MAP_IND")
        }
        central.follow(told)
        #expect(try map(central) == Self.bytes(Self.half) && central.eventCounter != told.instant)
    }

    @Test("An instant in the past ends the link (0x28); the present one is in time")
    func instants() throws {
        let link = try Bench().connectAsPeripheral()
        try link.idle(events: 3)
        let now = ChannelMapIndication(channelMap: Self.few, instant: link.eventCounter)
        try link.exchange(.control(.channelMapInd(now)))
        link.channelMap = Self.few
        try link.idle(events: 20)
        let past = ChannelMapIndication(channelMap: Self.half, instant: link.eventCounter &- 1)
        try link.exchange(.control(.channelMapInd(past)))
        let ending = DisconnectionComplete(connection: link.handle, reason: .instantPassed)
        #expect(try link.bench.takeEvents() == [.disconnectionComplete(ending)])
    }

    @Test("The host of a central says which channels are good: the peer is told, and both change over")
    func hostClassifies() throws {
        let link = try Bench().connectAsCentral()
        try link.idle(events: 3)
        try link.bench.succeed(Self.classify(Self.half))
        guard case .channelMapInd(let update) = try link.nextControl() else {
            Issue.record("no LL_CHANNEL_MAP_IND")
            return
        }
        #expect(update.channelMap == Self.half)
        link.follow(update)
        try link.idle(events: 60)
        #expect(try map(link) == Self.bytes(Self.half))
        // The same once more changes nothing.
        try link.bench.succeed(Self.classify(Self.half))
        try link.idle(events: 5)
    }

    @Test("Of several changes of mind the last one counts, the way back included")
    func lastCounts() throws {
        let link = try Bench().connectAsCentral()
        try link.idle(events: 3)
        for map in [Self.half, Self.few, Self.half, .all] { try link.bench.succeed(Self.classify(map)) }
        var maps: [ChannelMap] = []
        for _ in 0..<60 {
            guard let payload = try link.nextPayload(within: 1) else { continue }
            guard case .channelMapInd(let update)? = payload.controlPDU else { continue }
            maps.append(update.channelMap)
            link.follow(update)
        }
        #expect(maps == [Self.half, .all])
        #expect(try map(link) == Self.bytes(.all))
    }

    @Test("New connections begin with what the host said; a peripheral's host has no say")
    func newConnections() throws {
        let bench = try Bench()
        try bench.succeed(Self.classify(Self.half))
        let link = try bench.connectAsCentral()
        #expect(link.indication.channelMap == Self.half)
        let peripheral = try Bench().connectAsPeripheral()
        try peripheral.bench.succeed(Self.classify(Self.half))
        try peripheral.idle(events: 10)
    }

    @Test("A host may leave but one channel, to which another is added; none at all it may not")
    func oneChannel() throws {
        let bench = try Bench()
        let none = LESetHostChannelClassification(channels: [0, 0, 0, 0, 0xE0])
        #expect(try bench.status(of: .leSetHostChannelClassification(none)) == .invalidCommandParameters)
        let one = LESetHostChannelClassification(channels: [0, 0, 0, 0, 0xF0])
        try bench.succeed(.leSetHostChannelClassification(one))
        let map = try bench.connectAsCentral().indication.channelMap
        #expect(map.count == 2 && map.contains(36))
    }

    @Test("A central takes no orders")
    func refused() throws {
        let link = try Bench().connectAsCentral()
        let update = ChannelMapIndication(channelMap: Self.few, instant: link.eventCounter &+ 8)
        #expect(try link.ask(.channelMapInd(update)) == .unknownRsp(.channelMapInd))
    }
}
