/// AES-CCM as the Link Layer uses it: CBC-MAC over header and payload, then both encrypted with a key stream.
/// Core 6.0, Vol 6, Part E, 2; RFC 3610 with M = 4 and L = 2.
///
/// swift-crypto has no CCM, and its call for one block costs many times what AES does. So the chain of CBC-MAC is one
/// call (`BlockBatch.authenticate`), and the key stream is made for several packets at once (`KeyStream`).
struct CounterWithMAC: ~Copyable, Sendable {
    /// The counter has 39 bits.
    static let packetCounterLimit: UInt64 = 1 << 39

    private(set) var packetCounter: UInt64
    private let nonces: LinkNonces
    private let aes: BlockBatch
    private var keyStream = KeyStream()

    init(_ session: LinkSession, direction: LinkSession.Direction, packetCounter: UInt64) {
        precondition(packetCounter <= Self.packetCounterLimit, "a packet counter has 39 bits")
        self.packetCounter = packetCounter
        nonces = LinkNonces(initializationVector: session.initializationVector, direction: direction)
        aes = BlockBatch(key: session.key)
    }

    /// Encrypts a payload in place and gives its encrypted MIC, the first byte lowest.
    mutating func encrypt(_ payload: UnsafeMutableRawBufferPointer, header: UInt8) -> UInt32 {
        let words = Self.words(for: payload.count)
        let position = keyStream.prepare(packetCounter, blocks: 1 + words / 2, nonces: nonces, aes: aes)
        var check = keyStream.check(at: position)
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words + 6) { blocks in
            unsafe begin(blocks, count: payload.count, header: header)
            let text = unsafe UnsafeMutableBufferPointer(rebasing: blocks[4..<4 + words])
            let bytes = UnsafeMutableRawBufferPointer(text)
            unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(payload))
            check ^= unsafe aes.authenticate(blocks)
            unsafe keyStream.apply(to: text, at: position)
            unsafe payload.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<payload.count]))
        }
        packetCounter += 1
        return check
    }

    /// Decrypts a payload in place if that gives the MIC that was received; otherwise leaves all as it was.
    mutating func decrypt(_ payload: UnsafeMutableRawBufferPointer, check: UInt32, header: UInt8) -> Bool {
        let words = Self.words(for: payload.count)
        let position = keyStream.prepare(packetCounter, blocks: 1 + words / 2, nonces: nonces, aes: aes)
        let expected = check ^ keyStream.check(at: position)
        let isAuthentic = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words + 6) { blocks in
            unsafe begin(blocks, count: payload.count, header: header)
            let text = unsafe UnsafeMutableBufferPointer(rebasing: blocks[4..<4 + words])
            let bytes = UnsafeMutableRawBufferPointer(text)
            unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(payload))
            unsafe keyStream.apply(to: text, at: position)
            for index in payload.count..<bytes.count { unsafe bytes[index] = 0 }
            // A single comparison of whole words takes the same time wherever they differ.
            guard unsafe aes.authenticate(blocks) == expected else { return false }
            unsafe payload.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<payload.count]))
            return true
        }
        if isAuthentic { packetCounter += 1 }
        return isAuthentic
    }

    /// Words of the blocks that hold so many bytes.
    private static func words(for count: Int) -> Int { (count + 15) / 16 * 2 }

    /// Lays out what the MIC covers: B0, the header as B1, zeros where the payload goes, and the block of zeros that
    /// has no other purpose than to bring forth the end of the chain. 2.2.
    private func begin(_ blocks: UnsafeMutableBufferPointer<UInt64>, count: Int, header: UInt8) {
        unsafe blocks.initialize(repeating: 0)
        let first = nonces.checkBlock(packetCounter, count: count)
        unsafe blocks[0] = first.0
        unsafe blocks[1] = first.1
        // Two bytes with the length of the header, then its first byte without NESN, SN and MD, which may change
        // when the PDU is sent again.
        unsafe blocks[2] = (0x0100 | UInt64(header & 0xE3) << 16).littleEndian
    }
}
