/// The key stream of CCM for short packets, made a few packets ahead.
///
/// It depends on the packet's number alone, not on what the packet says, so one call of a backend does for several:
/// for four at first, and for more each time they are used up, since most links never send many.
struct KeyStream: Sendable {
    /// The most blocks of a packet, its MIC's included: a longer one is encrypted faster by itself (`CounterMode`).
    static let mostBlocks = 12
    /// The most packets made in one go, and the most blocks.
    private static let limits = (packets: UInt64(16), blocks: 136)
    /// The fewest packets made in one go, and the fewest blocks for each: enough for packets of 27 bytes with the MIC,
    /// which the first ones are.
    private static let least = (packets: UInt64(4), blocks: 3)

    /// Two words a block, with the bytes in memory as the specification has them, and a block more to work with.
    private var words: [UInt64] = []
    private var firstPacket: UInt64 = 0
    private var packets: UInt64 = 0
    private var blocksPerPacket = 0
    /// How many packets the next go is for.
    private var packetsAhead = least.packets

    /// Sees to it that the stream is there for a packet, and says at which word it begins: two words for the MIC,
    /// then the ones for the payload.
    mutating func prepare(_ packet: UInt64, blocks: Int, nonces: LinkNonces, aes: inout BlockBatch) -> Int {
        // Wraps around to a large number for a packet before the first.
        let index = packet &- firstPacket
        if index < packets, blocks <= blocksPerPacket { return 2 * blocksPerPacket * Int(index) }
        make(from: packet, blocks: blocks, nonces: nonces, aes: &aes)
        return 0
    }

    private mutating func make(from packet: UInt64, blocks needed: Int, nonces: LinkNonces, aes: inout BlockBatch) {
        let blocks = max(needed, Self.least.blocks)
        if packets > 0 {
            packetsAhead =
                packet &- firstPacket == packets
                ? min(2 * packetsAhead, Self.limits.packets)
                // What is left is thrown away: a longer packet has come, or many that were too long.
                : max(packetsAhead / 2, Self.least.packets)
        }
        firstPacket = packet
        blocksPerPacket = blocks
        packets = min(packetsAhead, UInt64(Self.limits.blocks / blocks))
        let (packets, count) = (packets, 2 * blocks * Int(packets))
        if words.count < count + 2 { words = [UInt64](repeating: 0, count: count + 2) }
        words.withUnsafeMutableBufferPointer { words in
            var position = 0
            for offset in 0..<packets {
                for number in 0..<blocks {
                    let block = nonces.streamBlock(packet + offset, number: number)
                    unsafe words[position] = block.0
                    unsafe words[position + 1] = block.1
                    position += 2
                }
            }
            unsafe aes.encryptEach(UnsafeMutableBufferPointer(rebasing: words[..<(count + 2)]))
        }
    }

    /// Encrypts or decrypts the MIC and the payload of the packet at a position.
    func apply(to text: BlockWords, at position: Int) {
        words.withUnsafeBufferPointer { words in
            let stream = unsafe UnsafeBufferPointer(rebasing: words[position..<(position + text.count)])
            for index in 0..<text.count { unsafe text[index] ^= stream[index] }
        }
    }
}
