import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@Suite("Channel selection")
struct ChannelSelectionTests {
    struct Sample: Sendable {
        var counter: UInt16
        var random: UInt16
        var channel: UInt8
    }

    @Test(
        "Algorithm #2 gives the sample data of Vol 6, Part C, 3.1: 37 used channels",
        arguments: [
            Sample(counter: 0, random: 56857, channel: 25), Sample(counter: 1, random: 1685, channel: 20),
            Sample(counter: 2, random: 38301, channel: 6), Sample(counter: 3, random: 27475, channel: 21),
        ]
    )
    func allChannels(sample: Sample) {
        let selection = ChannelSelection2(accessAddress: .advertising)
        #expect(selection.channelIdentifier == 0x305F)
        #expect(selection.pseudoRandomNumber(event: sample.counter) == sample.random)
        #expect(selection.channel(event: sample.counter, channelMap: .all).index == sample.channel)
    }

    @Test(
        "Algorithm #2 gives the sample data of Vol 6, Part C, 3.2: 9 used channels",
        arguments: [
            Sample(counter: 6, random: 10975, channel: 23), Sample(counter: 7, random: 5490, channel: 9),
            Sample(counter: 8, random: 46970, channel: 34),
        ]
    )
    func nineChannels(sample: Sample) throws {
        let map = try #require(ChannelMap(bits: 0x1E_00E0_0600))
        #expect(map.channels == [9, 10, 21, 22, 23, 33, 34, 35, 36])
        let selection = ChannelSelection2(accessAddress: .advertising)
        #expect(selection.pseudoRandomNumber(event: sample.counter) == sample.random)
        #expect(selection.channel(event: sample.counter, channelMap: map).index == sample.channel)
    }

    @Test("Algorithm #2 stays inside any channel map and reaches all of it")
    func insideTheMap() throws {
        var random = SeededRandom(seed: 4, purpose: "maps")
        for _ in 0..<50 {
            guard let map = ChannelMap(bits: random.next() & random.next() & 0x1F_FFFF_FFFF) else { continue }
            let selection = ChannelSelection2(accessAddress: .random(using: &random))
            var met = Set<UInt8>()
            for counter in UInt16(0)..<4_000 {
                met.insert(selection.channel(event: counter, channelMap: map).index)
            }
            #expect(met.sorted() == map.channels)
        }
    }

    @Test("Algorithm #1 hops through all 37 channels, beginning one hop from channel 0", arguments: 5...16)
    func wholeRound(hop: UInt8) throws {
        var selection = ChannelSelection1(hopIncrement: try #require(HopIncrement(hop)))
        let channels = (0..<37).map { _ in selection.advance(channelMap: .all).index }
        #expect(channels == (1...37).map { UInt8($0 * Int(hop) % 37) })
        #expect(Set(channels).count == 37)
    }

    @Test("Algorithm #1 remaps what is unused to its remainder's place among the used")
    func remapping() throws {
        let map = try #require(ChannelMap(bits: 1 << 0 | 1 << 2 | 1 << 36))
        var selection = ChannelSelection1(hopIncrement: try #require(HopIncrement(7)))
        // Unmapped 7, 14, 21, 28, 35, 5: remainders by three 1, 2, 0, 1, 2, 2.
        #expect((0..<6).map { _ in selection.advance(channelMap: map).index } == [2, 36, 0, 2, 36, 36])
    }

    @Test("Algorithm #1 skips events as if it had walked through them", arguments: [1, 2, 36, 37, 38, 499, 65_535])
    func skipping(events: Int) throws {
        let map = try #require(ChannelMap(bits: 0x0F_0F0F_0F0F))
        var walking = ChannelSelection1(hopIncrement: try #require(HopIncrement(13)))
        var jumping = walking
        var last: ChannelIndex?
        for _ in 0..<events { last = walking.advance(channelMap: map) }
        #expect(jumping.advance(by: events, channelMap: map) == last)
        #expect(jumping == walking)
    }

    @Test("A hop is 5 to 16 channels")
    func hopRange() {
        #expect((UInt8(0)...255).filter { HopIncrement($0) != nil } == Array(5...16))
    }
}
