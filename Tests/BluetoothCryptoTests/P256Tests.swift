import BluethroatBluetoothCrypto
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@Suite("Keys of LE Secure Connections")
struct P256Tests {
    struct Sample: Sendable {
        let privateA: String
        let privateB: String
        let publicA: (x: String, y: String)
        let publicB: (x: String, y: String)
        let dhKey: String
    }

    /// Core 6.0, Vol 2, Part G, 7.1.2.
    static let samples = [
        Sample(
            privateA: "3f49f6d4 a3c55f38 74c9b3e3 d2103f50 4aff607b eb40b799 5899b8a6 cd3c1abd",
            privateB: "55188b3d 32f6bb9a 900afcfb eed4e72a 59cb9ac2 f19d7cfb 6b4fdd49 f47fc5fd",
            publicA: (
                "20b003d2 f297be2c 5e2c83a7 e9f9a5b9 eff49111 acf4fddb cc030148 0e359de6",
                "dc809c49 652aeb6d 63329abf 5a52155c 766345c2 8fed3024 741c8ed0 1589d28b"
            ),
            publicB: (
                "1ea1f0f0 1faf1d96 09592284 f19e4c00 47b58afd 8615a69f 559077b2 2faaa190",
                "4c55f33e 429dad37 7356703a 9ab85160 472d1130 e28e3676 5f89aff9 15b1214a"
            ),
            dhKey: "ec0234a3 57c8ad05 341010a6 0a397d9b 99796b13 b4f866f1 868d34f3 73bfa698"
        ),
        Sample(
            privateA: "06a51669 3c9aa31a 6084545d 0c5db641 b48572b9 7203ddff b7ac73f7 d0457663",
            privateB: "529aa067 0d72cd64 97502ed4 73502b03 7e8803b5 c60829a5 a3caa219 505530ba",
            publicA: (
                "2c31a47b 5779809e f44cb5ea af5c3e43 d5f8faad 4a8794cb 987e9b03 745c78dd",
                "91951218 3898dfbe cd52e240 8e43871f d0211091 17bd3ed4 eaf84377 43715d4f"
            ),
            publicB: (
                "f465e43f f23d3f1b 9dc7dfc0 4da87581 84dbc966 204796ec cf0d6cf5 e16500cc",
                "0201d048 bcbbd899 eeefc424 164e33c2 01c2b010 ca6b4d43 a8a155ca d8ecb279"
            ),
            dhKey: "ab85843a 2f6d883f 62e5684b 38e30733 5fe6e194 5ecd1960 4105c6f2 3221eb69"
        ),
    ]

    static let order = "ffffffff 00000000 ffffffff ffffffff bce6faad a7179e84 f3b9cac2 fc632551"
    static let prime = "ffffffff 00000001 00000000 00000000 00000000 ffffffff ffffffff ffffffff"

    @Test("The sample data, Core Vol 2, Part G, 7.1.2", arguments: samples)
    func sample(_ sample: Sample) throws {
        let a = try #require(P256KeyPair(privateKey: try wideBlock(sample.privateA)))
        let b = try #require(P256KeyPair(privateKey: try wideBlock(sample.privateB)))
        #expect(a.publicKey.x == (try wideBlock(sample.publicA.x)))
        #expect(a.publicKey.y == (try wideBlock(sample.publicA.y)))
        #expect(b.publicKey.x == (try wideBlock(sample.publicB.x)))
        #expect(b.publicKey.y == (try wideBlock(sample.publicB.y)))
        #expect(a.sharedSecret(with: b.publicKey) == (try wideBlock(sample.dhKey)))
        #expect(b.sharedSecret(with: a.publicKey) == (try wideBlock(sample.dhKey)))
    }

    @Test("On the air X comes before Y, each with its least significant byte first")
    func byteOrder() throws {
        let sample = Self.samples[0]
        let key = try P256PublicKey(x: try wideBlock(sample.publicA.x), y: try wideBlock(sample.publicA.y))
        let bytes = key.littleEndianBytes
        #expect(bytes.count == 64)
        #expect(bytes.prefix(4) == [0xE6, 0x9D, 0x35, 0x0E])
        #expect(bytes[32..<36] == [0x8B, 0xD2, 0x89, 0x15])
        #expect(try P256PublicKey(littleEndian: bytes) == key)
        var out: [UInt8] = [0x0C]
        key.write(to: &out)
        #expect(out == [0x0C] + bytes)
    }

    @Test("The debug keys are those that everybody knows, Core Vol 3, Part H, 2.3.5.6.1")
    func debugKeys() throws {
        #expect(P256KeyPair.debug.publicKey.x == (try wideBlock(Self.samples[0].publicA.x)))
        #expect(P256KeyPair.debug.publicKey.y == (try wideBlock(Self.samples[0].publicA.y)))
        #expect(P256KeyPair.debug.publicKey.isDebugKey)
        var random = SeededRandom(seed: 1, purpose: "key")
        #expect(!P256KeyPair(using: &random).publicKey.isDebugKey)
    }

    @Test("The same stream gives the same pair, each pair is another, and any two agree")
    func fromStream() {
        var first = SeededRandom(seed: 42, purpose: "key")
        var second = SeededRandom(seed: 42, purpose: "key")
        var seen: Set<P256PublicKey> = []
        for _ in 0..<20 {
            let own = P256KeyPair(using: &first)
            #expect(own.publicKey == P256KeyPair(using: &second).publicKey)
            let peer = P256KeyPair(using: &first)
            #expect(peer.publicKey == P256KeyPair(using: &second).publicKey)
            #expect(own.sharedSecret(with: peer.publicKey) == peer.sharedSecret(with: own.publicKey))
            #expect(seen.insert(own.publicKey).inserted && seen.insert(peer.publicKey).inserted)
        }
    }

    @Test("A draw that is no private key is followed by another")
    func redraw() {
        /// A generator that begins with numbers that make 0 and then 2²⁵⁶ - 1.
        struct Stubborn: RandomNumberGenerator {
            var draws = 0

            mutating func next() -> UInt64 {
                draws += 1
                return draws <= 4 ? 0 : draws <= 8 ? .max : 7
            }
        }
        var generator = Stubborn()
        let seven = Block128(high: 7, low: 7)
        #expect(
            P256KeyPair(using: &generator).publicKey
                == P256KeyPair(privateKey: Block256(high: seven, low: seven))?.publicKey
        )
        #expect(generator.draws == 12)
    }

    @Test("Private keys are 1 to one less than the order")
    func privateKeyRange() throws {
        let order = try wideBlock(Self.order)
        #expect(P256KeyPair(privateKey: .zero) == nil)
        #expect(P256KeyPair(privateKey: order) == nil)
        #expect(P256KeyPair(privateKey: changed(order) { $0 + 1 }) == nil)
        let ones = Block128(high: .max, low: .max)
        #expect(P256KeyPair(privateKey: Block256(high: ones, low: ones)) == nil)

        let first = try #require(P256KeyPair(privateKey: changed(.zero) { _ in 1 }))
        let last = try #require(P256KeyPair(privateKey: changed(order) { $0 - 1 }))
        #expect(first.publicKey.x == last.publicKey.x)
        #expect(first.publicKey.y != last.publicKey.y)
    }

    @Test("No bit of a public key can be changed")
    func offTheCurve() throws {
        let bytes = P256KeyPair.debug.publicKey.littleEndianBytes
        for bit in 0..<512 {
            var wrong = bytes
            wrong[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: P256PublicKey.InvalidPoint.self, "bit \(bit)") {
                try P256PublicKey(littleEndian: wrong)
            }
        }
    }

    @Test("Zeros, ones, a half of zeros, swapped halves and the other byte order are no points")
    func impossiblePoints() throws {
        let key = P256KeyPair.debug.publicKey
        let (x, y) = (key.x.littleEndianBytes, key.y.littleEndianBytes)
        let zeros = [UInt8](repeating: 0, count: 32)
        let candidates: [[UInt8]] = [
            zeros + zeros, [UInt8](repeating: 0xFF, count: 64), zeros + y, x + zeros,
            y + x, key.x.bigEndianBytes + key.y.bigEndianBytes,
        ]
        for candidate in candidates {
            #expect(throws: P256PublicKey.InvalidPoint.self, "\(candidate.hex)") {
                try P256PublicKey(littleEndian: candidate)
            }
        }
    }

    @Test("A coordinate that is the prime or more is refused, though the point would be one modulo the prime")
    func unreducedCoordinate() throws {
        // With x = 0 there is a point of the curve; x = p is the same residue.
        let y = try wideBlock("66485c78 0e2f83d7 2433bd5d 84a06bb6 541c2af3 1dae8717 28bf856a 174f93f4")
        #expect(try P256PublicKey(x: .zero, y: y).x == .zero)
        let prime = try wideBlock(Self.prime)
        #expect(throws: P256PublicKey.InvalidPoint.self) { try P256PublicKey(x: prime, y: y) }
    }

    @Test("Any count of bytes but 64 is refused", arguments: [0, 1, 32, 33, 63, 65, 66, 128])
    func wrongLength(count: Int) {
        let bytes = P256KeyPair.debug.publicKey.littleEndianBytes + [UInt8](repeating: 0, count: 64)
        #expect(throws: P256PublicKey.InvalidPoint.self) { try P256PublicKey(littleEndian: Array(bytes.prefix(count))) }
    }

    @Test("Our own key coming back is noticed, mirrored too; a stranger's and the common debug key are not")
    func reflection() throws {
        var random = SeededRandom(seed: 5, purpose: "key")
        let own = P256KeyPair(using: &random)
        #expect(own.isReflected(by: own.publicKey))
        let mirrored = try P256PublicKey(x: own.publicKey.x, y: negated(own.publicKey.y))
        #expect(mirrored != own.publicKey)
        #expect(own.isReflected(by: mirrored))
        #expect(!own.isReflected(by: P256KeyPair(using: &random).publicKey))
        #expect(!own.isReflected(by: P256KeyPair.debug.publicKey))
        #expect(!P256KeyPair.debug.isReflected(by: P256KeyPair.debug.publicKey))
        #expect(!P256KeyPair.debug.isReflected(by: own.publicKey))
    }

    /// The number with its lowest 64 bits changed.
    private func changed(_ number: Block256, _ change: (UInt64) -> UInt64) -> Block256 {
        var number = number
        number.low.low = change(number.low.low)
        return number
    }

    /// The prime minus a coordinate.
    private func negated(_ coordinate: Block256) throws -> Block256 {
        var borrow: UInt8 = 0
        let bytes = zip(try wideBlock(Self.prime).littleEndianBytes, coordinate.littleEndianBytes).map { prime, byte in
            let difference = Int(prime) - Int(byte) - Int(borrow)
            borrow = difference < 0 ? 1 : 0
            return UInt8(truncatingIfNeeded: difference)
        }
        return try #require(Block256(littleEndian: bytes))
    }
}
