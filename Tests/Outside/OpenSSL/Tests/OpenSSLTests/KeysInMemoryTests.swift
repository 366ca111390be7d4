import BluethroatBluetoothCrypto
import Glibc
import Testing

/// What is left in the memory of this process of keys that libcrypto had.
@Suite("Keys in libcrypto's memory", .serialized)
struct KeysInMemoryTests {
    @Test("A key of AES is in memory while something encrypts with it, and nowhere when that is gone")
    func keyOfAES() throws {
        let key = Block128(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
        let trace = Trace([key.high, key.low])
        var keys = (0..<8).map { _ in AESKey(key) }
        #expect(keys[0].encrypt(.zero) == keys[7].encrypt(.zero))
        #expect(try trace.count() >= 8)
        keys = []
        #expect(try trace.count() == 0)

        var codes = (0..<8).map { _ in AESCMAC(key: key) }
        codes[0].update([1, 2, 3].span.bytes)
        _ = codes[0].finish()
        #expect(try trace.count() >= 8)
        codes = []
        #expect(try trace.count() == 0)
    }

    @Test("The key of an encrypted link is gone with both of its ends")
    func keyOfALink() throws {
        let session = LinkSession(
            longTermKey: Block128(high: .random(in: 1 ... .max), low: 1),
            centralDiversifier: 2,
            peripheralDiversifier: 3,
            centralVector: 4,
            peripheralVector: 5
        )
        let trace = Trace([session.key.high, session.key.low])
        do {
            var sender = LinkEncryptor(session, direction: .centralToPeripheral)
            var receiver = LinkDecryptor(session, direction: .centralToPeripheral)
            for count in [1, 27, 251] {
                var packet = [UInt8](repeating: 6, count: count)
                try sender.encrypt(&packet, header: 2)
                try receiver.decrypt(&packet, header: 2)
            }
            #expect(try trace.count() >= 2)
            let counters = (sender.packetCounter, receiver.packetCounter)
            #expect(counters == (3, 3))
        }
        #expect(try trace.count() == 0)
    }

    @Test("Private keys are overwritten, and the secret that was agreed upon leaves nothing")
    func privateKey() throws {
        let words: [UInt64] = (0..<4).map { _ in .random(in: 1 ... .max / 2) }
        let number = Block256(
            high: Block128(high: words[0], low: words[1]),
            low: Block128(high: words[2], low: words[3])
        )
        // As it is handed over, and least significant byte first, as libcrypto has numbers.
        let given = Trace(words)
        let computed = Trace(words.reversed().map(\.byteSwapped))
        let secret: Trace
        do {
            let pairs = (0..<8).compactMap { _ in P256KeyPair(privateKey: number) }
            #expect(try computed.count() >= 8)
            let shared = try #require(pairs.last).sharedSecret(with: P256KeyPair.debug.publicKey)
            secret = Trace([shared.high.high, shared.high.low, shared.low.high, shared.low.low])
            #expect(pairs.count == 8)
        }
        // libcrypto itself leaves what it multiplied by on the stack of the thread, until that is used again.
        #expect(try computed.count() <= 1)
        #expect(try given.count() == 0)
        #expect(try secret.count() == 0)
    }

    /// Bytes to be looked for, kept with all bits turned around so that they are not found here.
    private struct Trace {
        private let turned: [UInt8]

        /// Words, each with its most significant byte first.
        init(_ words: [UInt64]) {
            turned = words.flatMap { word in (0..<8).map { ~UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) } }
        }

        /// How often they are in the memory that this process can write to.
        func count() throws -> Int {
            let maps = try #require(fopen("/proc/self/maps", "r"))
            defer { fclose(maps) }
            var ranges: [(UInt, UInt)] = []
            var line = [CChar](repeating: 0, count: 4_096)
            while fgets(&line, CInt(line.count), maps) != nil {
                let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
                    separator: " "
                )
                let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                if words[1].hasPrefix("rw"), ends.count == 2 { ranges.append((ends[0], ends[1])) }
            }
            let memory = open("/proc/self/mem", O_RDONLY)
            try #require(memory >= 0)
            defer { close(memory) }
            // A page at a time, with what bytes across two pages need; what was read is not left behind to be found.
            var (found, page) = (0, [UInt8](repeating: 0, count: 4_096 + turned.count - 1))
            for (start, end) in ranges {
                for address in stride(from: start, to: end, by: 4_096) {
                    let read = pread(memory, &page, page.count, off_t(address))
                    if read >= turned.count { found += occurrences(in: page[..<read]) }
                    page.withUnsafeMutableBytes { _ = memset($0.baseAddress!, 0, $0.count) }
                }
            }
            return found
        }

        private func occurrences(in bytes: ArraySlice<UInt8>) -> Int {
            bytes.withUnsafeBufferPointer { bytes in
                let first = CInt(~turned[0])
                var (position, found) = (0, 0)
                while bytes.count - position >= turned.count,
                    let hit = memchr(
                        bytes.baseAddress! + position,
                        first,
                        bytes.count - position - turned.count + 1
                    )
                {
                    position = hit - UnsafeMutableRawPointer(mutating: bytes.baseAddress!)
                    if turned.indices.allSatisfy({ bytes[position + $0] == ~turned[$0] }) { found += 1 }
                    position += 1
                }
                return found
            }
        }
    }
}
