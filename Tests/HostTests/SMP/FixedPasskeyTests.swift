import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// A passkey that is always the same, and people who want to find it. Each attempt at one of LE Secure Connections tells
/// in which round it failed, and so another bit at least.
@Suite("A passkey that is always the same")
struct FixedPasskeyTests {
    /// A central that types, and a peripheral that always shows the same digits.
    private static func pair(_ passkey: UInt32, secure: Bool = true) throws -> SecurityPair {
        let digits = try #require(Passkey(passkey))
        let name = secure ? "passkey, peripheral shows" : "legacy passkey, peripheral shows"
        let way = try #require(Way.all.first { $0.name == name })
        return try way.pair { $0[1].passkey = .fixed(digits) }
    }

    private static func stranger(_ number: Int) -> DeviceAddress {
        DeviceAddress(value: 0xC000_0000_0000 | UInt64(number), kind: .random)
    }

    /// A stranger that has not been seen before takes the place of the central.
    private static func replaceCentral(of pair: inout SecurityPair, _ number: Int) {
        pair.close()
        pair.managers[0].attempts = RepeatedAttempts()
        pair.events = [[], []]
        pair.sent = []
        pair.open(central: stranger(number))
    }

    /// What the attacker tries next: in the round whose bit was wrong, the other bit.
    private static func nextGuess(after guess: UInt32, _ pair: borrowing SecurityPair) -> UInt32 {
        let rounds = pair.sent.count { $0.from == 0 && $0.pdu[0] == 0x04 }
        return rounds > 0 ? guess ^ 1 << UInt32(rounds - 1) : guess
    }

    /// What comes of half an hour of attempts, again and again, at a passkey.
    ///
    /// - Parameter arrive: takes the central's place for the next attempt, of which so many came before.
    private static func search(
        arriving arrive: (inout SecurityPair, Int) throws -> Void
    ) throws -> (attempts: Int, refused: Int, isFound: Bool) {
        var pair = try Self.pair(876_543)
        var guess: UInt32 = 0
        var attempts = 0, refused = 0
        while pair.now < .zero + .seconds(1_800), pair.results(1).isEmpty {
            try arrive(&pair, attempts + refused)
            let typed = try #require(Passkey(guess))
            pair.person = { _, end, _ in end == 0 ? .passkey(typed) : nil }
            try pair.pair()
            if pair.sent.last?.pdu == [0x05, 0x09] {
                refused += 1
                pair.advance(by: .seconds(1))
            } else {
                attempts += 1
                guess = nextGuess(after: guess, pair)
            }
        }
        return (attempts, refused, !pair.results(1).isEmpty)
    }

    @Test("Who takes a new address for each attempt waits all the same: in half an hour the passkey is not found")
    func newAddresses() throws {
        let (attempts, refused, isFound) = try Self.search { Self.replaceCentral(of: &$0, $1) }
        #expect(!isFound)
        #expect(attempts == 11 && refused > 1_000)
    }

    @Test("The attack works where no peer has to wait: what holds is the wait")
    func withoutWaiting() throws {
        var pair = try Self.pair(876_543)
        var guess: UInt32 = 0
        var attempts = 0
        while pair.results(1).isEmpty, attempts < 30 {
            Self.replaceCentral(of: &pair, attempts)
            pair.managers[1].fixedPasskeyAttempts = FixedPasskeyAttempts()
            let typed = try #require(Passkey(guess))
            pair.person = { _, end, _ in end == 0 ? .passkey(typed) : nil }
            try pair.pair()
            attempts += 1
            guess = Self.nextGuess(after: guess, pair)
        }
        #expect(pair.results(1).count == 1 && attempts <= 21)
    }

    @Test("Legacy pairing with such a passkey makes strangers wait as well", arguments: [true, false])
    func everybodyWaits(_ secure: Bool) throws {
        var pair = try Self.pair(4_711, secure: secure)
        var wait = TimeSpan.seconds(1)
        for number in 0..<14 {
            Self.replaceCentral(of: &pair, number)
            pair.person = { _, end, _ in end == 0 ? Passkey(1).map { .passkey($0) } : nil }
            try pair.pair()
            #expect(pair.sent.last?.pdu == [0x05, 0x04])
            for late in [TimeSpan.zero, wait - .nanoseconds(1)] {
                Self.replaceCentral(of: &pair, 100 + number)
                pair.advance(by: late)
                try pair.pair()
                #expect(pair.sent.last?.pdu == [0x05, 0x09])
            }
            pair.advance(by: .nanoseconds(1))
            wait = min(wait * 2, FixedPasskeyAttempts.longestWait)
        }
        // Who knows it puts an end to the waiting.
        Self.replaceCentral(of: &pair, 200)
        pair.person = { pair, end, event in pair.honestAnswer(end, event) }
        try pair.pair()
        #expect(pair.results(1).count == 1)
        Self.replaceCentral(of: &pair, 201)
        try pair.pair()
        #expect(pair.results(1).count == 1)
    }

    @Test("No peer waits at a passkey that is drawn anew, or at another method")
    func others() throws {
        var fresh = try Self.pair(4_711)
        for end in 0..<2 { fresh.managers[end].settings.passkey = .fresh }
        for number in 0..<5 {
            Self.replaceCentral(of: &fresh, number)
            fresh.person = { _, end, _ in end == 0 ? Passkey(1).map { .passkey($0) } : nil }
            try fresh.pair()
            #expect(fresh.sent.last?.pdu == [0x05, 0x04])
        }
        var other = try Self.pair(4_711)
        other.person = { _, end, _ in end == 0 ? Passkey(1).map { .passkey($0) } : nil }
        try other.pair()
        Self.replaceCentral(of: &other, 1)
        var justWorks = other.managers[0].settings
        justWorks.inputOutput = .noInputNoOutput
        try other.pair(justWorks)
        #expect(other.results(1).first?.method == .justWorks)
    }

    @Test("One at a time: a peer that begins while another one is at it is told to come back")
    func together() throws {
        var pair = try Self.pair(4_711)
        pair.person = { _, _, _ in nil }
        try pair.pair()
        let second = ConnectionID(handle: try #require(ConnectionHandle(rawValue: 9)), generation: 9)
        pair.managers[1].open(
            second,
            role: .peripheral,
            own: SecurityPair.addresses[1],
            peer: Self.stranger(1)
        )
        let request = pair.sent[0].pdu
        var actions = SecurityActions()
        pair.managers[1].handlePDU(request.span.bytes, on: second, at: pair.now, into: &actions)
        #expect(actions.sent == [[0x05, 0x09]])
        // The first has not failed by that.
        pair.person = { pair, end, event in pair.honestAnswer(end, event) }
        try pair.answer(0, .passkey(try #require(Passkey(4_711))))
        #expect(pair.results(1).count == 1)
        var later = SecurityActions()
        pair.managers[1].handlePDU(request.span.bytes, on: second, at: pair.now, into: &later)
        #expect(later.sent.first?.first == 0x02)
    }

    // first                       host                      second
    //   |--- Pairing Request ------->|                          |
    //   |<-- Pairing Response -------|                          |
    //   |                            |<------ Pairing Request --|
    //   |                            |-- Pairing Failed 0x09 -->|
    //   |--- Pairing Failed -------->|                          |
    //   |                            |<------ Pairing Request --|
    //   |                            |------ Pairing Response ->|
    @Test(
        "One at a time, on a whole host: its links know of each other, and the second has its turn when the first is over"
    )
    func togetherOnOneHost() throws {
        let digits = try #require(Passkey(4_711))
        var bench = HostBench.up {
            $0.pairing.inputOutput = .displayOnly
            $0.pairing.passkey = .fixed(digits)
        }
        func connect(_ handle: UInt16) throws -> ConnectionID {
            bench.connectionComplete(handle: handle, peer: Self.stranger(Int(handle)))
            return try #require(bench.connections().first)
        }
        let (first, second) = (try connect(0x40), try connect(0x41))
        /// The host's answer to a PDU of the Security Manager, without headers; nil if it sends nothing on this link.
        func answer(to pdu: [UInt8], on link: ConnectionID) -> ArraySlice<UInt8>? {
            bench.controller.forget()
            bench.receiveFrame(pdu, channel: 0x06, on: link)
            guard let frame = bench.controller.data.last, frame[1] == UInt8(link.handle.rawValue & 0xFF) else {
                return nil
            }
            return frame.dropFirst(9)
        }
        // Keyboard, no data out of band, bonding and MITM, 16 bytes, no keys: legacy pairing by passkey.
        let request: [UInt8] = [0x01, 0x02, 0x00, 0x05, 0x10, 0x00, 0x00]
        #expect(answer(to: request, on: first)?.first == 0x02)
        #expect(answer(to: request, on: second) == [0x05, 0x09])
        #expect(answer(to: [0x05, 0x08], on: first) == nil)
        bench.run(for: .seconds(2))
        #expect(answer(to: request, on: second)?.first == 0x02)
    }

    /// A bond's key, made by passkey or by Just Works.
    private static func key(isAuthenticated: Bool) -> LongTermKey {
        LongTermKey(
            value: Block128(high: 1, low: 2),
            identification: .none,
            size: 16,
            isAuthenticated: isAuthenticated,
            isSecureConnections: true
        )
    }

    @Test(
        "A peer that has shown the key of an authenticated bond does not wait for others; one that has bonded by Just Works does",
        arguments: [true, false]
    )
    func proven(isAuthenticated: Bool) throws {
        var pair = try Self.pair(4_711)
        for _ in 0..<8 { pair.managers[1].fixedPasskeyAttempts.recordFailure(at: pair.now) }
        try pair.pair()
        #expect(pair.sent.last?.pdu == [0x05, 0x09])
        try pair.managers[1].prove(Self.key(isAuthenticated: isAuthenticated), on: SecurityPair.connection)
        pair.sent = []
        try pair.pair()
        #expect(pair.results(1).count == (isAuthenticated ? 1 : 0))
        #expect(isAuthenticated || pair.sent.last?.pdu == [0x05, 0x09])
    }

    @Test("A peer that has shown the key of its bond does not wait under its own address", arguments: [true, false])
    func provenUnderItsAddress(isAuthenticated: Bool) throws {
        var pair = try Self.pair(4_711)
        for _ in 0..<8 { pair.managers[1].attempts.recordFailure(of: SecurityPair.addresses[0], at: pair.now) }
        try pair.pair()
        #expect(pair.sent.last?.pdu == [0x05, 0x09])
        try pair.managers[1].prove(Self.key(isAuthenticated: isAuthenticated), on: SecurityPair.connection)
        pair.sent = []
        try pair.pair()
        #expect(pair.results(1).count == 1)
    }

    @Test(
        "Who has bonded by Just Works first, and shows that key before each attempt, does not find the passkey either"
    )
    func behindABond() throws {
        let (attempts, refused, isFound) = try Self.search { pair, _ in
            // The same address each time: it is that of the bond.
            Self.replaceCentral(of: &pair, 1)
            try pair.managers[1].prove(Self.key(isAuthenticated: false), on: SecurityPair.connection)
        }
        #expect(!isFound)
        #expect(attempts == 11 && refused > 1_000)
    }
}

extension HostBench {
    /// The connections that have been reported since the last call.
    fileprivate mutating func connections() -> [ConnectionID] {
        takeEvents().compactMap { if case .connected(let description) = $0 { description.id } else { nil } }
    }
}

extension SecurityActions {
    fileprivate var sent: [[UInt8]] {
        list.compactMap { if case .send(let buffer) = $0 { Array(buffer[OutgoingPDU.headroom...]) } else { nil } }
    }
}
