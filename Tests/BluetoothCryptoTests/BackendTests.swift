import BluethroatBluetoothCrypto
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

/// What holds of both libraries that can be below. These tests run with swift-crypto here, and with OpenSSL in
/// Tests/Outside/OpenSSL.
@Suite("Cryptography, whichever library does it")
struct BackendTests {
    @Test("Thousands of random answers are those that were recorded")
    func recorded() throws {
        var random = SeededRandom(seed: 230, purpose: "backends")
        var record: [UInt8] = []
        try Self.agreements(&random, into: &record)
        try Self.packets(&random, into: &record)
        Self.codes(&random, into: &record)
        let digest = HMACSHA256.authenticate(record, key: []).bigEndianBytes.hex
        #expect(
            digest == "f398af828c21d0dd96db6871979032bbdc9ec2c3d4ed27be3a969416927757a2",
            "of \(record.count) bytes"
        )
    }

    @Test("Tasks that have one key in common get the blocks that each would get alone")
    func sharedKey() async throws {
        let key = AESKey(Block128(high: 1, low: 2))
        let expected = Self.encryptions(with: key, from: 0, count: 4_000)
        let found = await withTaskGroup(of: (UInt64, [Block128]).self) { group in
            for start in stride(from: UInt64(0), to: 4_000, by: 500) {
                group.addTask { (start, Self.encryptions(with: key, from: start, count: 500)) }
            }
            var parts: [UInt64: [Block128]] = [:]
            for await (start, part) in group { parts[start] = part }
            return stride(from: UInt64(0), to: 4_000, by: 500).flatMap { parts[$0] ?? [] }
        }
        #expect(found == expected)
    }

    @Test("Tasks that go on from one code that has begun do not disturb each other")
    func sharedCode() async throws {
        var begun = AESCMAC(key: Block128(high: 3, low: 4))
        begun.update([UInt8](0..<40).span.bytes)
        let common = begun
        let found = await withTaskGroup(of: (UInt8, Block128).self) { group in
            for end in UInt8(0)..<64 {
                group.addTask {
                    var code = common
                    for _ in 0..<20 { code.update([end].span.bytes) }
                    return (end, code.finish())
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for end in UInt8(0)..<64 {
            let whole = [UInt8](0..<40) + [UInt8](repeating: end, count: 20)
            #expect(found[end] == AESCMAC.authenticate(whole, key: Block128(high: 3, low: 4)))
        }
    }

    @Test("Tasks that have one private key in common agree as one alone does")
    func sharedPrivateKey() async throws {
        var random = SeededRandom(seed: 231, purpose: "backends")
        let own = P256KeyPair(using: &random)
        let peers = (0..<16).map { _ in P256KeyPair(using: &random) }
        let found = await withTaskGroup(of: (Int, Block256).self) { group in
            for (index, peer) in peers.enumerated() {
                group.addTask { (index, own.sharedSecret(with: peer.publicKey)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for (index, peer) in peers.enumerated() {
            #expect(found[index] == peer.sharedSecret(with: own.publicKey))
        }
    }

    private static func encryptions(with key: AESKey, from start: UInt64, count: UInt64) -> [Block128] {
        (start..<start + count).map { key.encrypt(Block128(high: 0, low: $0)) }
    }

    /// Key pairs, what they agree on, and which of some wrong points are refused.
    private static func agreements(_ random: inout SeededRandom, into record: inout [UInt8]) throws {
        var last = P256KeyPair(using: &random)
        for _ in 0..<100 {
            let pair = P256KeyPair(using: &random)
            pair.publicKey.write(to: &record)
            let secret = pair.sharedSecret(with: last.publicKey)
            try #require(secret == last.sharedSecret(with: pair.publicKey))
            secret.write(to: &record)
            last = pair
            for _ in 0..<4 {
                var bytes = pair.publicKey.littleEndianBytes
                bytes[Int(random.next(below: 64))] ^= UInt8(truncatingIfNeeded: random.next())
                record.append((try? P256PublicKey(littleEndian: bytes)) == nil ? 0 : 1)
            }
            // Private keys around the end of their range.
            let number = Block256(
                high: Block128(high: 0xFFFF_FFFF_0000_0000, low: .max),
                low: Block128(high: 0xBCE6_FAAD_A717_9E84, low: 0xF3B9_CAC2_FC63_2551 &+ random.next(below: 9) &- 4)
            )
            record.append(P256KeyPair(privateKey: number) == nil ? 0 : 1)
        }
    }

    /// Packets of all lengths on encrypted links, short ones in a row, long ones between them.
    private static func packets(_ random: inout SeededRandom, into record: inout [UInt8]) throws {
        for _ in 0..<20 {
            let session = LinkCipherTests.randomSession(&random)
            let counter = random.next(below: 1 << 38)
            var sender = LinkEncryptor(session, direction: .peripheralToCentral, packetCounter: counter)
            var receiver = LinkDecryptor(session, direction: .peripheralToCentral, packetCounter: counter)
            for _ in 0..<200 {
                let isLong = random.chance(.percent(30))
                let payload = random.bytes(1 + Int(random.next(below: isLong ? 251 : 40)))
                let header = UInt8(truncatingIfNeeded: random.next())
                let start = record.count
                try sender.encrypt(payload.span.bytes, header: header, appendingTo: &record)
                var decrypted: [UInt8] = []
                try receiver.decrypt(record.span.bytes.extracting(start...), header: header, appendingTo: &decrypted)
                try #require(decrypted == payload)
            }
        }
    }

    /// Codes of messages in pieces, hashes under keys of any length, and numbers of a cipher.
    private static func codes(_ random: inout SeededRandom, into record: inout [UInt8]) {
        var numbers = CipherRandom(from: &random)
        for length in 0..<200 {
            let message = random.bytes(length)
            let cut = Int(random.next(below: UInt64(length) + 1))
            var code = AESCMAC(key: numbers.block())
            code.update(message.span.bytes.extracting(..<cut))
            code.update(message.span.bytes.extracting(cut...))
            code.finish().write(to: &record)
            let key = random.bytes(Int(random.next(below: 150)))
            HMACSHA256.authenticate(message, key: key).write(to: &record)
            AESBlock.encrypt(key: numbers.block(), plaintext: numbers.block()).write(to: &record)
        }
    }
}
