/// The blocks that CCM makes of a packet's place in one direction of a session: nonce, flags, length or number.
/// Core 6.0, Vol 6, Part E, 2.1 and 2.2.
///
/// A block is two words, with the bytes in memory as the specification has them.
struct LinkNonces: Sendable {
    private let initializationVector: UInt64
    /// The direction as the topmost of the 40 bits whose others are the packet counter, behind a byte of flags.
    private let directionBit: UInt64

    init(initializationVector: UInt64, direction: LinkSession.Direction) {
        self.initializationVector = initializationVector
        directionBit = UInt64(direction.rawValue) << 47
    }

    /// B0: what the integrity check begins with, for a payload of so many bytes.
    func checkBlock(_ packetCounter: UInt64, count: Int) -> (UInt64, UInt64) {
        block(flags: 0x49, packetCounter, end: UInt16(count))
    }

    /// A0, A1…: what is encrypted to be the key stream.
    func streamBlock(_ packetCounter: UInt64, number: Int) -> (UInt64, UInt64) {
        block(flags: 0x01, packetCounter, end: UInt16(number))
    }

    private func block(flags: UInt64, _ packetCounter: UInt64, end: UInt16) -> (UInt64, UInt64) {
        // Everything but the end comes least significant byte first.
        let first = flags | packetCounter << 8 | directionBit | initializationVector << 48
        let second = initializationVector >> 16 | UInt64(end.byteSwapped) << 48
        return (first.littleEndian, second.littleEndian)
    }
}
