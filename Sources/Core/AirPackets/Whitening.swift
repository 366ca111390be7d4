public import BluethroatBluetoothValues

/// The pseudo-random bits that a radio adds to header, payload and CRC: x^7 + x^4 + 1, preset from the channel.
/// Adding them a second time takes them off again. Core 6.0, Vol 6, Part B, 3.2.
public enum Whitening {
    /// Whitens a frame made by `AirFrame`, or takes the whitening off; the access address is never whitened.
    public static func apply(to frame: inout [UInt8], channel: ChannelIndex) {
        var register = initialRegister(channel)
        for index in frame.indices.dropFirst(AirFrame.headerOffset) { frame[index] ^= nextByte(&register) }
    }

    /// The first `count` bytes of the whitening sequence of a channel, first bit on the air lowest.
    public static func sequence(channel: ChannelIndex, count: Int) -> [UInt8] {
        var register = initialRegister(channel)
        return (0..<count).map { _ in nextByte(&register) }
    }

    /// Bit n of the register is position 6 - n in the specification's drawing: the output is the lowest bit.
    private static func initialRegister(_ channel: ChannelIndex) -> UInt8 { 0x40 | channel.index }

    private static func nextByte(_ register: inout UInt8) -> UInt8 {
        var byte: UInt8 = 0
        for bit in 0..<8 {
            let out = register & 1
            byte |= out << bit
            // What leaves at position 6 comes back at 0 and is added between 3 and 4.
            register = register >> 1 ^ (out == 1 ? 0x44 : 0)
        }
        return byte
    }
}
