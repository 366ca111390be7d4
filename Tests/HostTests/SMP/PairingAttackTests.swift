import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// Somebody on the line between two honest devices: who changes what they say, and who only listens.
@Suite("Attacks on pairings")
struct PairingAttackTests {
    // MARK: A man in the middle

    @Test(
        "People who compare see different digits if somebody stands between them",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func manInTheMiddle(_ seed: UInt64) throws {
        // The man in the middle is a peripheral towards the one and a central towards the other, and says yes to all.
        let way = try #require(Way.all.first { $0.method == .numericComparison })
        var left = try way.pair(seed: seed)
        var right = try way.pair(seed: seed + 1_000)
        left.person = { _, end, _ in end == 1 ? .agree : nil }
        right.person = { _, end, _ in end == 0 ? .agree : nil }
        try left.pair()
        try right.pair()
        let phone = try #require(left.compared(0))
        let sensor = try #require(right.compared(1))
        #expect(phone != sensor)
        // And so they say no.
        try left.answer(0, .refuse)
        try right.answer(1, .refuse)
        #expect(left.results(0).isEmpty && right.results(1).isEmpty)
        #expect(left.releasedKeys == 0 && right.releasedKeys == 0)
        #expect(left.isClean && right.isClean)
    }

    @Test("Somebody who puts a key of his own into a conversation that he relays is noticed by the digits or the check")
    func keySubstitution() throws {
        let own = try #require(P256KeyPair(privateKey: Block256(high: .zero, low: Way.temporaryKey))).publicKey
        let substitute = SMPPDU.pairingPublicKey(PairingPublicKey(x: own.x, y: own.y)).bytes
        for way in Way.all where way.isSecure {
            for victim in [0, 1] {
                var pair = try way.pair()
                pair.mangle = { _, from, pdu in
                    if pdu[0] == 0x0C, from == victim { pdu = substitute }
                    return true
                }
                try pair.pair()
                #expect(pair.results(0).isEmpty && pair.results(1).isEmpty, "\(way.name)")
                #expect(pair.releasedKeys == 0, "\(way.name)")
                #expect(pair.isClean, "\(way.name)")
            }
        }
    }

    @Test("What a device announces cannot be weakened on the way")
    func downgrade() throws {
        // From passkey entry to Just Works, both believing that the other can do no better.
        for way in Way.all where way.isPasskey {
            var pair = try way.pair()
            pair.mangle = { _, _, pdu in
                if pdu[0] == 0x01 || pdu[0] == 0x02 { pdu[1] = 0x03 }
                return true
            }
            try pair.pair()
            #expect(pair.results(0).isEmpty && pair.results(1).isEmpty, "\(way.name)")
            #expect(pair.isClean)
        }
    }

    // MARK: What a listener learns

    @Test("From a capture of legacy pairing the key is found: at once with Just Works, with a passkey by trying all")
    func legacyIsCracked() throws {
        for way in Way.all.prefix(3) {
            let passkey = try #require(Passkey(1_234))
            var pair = try way.pair { settings in for end in 0..<2 { settings[end].passkey = .fixed(passkey) } }
            try pair.pair()
            let pdus = pair.sent.map(\.pdu)
            func value(_ code: UInt8, _ index: Int) throws -> Block128 {
                let pdu = pdus.filter { $0[0] == code }[index]
                return try #require(Block128(littleEndian: pdu.dropFirst()))
            }
            let (confirm, initiator, responder) = (try value(3, 0), try value(4, 0), try value(4, 1))
            let temporaryKey = try #require(
                (0...999_999 as ClosedRange<UInt64>).lazy.map { Block128(high: 0, low: $0) }.first { key in
                    confirm
                        == PairingFunctions.c1(
                            k: key,
                            r: initiator,
                            preq: pdus[0],
                            pres: pdus[1],
                            ia: SecurityPair.addresses[0],
                            ra: SecurityPair.addresses[1]
                        )
                }
            )
            #expect(temporaryKey.low == (way.method == .justWorks ? 0 : 1_234))
            #expect(PairingFunctions.s1(k: temporaryKey, r1: responder, r2: initiator) == pair.linkKey?.value)
        }
    }

    @Test("What is drawn for the air does not tell what is drawn in secret")
    func randomness() {
        // With the seeded stream alone, a nonce would give away the state, and with it every key before and after.
        var random = SeededRandom(seed: 1, purpose: "pairing")
        var stream = random
        var secret = CipherRandom(from: &random)
        let drawn = (0..<64).map { _ in stream.next() }
        for _ in 0..<32 {
            let block = secret.block()
            #expect(!drawn.contains(block.low) && !drawn.contains(block.high))
        }
        #expect(secret.nonZero() != 0)
        let passkeys = (0..<1_000).map { _ in secret.passkey().value }
        #expect(Set(passkeys).count > 990)
        #expect(passkeys.contains { $0 < 100_000 } && passkeys.contains { $0 > 900_000 })
    }
}
