import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("Pairing that fails")
struct PairingFailureTests {
    /// What is done to a pairing at one of its steps.
    enum Injection: CaseIterable, Sendable {
        case bitFlipped, firstByteChanged, cutShort, madeLonger, lost, sentTwice, replacedByFailure, disconnected
        case refusedByCentral, refusedByPeripheral
    }

    @Test("A fault at any step of any way leaves both sides clean", arguments: Way.all, Injection.allCases)
    func injections(_ way: Way, _ injection: Injection) throws {
        var whole = try way.pair()
        try whole.pair()
        let firstKey = whole.sent.firstIndex { (0x06...0x0A).contains($0.pdu[0]) } ?? whole.sent.count
        for step in whole.sent.indices {
            try inject(injection, way, at: step, keysFrom: firstKey)
        }
    }

    private func inject(_ injection: Injection, _ way: Way, at step: Int, keysFrom firstKey: Int) throws {
        var pair = try way.pair()
        let what = "\(way.name), step \(step), \(injection)"
        var twice: (Int, [UInt8])?
        var isCut = false
        pair.mangle = { number, from, pdu in
            if isCut { return false }
            guard number == step else { return true }
            switch injection {
            case .bitFlipped: pdu[pdu.count - 1] ^= 0x01
            case .firstByteChanged: pdu[0] ^= 0x07
            case .cutShort: pdu.removeLast()
            case .madeLonger: pdu.append(0)
            case .lost: return false
            case .sentTwice: twice = (1 - from, pdu)
            case .replacedByFailure: pdu = [0x05, 0x08]
            case .disconnected, .refusedByCentral, .refusedByPeripheral: isCut = true
            }
            return true
        }
        try pair.pair()
        if let twice { pair.receive(twice.0, twice.1) }
        switch injection {
        case .disconnected: pair.close()
        case .refusedByCentral: try? pair.answer(0, .refuse)
        case .refusedByPeripheral: try? pair.answer(1, .refuse)
        default: break
        }
        isCut = false
        // Whoever still waits for something gives up after 30 s.
        pair.advance(by: .seconds(30))
        pair.advance(by: .seconds(30))
        #expect(pair.isClean, "\(what)")
        for end in 0..<2 {
            let ends = pair.events[end].count { $0.isEnd }
            // One end for each pairing; a central whose first PDU was lost on the way has one, its peer none.
            #expect(ends <= 1 || injection == .sentTwice && ends <= 2, "\(what): \(pair.events[end])")
            #expect(end == 1 || ends >= 1, "\(what)")
        }
        let (first, second) = (pair.results(0).first, pair.results(1).first)
        if let first, let second {
            // Nothing that the mathematics covers was touched.
            #expect(first.linkKey == second.linkKey, "\(what)")
        } else if injection != .sentTwice, step < firstKey {
            #expect(first == nil && second == nil, "\(what)")
        }
        // A commitment, a nonce, a public key and a check count in every bit.
        if injection == .bitFlipped, [0x03, 0x04, 0x0C, 0x0D].contains(pair.sent[step].pdu[0]) {
            #expect(first == nil && second == nil, "\(what)")
        }
    }

    // MARK: What people do

    @Test(
        "A wrong passkey is noticed, in Secure Connections in the round of the first wrong bit",
        arguments: Way.all.filter(\.isPasskey)
    )
    func wrongPasskey(_ way: Way) throws {
        for bit in [0, 1, 10, 19] as [UInt32] {
            let right = try #require(Passkey(0b0101_0101))
            let wrong = try #require(Passkey(right.value ^ 1 << bit))
            var pair = try way.pair { settings in for end in 0..<2 { settings[end].passkey = .fixed(right) } }
            let typist = way.method == .passkeyEntry(shownBy: .central) ? 1 : 0
            pair.person = { pair, end, event in
                guard case .passkeyRequested = event else { return nil }
                return .passkey(end == typist ? wrong : right)
            }
            try pair.pair()
            #expect(pair.sent.last?.pdu == [0x05, 0x04], "bit \(bit)")
            #expect(pair.results(0).isEmpty && pair.results(1).isEmpty && pair.releasedKeys == 0)
            if way.isSecure { #expect(pair.sent.count { $0.pdu[0] == 0x03 } == 2 * (Int(bit) + 1), "bit \(bit)") }
            #expect(pair.isClean)
        }
    }

    @Test("A person who says no ends the pairing with the reason of the question", arguments: [0, 1])
    func refusals(_ end: Int) throws {
        for (way, reason) in Way.all.compactMap({ way -> (Way, PairingFailureReason)? in
            switch way.method {
            case .numericComparison: (way, .numericComparisonFailed)
            case .passkeyEntry: (way, .passkeyEntryFailed)
            default: nil
            }
        }) {
            var pair = try way.pair()
            pair.person = { _, _, _ in nil }
            try pair.pair()
            try pair.answer(end, .refuse)
            #expect(pair.failures(end) == [.refused(reason)], "\(way.name)")
            #expect(pair.failures(1 - end) == [.refusedByPeer(reason)], "\(way.name)")
            #expect(pair.sent.last?.pdu == [0x05, reason.rawValue], "\(way.name)")
            #expect(pair.isClean)
        }
    }

    @Test("The other person's yes is not enough", arguments: [0, 1])
    func oneAgrees(_ end: Int) throws {
        var pair = try Way.all[6].pair()
        pair.person = { _, asked, _ in asked == end ? .agree : nil }
        try pair.pair()
        #expect(pair.releasedKeys == 0)
        #expect(pair.results(0).isEmpty && pair.results(1).isEmpty)
        try pair.answer(1 - end, .agree)
        #expect(pair.results(0).count == 1 && pair.results(1).count == 1)
    }

    @Test("Answers to questions that nobody asked are refused")
    func notAsked() throws {
        var pair = try Way.all[6].pair()
        #expect(throws: PairingOrderError.notAsked) { try pair.answer(0, .agree) }
        pair.person = { _, _, _ in nil }
        try pair.pair()
        let passkey = try #require(Passkey(1))
        #expect(throws: PairingOrderError.notAsked) { try pair.answer(0, .passkey(passkey)) }
        try pair.answer(0, .agree)
        #expect(throws: PairingOrderError.notAsked) { try pair.answer(0, .agree) }
        try pair.answer(1, .agree)
        #expect(pair.results(0).count == 1)
    }

    // MARK: Time

    @Test("After 30 s of silence a pairing is over, and SMP on this connection too", arguments: Way.all)
    func timeout(_ way: Way) throws {
        var whole = try way.pair()
        try whole.pair()
        for step in [0, 1, 2, 3, whole.sent.count - 1] {
            var pair = try way.pair()
            pair.mangle = { number, _, _ in number < step }
            try pair.pair()
            let waiting = (0..<2).filter { pair.managers[$0].nextDeadline != nil }
            #expect(waiting.allSatisfy { pair.managers[$0].nextDeadline == .zero + .seconds(30) })
            pair.advance(by: .seconds(30) - .nanoseconds(1))
            #expect(pair.failures(0) == [] && pair.failures(1) == [])
            let sent = pair.sent.count
            pair.advance(by: .nanoseconds(1))
            #expect(pair.sent.count == sent, "nothing is said after a timeout")
            for end in waiting { #expect(pair.failures(end) == [.timedOut], "\(way.name), step \(step)") }
            #expect(pair.isClean)

            // No more on this connection, whoever asks.
            for end in waiting {
                pair.receive(end, end == 0 ? .securityRequest([]) : Self.request)
                pair.receive(end, [0x01])
                #expect(pair.sent.count == sent)
            }
            if waiting.contains(0) { #expect(throws: PairingOrderError.timedOutBefore) { try pair.pair() } }
        }
    }

    @Test("A new connection pairs again after a timeout")
    func afterTimeout() throws {
        var pair = try Way.all[5].pair()
        pair.mangle = { number, _, _ in number != 3 }
        try pair.pair()
        pair.advance(by: .seconds(30))
        pair.close()
        pair.open()
        pair.mangle = { _, _, _ in true }
        pair.advance(by: .seconds(1))
        try pair.pair()
        #expect(pair.results(0).count == 1 && pair.results(1).count == 1)
    }

    @Test("The timer starts again with every PDU that is sent")
    func timerRestarts() throws {
        var pair = try Way.all[6].pair()
        pair.person = { _, _, _ in nil }
        try pair.pair()
        pair.advance(by: .seconds(20))
        try pair.answer(0, .agree)
        #expect(pair.managers[0].nextDeadline == .zero + .seconds(50))
        #expect(pair.managers[1].nextDeadline == .zero + .seconds(30))
        try pair.answer(1, .agree)
        #expect(pair.results(1).count == 1)
        #expect(pair.managers[1].nextDeadline == nil)
    }

    @Test("Failed attempts make the next ones wait, twice as long each time, on both sides")
    func repeatedAttempts() throws {
        var pair = try Way.all[6].pair()
        pair.person = { _, _, _ in .refuse }
        var wait = TimeSpan.seconds(1)
        for _ in 0..<10 {
            try pair.pair()
            #expect(pair.sent.last?.pdu == [0x05, 0x0C])
            #expect(throws: PairingOrderError.repeatedAttempts) { try pair.pair() }
            pair.receive(1, Self.request)
            #expect(pair.sent.last?.pdu == [0x05, 0x09])
            // A disconnection does not help.
            pair.close()
            pair.open()
            pair.advance(by: wait - .nanoseconds(1))
            pair.receive(1, Self.request)
            #expect(pair.sent.last?.pdu == [0x05, 0x09])
            #expect(pair.isClean)
            pair.advance(by: .nanoseconds(1))
            wait = min(wait * 2, .seconds(128))
        }
        // A success forgives all.
        pair.person = { pair, end, event in pair.honestAnswer(end, event) }
        pair.events = [[], []]
        try pair.pair()
        #expect(pair.results(0).count == 1)
        try pair.pair()
        #expect(pair.results(0).count == 2)
        pair.person = { _, _, _ in .refuse }
        try pair.pair()
        #expect(throws: PairingOrderError.repeatedAttempts) { try pair.pair() }
        pair.advance(by: .seconds(1))
        try pair.pair()
        #expect(pair.sent.last?.pdu == [0x05, 0x0C])
    }

    @Test("Hanging up in the middle counts as an attempt; a refusal before anything was proven does not")
    func attempts() throws {
        var pair = try Way.all[8].pair()
        pair.person = { _, _, _ in nil }
        try pair.pair()
        pair.close()
        pair.open()
        #expect(throws: PairingOrderError.repeatedAttempts) { try pair.pair() }

        var other = try Way.all[5].pair { $0[1].acceptsRequests = false }
        try other.pair()
        #expect(other.sent.last?.pdu == [0x05, 0x05])
        try other.pair()
        #expect(other.sent.last?.pdu == [0x05, 0x05])
    }

    @Test("The list of failed attempts is bounded, and forgets")
    func attemptList() {
        var attempts = RepeatedAttempts()
        var now = Instant.zero
        let first = DeviceAddress(value: 0, kind: .public)
        for number in 0..<1_000 as Range<UInt64> {
            attempts.recordFailure(of: DeviceAddress(value: number, kind: .public), at: now)
            now += .microseconds(1)
        }
        #expect(!attempts.isWaiting(first, at: now))
        #expect(attempts.isWaiting(DeviceAddress(value: 999, kind: .public), at: now))
        #expect(!attempts.isWaiting(DeviceAddress(value: 999, kind: .random), at: now))
        for _ in 0..<20 { attempts.recordFailure(of: first, at: now) }
        #expect(attempts.isWaiting(first, at: now + .seconds(128) - .nanoseconds(1)))
        now += .seconds(256)
        attempts.recordFailure(of: first, at: now)
        #expect(!attempts.isWaiting(first, at: now + .seconds(1)))
    }

    // MARK: The link

    @Test("A link that is not encrypted with the new key fails the pairing, and no key is given", arguments: Way.all)
    func encryptionFails(_ way: Way) throws {
        var pair = try way.pair()
        pair.encryptionResult = .pinOrKeyMissing
        try pair.pair()
        #expect(!pair.sent.contains { (0x06...0x0A).contains($0.pdu[0]) })
        #expect(pair.results(0).isEmpty && pair.results(1).isEmpty)
        #expect(pair.failures(1).first == .encryptionFailed(.pinOrKeyMissing))
        #expect(pair.isClean)
    }

    @Test("A peripheral gives its key only when asked with EDIV and Rand zero, and only while the pairing needs it")
    func longTermKeyRequests() throws {
        var pair = try Way.all[5].pair()
        func key(_ identification: CentralIdentification) -> LongTermKey? {
            pair.managers[1].longTermKey(for: identification, on: SecurityPair.connection)
        }
        #expect(key(.none) == nil)
        // The central never gets the last PDU, so that the peripheral goes on waiting for the request.
        pair.mangle = { _, from, pdu in !(from == 1 && pdu[0] == 0x0D) }
        try pair.pair()
        #expect(key(CentralIdentification(encryptedDiversifier: 1, random: 0)) == nil)
        #expect(key(CentralIdentification(encryptedDiversifier: 0, random: 1)) == nil)
        // Encrypted with some other key: no reason to give keys away.
        pair.perform(1) { manager, now, actions in
            manager.encryptionChanged(to: .success, on: SecurityPair.connection, at: now, into: &actions)
        }
        #expect(!pair.sent.contains { (0x06...0x0A).contains($0.pdu[0]) })
        #expect(key(.none) != nil)
        pair.receive(1, .pairingFailed(.unspecified))
        #expect(key(.none) == nil)
        #expect(pair.managers[1].nextDeadline == nil)
    }

    @Test("A central gives its key to its own controller and to nobody who asks", arguments: Way.all)
    func neverEncrypted(_ way: Way) throws {
        var pair = try way.pair()
        pair.neverEncrypts = true
        try pair.pair()
        #expect(pair.releasedKeys == 1)
        #expect(pair.managers[0].longTermKey(for: .none, on: SecurityPair.connection) == nil)
        pair.advance(by: .seconds(30))
        #expect(pair.failures(0) == [.timedOut] && pair.failures(1) == [.timedOut])
        #expect(pair.isClean)
    }

    @Test("A peer that gives a longer key than was agreed on is taken at the agreed length")
    func longKey() throws {
        var pair = try Way.all[0].pair { settings in for end in 0..<2 { settings[end].maximumKeySize = 7 } }
        pair.mangle = { _, _, pdu in
            if pdu[0] == 0x06 { pdu = [0x06] + [UInt8](repeating: 0xFF, count: 16) }
            return true
        }
        try pair.pair()
        let key = Block128(high: 0, low: 0x00FF_FFFF_FFFF_FFFF)
        #expect(pair.results(0).first?.keyAsCentral?.value == key)
        #expect(pair.results(1).first?.keyAsCentral?.value == key)
    }

    @Test("A key that comes before the link is encrypted, or out of order, ends the pairing")
    func earlyKeys() throws {
        var pair = try Way.all[5].pair()
        pair.mangle = { _, from, pdu in !(from == 1 && pdu[0] == 0x0D) }
        try pair.pair()
        pair.receive(1, .identityInformation(.zero))
        #expect(pair.failures(1) == [.refused(.unspecified)])
        #expect(pair.isClean)

        var swapped = try Way.all[5].pair()
        swapped.mangle = { _, from, pdu in
            if from == 1, pdu[0] == 0x08 { pdu[0] = 0x0A }
            return true
        }
        try swapped.pair()
        #expect(swapped.failures(0) == [.refused(.unspecified)])
        #expect(swapped.results(0).isEmpty && swapped.results(1).isEmpty)
        #expect(swapped.isClean)
    }

    @Test("A peer that claims to be this very device is refused")
    func stolenIdentity() throws {
        var pair = try Way.all[5].pair()
        pair.managers[1].set(SecurityPair.identities[0])
        try pair.pair()
        #expect(pair.failures(0) == [.refused(.keyRejected)])
        #expect(pair.sent.last?.pdu == [0x05, 0x0F])
    }

    static let request = SMPPDU.pairingRequest(
        PairingFeatures(
            inputOutput: .noInputNoOutput,
            requirements: [.bonding, .secureConnections],
            initiatorKeys: [],
            responderKeys: []
        )
    )
}
