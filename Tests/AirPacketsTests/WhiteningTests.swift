import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@Suite("Whitening")
struct WhiteningTests {
    @Test("Channel 37 begins as other stacks have published it")
    func channel37() throws {
        let published = try #require(
            [UInt8](
                hex: """
                    8DD257A13DA766B0753111489677F8E346E9ABD09E5333D8BA980824CB3BFC71A3F45568CFA9196C5D4C
                    """
            )
        )
        let channel = try #require(ChannelIndex(37))
        #expect(Whitening.sequence(channel: channel, count: published.count) == published)
    }

    @Test("Channels 38 and 39 begin as other stacks have published them")
    func otherAdvertisingChannels() throws {
        let channels = ChannelIndex.advertising
        #expect(Whitening.sequence(channel: channels[1], count: 8).hex == "d6c5442059dee18f")
        #expect(Whitening.sequence(channel: channels[2], count: 8).hex == "1f374a5f85f69c9a")
    }

    @Test("The sequence comes round after 127 bits")
    func period() throws {
        for index in UInt8(0)..<40 {
            let channel = try #require(ChannelIndex(index))
            let sequence = Whitening.sequence(channel: channel, count: 40)
            let bits = sequence.flatMap { byte in (0..<8).map { byte >> $0 & 1 } }
            #expect(bits[0..<127] == bits[127..<254].map { $0 }[...])
            #expect(bits[0..<127].count { $0 == 1 } == 64)
        }
    }

    @Test("Twice is not at all, and the access address stays as it is")
    func involution() throws {
        let channel = try #require(ChannelIndex(11))
        let frame = AirFrame.make(accessAddress: .advertising, header: 0x0002, crcInit: .advertising)
        var whitened = frame
        Whitening.apply(to: &whitened, channel: channel)
        #expect(whitened[..<4] == frame[..<4])
        #expect(whitened != frame)
        Whitening.apply(to: &whitened, channel: channel)
        #expect(whitened == frame)
    }
}
