/// AES-CCM as the Link Layer uses it: CBC-MAC over header and payload, then both encrypted with a key stream.
/// Core 6.0, Vol 6, Part E, 2; RFC 3610 with M = 4 and L = 2.
///
/// swift-crypto has no CCM, a call for one block costs many times what AES does, and so does what libcrypto's CCM does
/// around a packet. So the chain of CBC-MAC is one
/// call (`BlockChain`), and so is the key stream: of several packets where they are short (`KeyStream`), of one where it
/// is long (`CounterMode`).
struct CounterWithMAC: ~Copyable, Sendable {
    /// The counter has 39 bits.
    static let packetCounterLimit: UInt64 = 1 << 39

    private(set) var packetCounter: UInt64
    private let nonces: LinkNonces
    private var chain: BlockChain
    private var aes: BlockBatch
    private var counterMode: CounterMode
    private var keyStream = KeyStream()

    init(_ session: LinkSession, direction: LinkSession.Direction, packetCounter: UInt64) {
        precondition(packetCounter <= Self.packetCounterLimit, "a packet counter has 39 bits")
        self.packetCounter = packetCounter
        nonces = LinkNonces(initializationVector: session.initializationVector, direction: direction)
        let key = AESKey(session.key)
        chain = BlockChain(key: key)
        aes = BlockBatch(key: key)
        counterMode = CounterMode(key: key)
    }

    /// Appends a payload, encrypted, and its encrypted MIC.
    mutating func encrypt(_ payload: UnsafeRawBufferPointer, header: UInt8, appendingTo out: inout [UInt8]) {
        // A block more than needed, for a MIC that does not fit into the last one.
        let words = Self.words(for: payload.count)
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words + 2) { room in
            let blocks = unsafe UnsafeMutableBufferPointer(rebasing: room[..<words])
            unsafe Self.lay(payload, into: blocks)
            let check = unsafe authenticate(blocks, count: payload.count, header: header)
            unsafe applyStream(to: blocks, check: check)
            let bytes = UnsafeMutableRawBufferPointer(room)
            let end = Self.textOffset + payload.count
            let encrypted = unsafe bytes.load(fromByteOffset: Self.checkOffset, as: UInt32.self)
            unsafe bytes.storeBytes(of: encrypted, toByteOffset: end, as: UInt32.self)
            unsafe out.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[Self.textOffset..<(end + 4)]))
        }
        packetCounter += 1
    }

    /// Appends what an encrypted payload says if that gives the MIC that was received; false if it does not.
    mutating func decrypt(
        _ payload: UnsafeRawBufferPointer,
        check: UInt32,
        header: UInt8,
        appendingTo out: inout [UInt8]
    ) -> Bool {
        let words = Self.words(for: payload.count)
        let isAuthentic = unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { blocks in
            unsafe Self.lay(payload, into: blocks)
            unsafe applyStream(to: blocks, check: check)
            let expected = unsafe UInt32(truncatingIfNeeded: blocks[2].littleEndian)
            let bytes = UnsafeMutableRawBufferPointer(blocks)
            let end = Self.textOffset + payload.count
            // The key stream has filled up the last block, too.
            for index in end..<bytes.count { unsafe bytes[index] = 0 }
            // A single comparison of whole words takes the same time wherever they differ.
            guard unsafe authenticate(blocks, count: payload.count, header: header) == expected else { return false }
            unsafe out.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[Self.textOffset..<end]))
            return true
        }
        if isAuthentic { packetCounter += 1 }
        return isAuthentic
    }

    // MARK: Blocks

    /// Bytes before the payload: B0 and B1.
    private static let textOffset = 32
    /// Bytes before the MIC, which takes the place of B1 once that has served.
    private static let checkOffset = 16

    /// Words of all blocks for so many bytes of payload.
    private static func words(for count: Int) -> Int { 4 + (count + 15) / 16 * 2 }

    /// Copies a payload to where it belongs, with zeros up to the end of the last block.
    private static func lay(_ payload: UnsafeRawBufferPointer, into blocks: BlockWords) {
        unsafe blocks[blocks.count - 2] = 0
        unsafe blocks[blocks.count - 1] = 0
        let text = unsafe UnsafeMutableRawBufferPointer(blocks)[textOffset...]
        unsafe UnsafeMutableRawBufferPointer(rebasing: text).copyMemory(from: payload)
    }

    /// The MIC of the blocks' payload. 2.2.
    private mutating func authenticate(_ blocks: BlockWords, count: Int, header: UInt8) -> UInt32 {
        (unsafe blocks[0], unsafe blocks[1]) = nonces.checkBlock(packetCounter, count: count)
        // Two bytes with the length of the header, then its first byte without NESN, SN and MD, which may change
        // when the PDU is sent again.
        unsafe blocks[2] = (0x0100 | UInt64(header & 0xE3) << 16).littleEndian
        unsafe blocks[3] = 0
        return unsafe chain.authenticate(blocks)
    }

    /// Encrypts or decrypts the MIC, in the place of B1, and the payload behind it. 2.2.
    private mutating func applyStream(to blocks: BlockWords, check: UInt32) {
        unsafe blocks[2] = UInt64(check).littleEndian
        unsafe blocks[3] = 0
        let text = unsafe UnsafeMutableBufferPointer(rebasing: blocks[2...])
        if text.count <= 2 * KeyStream.mostBlocks {
            let position = keyStream.prepare(packetCounter, blocks: text.count / 2, nonces: nonces, aes: &aes)
            unsafe keyStream.apply(to: text, at: position)
        } else {
            unsafe counterMode.apply(to: text, from: nonces.streamBlock(packetCounter, number: 0))
        }
    }
}
