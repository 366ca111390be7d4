import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatHost

/// One security manager in each role, each with a hostile peer that knows what comes next.
struct HostilePairing {
    private(set) var random: FuzzInput
    private var pair: SecurityPair
    private(set) var pairings = 0
    private(set) var ended = 0
    /// Whether the two ends talk to each other for a while before each gets a hostile peer.
    private let startsHonestly: Bool

    init(_ input: FuzzInput, seed: UInt64 = 1, startsHonestly: Bool) throws {
        self.startsHonestly = startsHonestly
        random = input
        pair = try Self.fresh(seed, &random)
    }

    private static func fresh(_ seed: UInt64, _ random: inout FuzzInput) throws -> SecurityPair {
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
            // A hostile peer has proven nothing, except where nothing is to be proven.
            if key != nil { hold(end == 1 && startsHonestly) }
        case 5: pair.advance(by: random.next(below: 30) == 0 ? .seconds(31) : .seconds(1))
        case 6 where random.next(below: 10) == 0:
            pair.close()
            hold(pair.isClean)
            pair.open()
            // The peer's address is another one, so to speak.
            pair.advance(by: .seconds(129))
        case 7 where startsHonestly, 8 where startsHonestly: startHonestly()
        case 7...14:
            try? pair.pair()
            pair.receive(1, Self.request)
        case 15:
            try? pair.perform(end) { manager, now, actions in
                try manager.send(.digitEntered, on: SecurityPair.connection, at: now, into: &actions)
            }
        case 16...27: pair.receive(end, sensible(end))
        default: pair.receive(end, FuzzedSMP.pdu(&random))
        }
        if !wasPairing, isPairing(end) { pairings += 1 }
        if wasPairing, !isPairing(end) { ended += 1 }
        // An input makes no storm: the longest answer is five keys.
        hold(pair.sent.count - before <= 8 || startsHonestly)
        if !startsHonestly {
            // A hostile peer proves nothing, so it gets nothing.
            hold(pair.releasedKeys == 0)
            hold(pair.results(0).isEmpty && pair.results(1).isEmpty)
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

    private static let request = SMPPDU.pairingRequest(
        PairingFeatures(
            inputOutput: .noInputNoOutput,
            requirements: [.bonding, .secureConnections],
            initiatorKeys: [],
            responderKeys: []
        )
    )

    private static let key: P256PublicKey = {
        guard let pair = P256KeyPair(privateKey: Block256(high: .zero, low: Way.temporaryKey)) else {
            preconditionFailure("a private key")
        }
        return pair.publicKey
    }()

    mutating func checkWorks() throws {
        pair.close()
        hold(pair.isClean)
        pair.open()
        pair.advance(by: .seconds(129))
        pair.mangle = { _, _, _ in true }
        pair.person = { pair, end, event in pair.honestAnswer(end, event) }
        let way = Way.all[6]
        for end in 0..<2 { try pair.managers[end].set(way.settings[end], on: SecurityPair.connection) }
        try pair.pair()
        hold(pair.results(0).count == 1 && pair.results(1).count == 1)
        hold(pair.results(0).first?.linkKey == pair.linkKey)
        hold(pair.isClean)
    }
}
