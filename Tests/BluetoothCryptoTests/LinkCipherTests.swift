import BluethroatBluetoothCrypto
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@Suite("AES-CCM on a link")
struct LinkCipherTests {
    /// The session of the sample data, Core Vol 6, Part C, 1.
    static func sampleSession() throws -> LinkSession {
        LinkSession(
            longTermKey: try block("4C68384139F574D836BCF34E9DFB01BF"),
            centralDiversifier: 0xACBD_CEDF_E0F1_0213,
            peripheralDiversifier: 0x0213_2435_4657_6879,
            centralVector: 0xBADC_AB24,
            peripheralVector: 0xDEAF_BABE
        )
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let counter: UInt64
        let direction: LinkSession.Direction
        let header: UInt8
        let payload: String
        let encrypted: String
    }

    static let samples = [
        Sample(
            testDescription: "LL_START_ENC_RSP of the central",
            counter: 0,
            direction: .centralToPeripheral,
            header: 0x0F,
            payload: "06",
            encrypted: "9F CDA7F448"
        ),
        Sample(
            testDescription: "LL_START_ENC_RSP of the peripheral",
            counter: 0,
            direction: .peripheralToCentral,
            header: 0x07,
            payload: "06",
            encrypted: "A3 4C13A415"
        ),
        Sample(
            testDescription: "data of the central",
            counter: 1,
            direction: .centralToPeripheral,
            header: 0x0E,
            payload: "170063646566676869 6A6B6C6D6E6F707131 323334353637383930",
            encrypted: "7A70D664 15226DF2 6B17839A 06040559 6BD6564F 796B5B9C E6FF32 F75A6D33"
        ),
        Sample(
            testDescription: "data of the peripheral",
            counter: 1,
            direction: .peripheralToCentral,
            header: 0x06,
            payload: "170037363534333231 304142434445464748 494A4B4C4D4E4F5051",
            encrypted: "F38881E7 BD94C9C3 69B9A668 46DD4786 AA8C39CE 540D0DAE 3ADCDF 89B96088"
        ),
    ]

    @Test("The session of the sample data, Core Vol 6, Part C, 1")
    func session() throws {
        let session = try Self.sampleSession()
        #expect(session.key == (try block("99AD1B5226A37E3E058E3B8E27C2C666")))
        #expect(session.initializationVector == 0xDEAF_BABE_BADC_AB24)
    }

    @Test("The PDUs of the sample data, Core Vol 6, Part C, 1", arguments: samples)
    func sample(_ sample: Sample) throws {
        let session = try Self.sampleSession()
        let payload = try #require([UInt8](hex: sample.payload))
        let encrypted = try #require([UInt8](hex: sample.encrypted))
        var bytes = payload
        var sender = LinkEncryptor(session, direction: sample.direction, packetCounter: sample.counter)
        try sender.encrypt(&bytes, header: sample.header)
        #expect(bytes == encrypted)
        var receiver = LinkDecryptor(session, direction: sample.direction, packetCounter: sample.counter)
        try receiver.decrypt(&bytes, header: sample.header)
        #expect(bytes == payload)
        let counters = (sender.packetCounter, receiver.packetCounter)
        #expect(counters == (sample.counter + 1, sample.counter + 1))
    }

    @Test("All lengths, in any order and far into a session, are what RFC 3610 says")
    func againstReference() throws {
        var random = SeededRandom(seed: 610, purpose: "ccm")
        for start: UInt64 in [0, 0xFF, 0xFFFF_FFF0, (1 << 39) - 300] {
            let session = Self.randomSession(&random)
            let direction: LinkSession.Direction =
                random.chance(.percent(50)) ? .centralToPeripheral : .peripheralToCentral
            var sender = LinkEncryptor(session, direction: direction, packetCounter: start)
            var receiver = LinkDecryptor(session, direction: direction, packetCounter: start)
            var lengths = Array(1...251)
            lengths.shuffle(using: &random)
            for (index, length) in lengths.enumerated() {
                let payload = random.bytes(length)
                let header = UInt8(truncatingIfNeeded: random.next())
                var bytes = payload
                try sender.encrypt(&bytes, header: header)
                let expected = ReferenceCCM.encrypt(
                    payload,
                    header: header,
                    session: session,
                    direction: direction,
                    packetCounter: start + UInt64(index)
                )
                #expect(bytes == expected, "\(length) bytes")
                try receiver.decrypt(&bytes, header: header)
                #expect(bytes == payload, "\(length) bytes")
            }
        }
    }

    @Test("Runs of equal lengths use the key stream made ahead, and each packet its own part of it")
    func runs() throws {
        var random = SeededRandom(seed: 11, purpose: "ccm")
        let session = Self.randomSession(&random)
        var sender = LinkEncryptor(session, direction: .centralToPeripheral)
        var counter: UInt64 = 0
        for length in [1, 16, 17, 27, 251, 240, 27] {
            for _ in 0..<40 {
                var bytes = random.bytes(length)
                let expected = ReferenceCCM.encrypt(
                    bytes,
                    header: 2,
                    session: session,
                    direction: .centralToPeripheral,
                    packetCounter: counter
                )
                try sender.encrypt(&bytes, header: 2)
                #expect(bytes == expected, "packet \(counter)")
                counter += 1
            }
        }
    }

    @Test("What stands before the payload is left alone, in place and when appending")
    func prefix() throws {
        let session = try Self.sampleSession()
        let frame: [UInt8] = [1, 2, 3, 4, 0x0F, 1]
        var inPlace = frame + [6]
        var first = LinkEncryptor(session, direction: .centralToPeripheral)
        try first.encrypt(&inPlace, from: 6, header: 0x0F)
        #expect(inPlace.hex == "010203040f019fcda7f448")
        var appended = frame
        var second = LinkEncryptor(session, direction: .centralToPeripheral)
        try second.encrypt([UInt8(6)].span.bytes, header: 0x0F, appendingTo: &appended)
        #expect(appended == inPlace)

        var packet: [UInt8] = [9, 9]
        var receiver = LinkDecryptor(session, direction: .centralToPeripheral)
        try receiver.decrypt(appended.span.bytes.extracting(6...), header: 0x0F, appendingTo: &packet)
        #expect(packet == [9, 9, 6])
        var again = LinkDecryptor(session, direction: .centralToPeripheral)
        try again.decrypt(&appended, from: 6, header: 0x0F)
        #expect(appended == frame + [6])
    }

    @Test("NESN, SN and MD may change on the way; every other bit of the header may not")
    func header() throws {
        let session = try Self.sampleSession()
        for bit in 0..<8 {
            var bytes: [UInt8] = [6]
            var sender = LinkEncryptor(session, direction: .centralToPeripheral)
            try sender.encrypt(&bytes, header: 0x03)
            var receiver = LinkDecryptor(session, direction: .centralToPeripheral)
            let changed: UInt8 = 0x03 ^ 1 << UInt8(bit)
            if (2...4).contains(bit) {
                try receiver.decrypt(&bytes, header: changed)
                #expect(bytes == [6])
            } else {
                Self.expectRefusal(of: bytes, by: &receiver, header: changed)
            }
        }
    }

    @Test("One bit changed anywhere is refused, leaves the bytes and the counter, and does not spoil the next PDU")
    func tampering() throws {
        let session = try Self.sampleSession()
        let payload = [UInt8](0..<27)
        var sender = LinkEncryptor(session, direction: .peripheralToCentral)
        var encrypted = payload
        try sender.encrypt(&encrypted, header: 2)
        var receiver = LinkDecryptor(session, direction: .peripheralToCentral)
        for bit in 0..<(8 * encrypted.count) {
            var changed = encrypted
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            Self.expectRefusal(of: changed, by: &receiver, header: 2)
        }
        try receiver.decrypt(&encrypted, header: 2)
        #expect(encrypted == payload)
    }

    @Test("A PDU of another key, place, direction or vector is refused")
    func otherSession() throws {
        var random = SeededRandom(seed: 3, purpose: "ccm")
        let session = try Self.sampleSession()
        var encrypted = random.bytes(20)
        var sender = LinkEncryptor(session, direction: .peripheralToCentral, packetCounter: 5)
        try sender.encrypt(&encrypted, header: 2)
        var late = LinkDecryptor(session, direction: .peripheralToCentral, packetCounter: 6)
        Self.expectRefusal(of: encrypted, by: &late, header: 2)
        var reflected = LinkDecryptor(session, direction: .centralToPeripheral, packetCounter: 5)
        Self.expectRefusal(of: encrypted, by: &reflected, header: 2)
        var stranger = LinkDecryptor(Self.randomSession(&random), direction: .peripheralToCentral, packetCounter: 5)
        Self.expectRefusal(of: encrypted, by: &stranger, header: 2)
    }

    @Test("Lengths that no sender makes are refused", arguments: [0, 1, 2, 3, 4, 256, 300])
    func lengths(count: Int) throws {
        var receiver = LinkDecryptor(try Self.sampleSession(), direction: .peripheralToCentral)
        Self.expectRefusal(of: [UInt8](repeating: 0x55, count: count), by: &receiver, header: 2)
    }

    @Test("The last nonce of a session is used; after it nothing is encrypted or decrypted any more")
    func exhaustion() throws {
        let session = try Self.sampleSession()
        let last: UInt64 = (1 << 39) - 1
        var sender = LinkEncryptor(session, direction: .centralToPeripheral, packetCounter: last)
        var receiver = LinkDecryptor(session, direction: .centralToPeripheral, packetCounter: last)
        var bytes: [UInt8] = [1, 2, 3]
        try sender.encrypt(&bytes, header: 2)
        try receiver.decrypt(&bytes, header: 2)
        #expect(bytes == [1, 2, 3])

        var out: [UInt8] = [7]
        do {
            try sender.encrypt(bytes.span.bytes, header: 2, appendingTo: &out)
            Issue.record("a nonce was used twice")
        } catch {
            #expect(error == .packetCounterExhausted)
            #expect(out == [7])
        }
        do {
            try receiver.decrypt([UInt8](repeating: 0, count: 7).span.bytes, header: 2, appendingTo: &out)
            Issue.record("a nonce was used twice")
        } catch {
            #expect(error == .packetCounterExhausted)
            #expect(out == [7])
        }
    }

    @Test("Random bytes never pass and never trap")
    func noise() throws {
        var random = SeededRandom(seed: 1, purpose: "noise")
        var receiver = LinkDecryptor(Self.randomSession(&random), direction: .centralToPeripheral)
        for _ in 0..<2_000 {
            let bytes = random.bytes(Int(random.next(below: 270)))
            Self.expectRefusal(of: bytes, by: &receiver, header: UInt8(truncatingIfNeeded: random.next()))
        }
    }

    static func randomSession(_ random: inout SeededRandom) -> LinkSession {
        LinkSession(
            longTermKey: Block128(high: random.next(), low: random.next()),
            centralDiversifier: random.next(),
            peripheralDiversifier: random.next(),
            centralVector: UInt32(truncatingIfNeeded: random.next()),
            peripheralVector: UInt32(truncatingIfNeeded: random.next())
        )
    }

    /// Both ways of decrypting refuse, give nothing out and do not count.
    static func expectRefusal(of bytes: [UInt8], by receiver: inout LinkDecryptor, header: UInt8) {
        let counter = receiver.packetCounter
        var inPlace = bytes
        var out: [UInt8] = [7]
        do {
            try receiver.decrypt(&inPlace, header: header)
            Issue.record("passed in place: \(bytes.hex)")
        } catch {
            #expect(error == .messageIntegrityCheckFailed)
        }
        do {
            try receiver.decrypt(bytes.span.bytes, header: header, appendingTo: &out)
            Issue.record("passed: \(bytes.hex)")
        } catch {
            #expect(error == .messageIntegrityCheckFailed)
        }
        #expect(inPlace == bytes)
        #expect(out == [7])
        let after = receiver.packetCounter
        #expect(after == counter)
    }
}

/// CCM as RFC 3610 and Core Vol 6, Part E, 2 describe it, a block at a time: what the quick way is held against.
enum ReferenceCCM {
    static func encrypt(
        _ payload: [UInt8],
        header: UInt8,
        session: LinkSession,
        direction: LinkSession.Direction,
        packetCounter: UInt64
    ) -> [UInt8] {
        var nonce = (0..<5).map { UInt8(truncatingIfNeeded: packetCounter >> UInt64(8 * $0)) }
        if direction == .centralToPeripheral { nonce[4] |= 0x80 }
        nonce += (0..<8).map { UInt8(truncatingIfNeeded: session.initializationVector >> UInt64(8 * $0)) }

        var blocks = [[0x49] + nonce + [0, UInt8(payload.count)]]
        blocks.append([0, 1, header & 0xE3] + [UInt8](repeating: 0, count: 13))
        for start in stride(from: 0, to: payload.count, by: 16) {
            let part = Array(payload[start..<min(start + 16, payload.count)])
            blocks.append(part + [UInt8](repeating: 0, count: 16 - part.count))
        }
        var chain = [UInt8](repeating: 0, count: 16)
        for block in blocks { chain = aes(zip(chain, block).map { $0 ^ $1 }, session.key) }

        let stream = (0..<blocks.count).map { aes([0x01] + nonce + [0, UInt8($0)], session.key) }
        let encrypted = payload.enumerated().map { $1 ^ stream[1 + $0 / 16][$0 % 16] }
        return encrypted + zip(chain, stream[0]).map { $0 ^ $1 }.prefix(4)
    }

    private static func aes(_ bytes: [UInt8], _ key: Block128) -> [UInt8] {
        AESBlock.encrypt(key: key, plaintext: Block128(bigEndian: bytes) ?? .zero).bigEndianBytes
    }
}
