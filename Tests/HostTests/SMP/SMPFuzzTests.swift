import BluetoothCrypto
import BluetoothValues
import ByteCoding
import Testing
import VirtualTime

@testable import Host

/// PDUs in any state, any order, any length, with people who say anything and controllers that do anything. Nothing may
/// trap, no key is released that was not agreed on, and afterwards all works as before.
@Suite("Fuzz: SMP")
struct SMPFuzzTests {
    @Test("Decoders take any bytes, and write again what they understood")
    func decoders() {
        var random = SeededRandom(seed: 1, purpose: "SMP decoder fuzz")
        var understood = 0
        for _ in 0..<Fuzzing.inputs {
            let bytes = Self.pdu(&random)
            if let pdu = try? SMPPDU(parsing: bytes.span.bytes) {
                understood += 1
                #expect(pdu.bytes == bytes)
            }
        }
        #expect(understood > Fuzzing.inputs / 10)
    }

    @Test(
        "One end takes anything in any order, from the beginning or after an honest start, and is clean after it",
        arguments: 0..<8 as Range<UInt64>
    )
    func machine(seed: UInt64) throws {
        var fuzz = try SecurityFuzz(seed: seed, startsHonestly: seed % 2 == 1)
        for _ in 0..<(Fuzzing.inputs / 8) { try fuzz.step() }
        try fuzz.checkWorks()
        // How far it came says something only if it had time to come far.
        guard Fuzzing.inputs >= 40_000 else { return }
        #expect(fuzz.pairings > Fuzzing.inputs / 1_000, "seed \(seed)")
        #expect(fuzz.ended > Fuzzing.inputs / 1_000, "seed \(seed)")
    }

    @Test("Two ends on a line that damages PDUs never end with different keys", arguments: 0..<10 as Range<UInt64>)
    func damagedLine(seed: UInt64) throws {
        var random = SeededRandom(seed: seed, purpose: "damaged SMP line")
        var finished = 0
        for round in 0..<UInt64(Fuzzing.inputs / 1_000) {
            let way = Way.all[Int(random.next(below: UInt64(Way.all.count)))]
            var pair = try way.pair(seed: seed << 32 | round)
            var line = SeededRandom(seed: seed, device: round, purpose: "damaged SMP line")
            pair.mangle = { _, _, pdu in
                if line.next(below: 12) == 0 { Self.damage(&pdu, &line) }
                return line.next(below: 50) != 0
            }
            try pair.pair()
            pair.advance(by: .seconds(30))
            pair.advance(by: .seconds(30))
            #expect(pair.isClean, "seed \(seed), round \(round)")
            if let central = pair.results(0).first, let peripheral = pair.results(1).first {
                finished += 1
                #expect(central.linkKey == peripheral.linkKey, "seed \(seed), round \(round)")
                #expect(central.linkKey == pair.linkKey, "seed \(seed), round \(round)")
            }
        }
        if Fuzzing.inputs >= 50_000 { #expect(finished > 0, "seed \(seed)") }
    }

    // MARK: Inputs

    /// Bytes that are often nearly a PDU.
    static func pdu(_ random: inout SeededRandom) -> [UInt8] {
        switch random.next(below: 8) {
        case 0: return random.bytes(Int(random.next(below: 70)))
        case 1:
            return [UInt8(truncatingIfNeeded: random.next(below: 16))] + random.bytes(Int(random.next(below: 66)))
        default:
            var bytes = SMPExample.all[Int(random.next(below: UInt64(SMPExample.all.count)))].bytes
            switch random.next(below: 3) {
            case 0: damage(&bytes, &random)
            case 1: bytes = [bytes[0]] + random.bytes(bytes.count - 1)
            default: break
            }
            return bytes
        }
    }

    static func damage(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        for _ in 0...random.next(below: 3) {
            let place = Int(random.next(below: UInt64(bytes.count + 1)))
            switch random.next(below: 5) {
            case 0: bytes.removeLast(min(bytes.count, place))
            case 1: bytes.append(contentsOf: random.bytes(Int(random.next(below: 30))))
            case 2 where place < bytes.count: bytes.remove(at: place)
            case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.next(below: 8))
            default: if place < bytes.count { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
            }
        }
    }
}

/// One security manager in each role, each with a peer that is mad but knows what comes next.
private struct SecurityFuzz {
    private var random: SeededRandom
    private var pair: SecurityPair
    private(set) var pairings = 0
    private(set) var ended = 0
    /// Whether the two ends talk to each other for a while before each gets a mad peer.
    private let startsHonestly: Bool

    init(seed: UInt64, startsHonestly: Bool) throws {
        self.startsHonestly = startsHonestly
        random = SeededRandom(seed: seed, purpose: "SMP machine fuzz")
        pair = try Self.fresh(seed, &random)
    }

    private static func fresh(_ seed: UInt64, _ random: inout SeededRandom) throws -> SecurityPair {
        let ways = [Int](0..<2).map { _ in Way.all[Int(random.next(below: UInt64(Way.all.count)))] }
        var settings = [ways[0].settings[0], ways[1].settings[1]]
        for end in 0..<2 {
            settings[end].asksConsent = random.next(below: 4) == 0
            settings[end].keypressNotifications = random.next(below: 2) == 0
            settings[end].minimumKeySize = 7 + Int(random.next(below: 4))
            settings[end].acceptsDebugKey = random.next(below: 2) == 0
            if random.next(below: 3) == 0 {
                settings[end].outOfBand = ReceivedOutOfBand(
                    temporaryKey: Way.temporaryKey,
                    secureConnections: OutOfBandData(confirm: .zero, random: .zero)
                )
            }
        }
        var pair = SecurityPair(settings, seed: seed)
        // Nothing that one says reaches the other: each has a peer of its own.
        pair.mangle = { _, _, _ in false }
        pair.person = { _, _, _ in nil }
        if random.next(below: 2) == 0 { _ = pair.managers[0].makeOutOfBandData() }
        if random.next(below: 2) == 0 { _ = pair.managers[1].makeOutOfBandData() }
        return pair
    }

    mutating func step() throws {
        let end = Int(random.next(below: 2))
        let before = pair.sent.count
        let wasPairing = isPairing(end)
        switch random.next(below: 40) {
        case 0: try? pair.answer(end, .agree)
        case 1: try? pair.answer(end, .passkey(random.next(below: 2) == 0 ? Passkey(0)! : Passkey(999_999)!))
        case 2: if random.next(below: 8) == 0 { try? pair.answer(end, .refuse) }
        case 3:
            // Whatever the controller says, without having been asked.
            let result: ControllerError = random.next(below: 4) == 0 ? .pinOrKeyMissing : .success
            pair.perform(end) { manager, now, actions in
                manager.encryptionChanged(to: result, on: SecurityPair.connection, at: now, into: &actions)
            }
        case 4:
            let key = pair.managers[end].longTermKey(for: .none, on: SecurityPair.connection)
            // A mad peer has proven nothing, except where nothing is to be proven.
            if key != nil { #expect(end == 1 && startsHonestly) }
        case 5: pair.advance(by: random.next(below: 30) == 0 ? .seconds(31) : .seconds(1))
        case 6 where random.next(below: 10) == 0:
            pair.close()
            #expect(pair.isClean)
            pair.open()
            // The peer's address is another one, so to speak.
            pair.advance(by: .seconds(129))
        case 7 where startsHonestly, 8 where startsHonestly: startHonestly()
        case 7...14:
            try? pair.pair()
            pair.receive(1, PairingFailureTests.request)
        case 15:
            try? pair.perform(end) { manager, now, actions in
                try manager.send(.digitEntered, on: SecurityPair.connection, at: now, into: &actions)
            }
        case 16...27: pair.receive(end, sensible(end))
        default: pair.receive(end, SMPFuzzTests.pdu(&random))
        }
        if !wasPairing, isPairing(end) { pairings += 1 }
        if wasPairing, !isPairing(end) { ended += 1 }
        // An input makes no storm: the longest answer is five keys.
        #expect(pair.sent.count - before <= 8 || startsHonestly)
        if !startsHonestly {
            // A mad peer proves nothing, so it gets nothing.
            #expect(pair.releasedKeys == 0)
            #expect(pair.results(0).isEmpty && pair.results(1).isEmpty)
        }
        pair.events = [[], []]
        pair.sent.removeAll(keepingCapacity: true)
        pair.queue.removeAll()
    }

    /// Both talk to each other, with people who say what is right, until the line breaks.
    private mutating func startHonestly() {
        let limit = pair.sent.count + Int(random.next(below: 24))
        pair.mangle = { number, _, _ in number < limit }
        pair.person = { pair, end, event in pair.honestAnswer(end, event) }
        pair.advance(by: .seconds(129))
        try? pair.pair()
        pair.mangle = { _, _, _ in false }
        pair.person = { _, _, _ in nil }
    }

    private func isPairing(_ end: Int) -> Bool { pair.managers[end].nextDeadline != nil }

    /// A PDU that could be right, of some way to pair.
    private mutating func sensible(_ end: Int) -> SMPPDU {
        let block = Block128(high: random.next(), low: random.next())
        let features = PairingFeatures(
            inputOutput: IOCapability.allCases[Int(random.next(below: 5))],
            hasOutOfBandData: random.next(below: 4) == 0,
            requirements: AuthenticationRequirements(rawValue: UInt8(truncatingIfNeeded: random.next())),
            maximumKeySize: random.next(below: 8) == 0 ? 7 : 16,
            initiatorKeys: KeyDistribution(rawValue: end == 0 ? 0 : 7),
            responderKeys: KeyDistribution(rawValue: end == 0 ? 1 : 7)
        )
        switch random.next(below: 7) {
        case 0: return end == 0 ? .pairingResponse(features) : .pairingRequest(features)
        case 1:
            // One key for all, since making them is what takes time; or the one that was sent.
            let key = random.next(below: 8) == 0 ? P256KeyPair.debug.publicKey : Self.key
            return .pairingPublicKey(PairingPublicKey(x: key.x, y: key.y))
        case 2, 3: return .pairingConfirm(block)
        case 4, 5: return .pairingRandom(block)
        default: return .pairingDHKeyCheck(block)
        }
    }

    private static let key: P256PublicKey = {
        guard let pair = P256KeyPair(privateKey: Block256(high: .zero, low: Way.temporaryKey)) else {
            preconditionFailure("a private key")
        }
        return pair.publicKey
    }()

    mutating func checkWorks() throws {
        pair.close()
        #expect(pair.isClean)
        pair.open()
        pair.advance(by: .seconds(129))
        pair.mangle = { _, _, _ in true }
        pair.person = { pair, end, event in pair.honestAnswer(end, event) }
        let way = Way.all[6]
        for end in 0..<2 { try pair.managers[end].set(way.settings[end], on: SecurityPair.connection) }
        try pair.pair()
        #expect(pair.results(0).count == 1 && pair.results(1).count == 1)
        #expect(pair.results(0).first?.linkKey == pair.linkKey)
        #expect(pair.isClean)
    }
}
