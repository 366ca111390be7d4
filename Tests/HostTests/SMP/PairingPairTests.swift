import BluetoothCrypto
import BluetoothValues
import Testing
import VirtualTime

@testable import Host

/// The ways to pair, each with settings for central and peripheral that lead to it.
struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    let method: PairingMethod
    let settings: [PairingSettings]
    let isSecure: Bool

    var testDescription: String { name }

    init(_ name: String, _ method: PairingMethod, _ central: IOCapability, _ peripheral: IOCapability, secure: Bool) {
        self.name = name
        self.method = method
        isSecure = secure
        settings = [central, peripheral].map { capability in
            var settings = PairingSettings()
            settings.inputOutput = capability
            settings.secureConnections = secure ? .preferred : .never
            settings.givenKeys = [.encryption, .identity, .signing]
            settings.takenKeys = [.encryption, .identity, .signing]
            return settings
        }
    }

    static let temporaryKey = Block128(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)

    static let all: [Way] = [
        Way("legacy Just Works", .justWorks, .noInputNoOutput, .displayYesNo, secure: false),
        Way(
            "legacy passkey, central shows",
            .passkeyEntry(shownBy: .central),
            .displayOnly,
            .keyboardOnly,
            secure: false
        ),
        Way(
            "legacy passkey, peripheral shows",
            .passkeyEntry(shownBy: .peripheral),
            .keyboardOnly,
            .displayOnly,
            secure: false
        ),
        Way(
            "legacy passkey, typed into both",
            .passkeyEntry(shownBy: nil),
            .keyboardOnly,
            .keyboardOnly,
            secure: false
        ),
        Way("legacy OOB", .outOfBand, .noInputNoOutput, .noInputNoOutput, secure: false),
        Way("Just Works", .justWorks, .noInputNoOutput, .displayYesNo, secure: true),
        Way("numeric comparison", .numericComparison, .displayYesNo, .keyboardDisplay, secure: true),
        Way("passkey, central shows", .passkeyEntry(shownBy: .central), .displayYesNo, .keyboardOnly, secure: true),
        Way(
            "passkey, peripheral shows",
            .passkeyEntry(shownBy: .peripheral),
            .keyboardOnly,
            .displayOnly,
            secure: true
        ),
        Way("passkey, typed into both", .passkeyEntry(shownBy: nil), .keyboardOnly, .keyboardOnly, secure: true),
        Way("OOB both ways", .outOfBand, .noInputNoOutput, .noInputNoOutput, secure: true),
        Way("OOB, central has received", .outOfBand, .noInputNoOutput, .noInputNoOutput, secure: true),
        Way("OOB, peripheral has received", .outOfBand, .noInputNoOutput, .noInputNoOutput, secure: true),
    ]

    /// Which ends have received something on another way.
    var receivers: [Int] {
        guard method == .outOfBand else { return [] }
        if name.contains("central") { return [0] }
        if name.contains("peripheral") { return [1] }
        return [0, 1]
    }

    func pair(seed: UInt64 = 1, _ change: (inout [PairingSettings]) -> Void = { _ in }) throws -> SecurityPair {
        var settings = settings
        change(&settings)
        var pair = SecurityPair(settings, seed: seed)
        try exchangeOutOfBand(&pair, &settings)
        return pair
    }

    /// Carries what is to be carried before a pairing.
    func exchangeOutOfBand(_ pair: inout SecurityPair, _ settings: inout [PairingSettings]) throws {
        for end in receivers {
            settings[end].outOfBand =
                isSecure
                ? ReceivedOutOfBand(secureConnections: pair.managers[1 - end].makeOutOfBandData())
                : ReceivedOutOfBand(temporaryKey: Self.temporaryKey)
            try pair.managers[end].set(settings[end], on: SecurityPair.connection)
        }
    }
}

@Suite("Pairing, two devices back to back")
struct PairingPairTests {
    @Test("Every way to pair ends with the same keys on both sides", arguments: Way.all)
    func ways(_ way: Way) throws {
        var pair = try way.pair()
        try pair.pair()
        let central = try #require(pair.results(0).first)
        let peripheral = try #require(pair.results(1).first)
        #expect(pair.failures(0) == [] && pair.failures(1) == [])
        for result in [central, peripheral] {
            #expect(result.method == way.method)
            #expect(result.isBonded && !result.usesDebugKey && result.gaveIdentity)
            #expect(result.linkKey == pair.linkKey)
            #expect(result.linkKey.size == 16)
            #expect(result.linkKey.isAuthenticated == (way.method != .justWorks))
            #expect(result.linkKey.isSecureConnections == way.isSecure)
        }
        // What one has given the other has received.
        #expect(central.keyAsCentral != nil && central.keyAsCentral == peripheral.keyAsPeripheral)
        #expect(central.keyAsPeripheral != nil && central.keyAsPeripheral == peripheral.keyAsCentral)
        #expect(central.localSigningKey != nil && central.localSigningKey == peripheral.peerSigningKey)
        #expect(peripheral.localSigningKey != nil && peripheral.localSigningKey == central.peerSigningKey)
        #expect(central.localSigningKey != peripheral.localSigningKey)
        for (end, result) in [peripheral, central].enumerated() {
            #expect(result.peerIdentity == SecurityPair.identities[end]?.address)
            #expect(result.peerIdentityResolvingKey == SecurityPair.identities[end]?.resolvingKey)
        }
        if way.isSecure {
            #expect(central.keyAsCentral == central.linkKey && central.keyAsPeripheral == central.linkKey)
            #expect(central.linkKey.identification == .none)
        } else {
            #expect(central.keyAsCentral != central.linkKey)
            #expect(central.keyAsCentral?.value != central.keyAsPeripheral?.value)
            #expect(central.keyAsCentral?.identification.random != 0)
        }
        #expect(pair.isClean)
    }

    @Test("Every IO capability pair with every wish for protection, legacy and SC, pairs by the method of table 2.8")
    func capabilities() throws {
        let protections: [PairingSettings.Protection] = [.notWanted, .wanted, .required]
        var seed: UInt64 = 0
        for central in IOCapability.allCases {
            for peripheral in IOCapability.allCases {
                for secure in [[false, false], [false, true], [true, false], [true, true]] {
                    for first in protections {
                        for second in protections {
                            seed += 1
                            try capability([central, peripheral], secure, [first, second], seed)
                        }
                    }
                }
            }
        }
    }

    private func capability(
        _ capabilities: [IOCapability],
        _ secure: [Bool],
        _ protections: [PairingSettings.Protection],
        _ seed: UInt64
    ) throws {
        let settings = (0..<2).map { end in
            var settings = PairingSettings()
            settings.inputOutput = capabilities[end]
            settings.secureConnections = secure[end] ? .preferred : .never
            settings.protection = protections[end]
            return settings
        }
        let test = PairingMethodTests.Case(
            capabilities: capabilities,
            protection: protections.map { $0 != .notWanted },
            outOfBand: [false, false],
            secure: secure
        )
        let what = "\(test.testDescription) \(protections)"
        let expected = try #require(test.method)
        var pair = SecurityPair(settings, seed: seed)
        try pair.pair()
        if expected == .justWorks, protections.contains(.required) {
            // Whoever demands more than there is to have says so; the peripheral hears the request first.
            let refuser = protections[1] == .required ? 1 : 0
            #expect(pair.failures(refuser) == [.refused(.authenticationRequirements)], "\(what)")
            #expect(pair.failures(1 - refuser) == [.refusedByPeer(.authenticationRequirements)], "\(what)")
            #expect(pair.sent.last?.pdu == [0x05, 0x03], "\(what)")
            #expect(pair.releasedKeys == 0, "\(what)")
        } else {
            for end in 0..<2 {
                let result = try #require(pair.results(end).first, "\(what)")
                #expect(result.method == expected, "\(what)")
                #expect(result.linkKey.isAuthenticated == (expected != .justWorks), "\(what)")
                #expect(result.linkKey.isSecureConnections == (secure == [true, true]), "\(what)")
            }
        }
        #expect(pair.isClean, "\(what)")
    }

    @Test("Passkey entry of Secure Connections takes twenty rounds", arguments: Way.all.filter(\.isPasskey))
    func rounds(_ way: Way) throws {
        var pair = try way.pair()
        try pair.pair()
        for code in [0x03, 0x04] as [UInt8] {
            #expect(pair.sent.count { $0.pdu[0] == code } == (way.isSecure ? 40 : 2))
        }
    }

    @Test("Shorter keys are agreed on, down to what both allow", arguments: [false, true])
    func keySizes(_ secure: Bool) throws {
        let way = try #require(Way.all.first { $0.isSecure == secure && $0.method == .justWorks })
        for peripheralMinimum in [7, 10, 16] {
            for centralMinimum in [7, 12] {
                for centralMaximum in centralMinimum...16 {
                    try keySize(way, centralMinimum...centralMaximum, peripheralMinimum...16)
                    try keySize(way, peripheralMinimum...16, centralMinimum...centralMaximum)
                }
            }
        }
    }

    private func keySize(_ way: Way, _ central: ClosedRange<Int>, _ peripheral: ClosedRange<Int>) throws {
        var pair = try way.pair { settings in
            for (end, range) in [central, peripheral].enumerated() {
                settings[end].minimumKeySize = range.lowerBound
                settings[end].maximumKeySize = range.upperBound
            }
        }
        try pair.pair()
        let size = min(central.upperBound, peripheral.upperBound)
        guard size >= central.lowerBound, size >= peripheral.lowerBound else {
            #expect(pair.sent.last?.pdu == [0x05, 0x06], "\(central) \(peripheral)")
            #expect(pair.results(0).isEmpty && pair.results(1).isEmpty && pair.releasedKeys == 0)
            return
        }
        for end in 0..<2 {
            let result = try #require(pair.results(end).first)
            for key in [result.linkKey, result.keyAsCentral, result.keyAsPeripheral].compactMap({ $0 }) {
                #expect(key.size == size)
                #expect(key.value == key.value.shortened(toOctets: size))
            }
            #expect(result.linkKey == pair.linkKey)
        }
    }

    @Test("Keys are exchanged as both are ready to give and take, the responder's first", arguments: [false, true])
    func keySets(_ secure: Bool) throws {
        let way = try #require(Way.all.first { $0.isSecure == secure && $0.method == .justWorks })
        for set in 0..<64 as Range<UInt8> {
            let given = KeyDistribution(rawValue: set & 7)
            let taken = KeyDistribution(rawValue: set >> 3)
            var pair = try way.pair { settings in
                settings[0].givenKeys = given
                settings[0].takenKeys = taken
                settings[1].givenKeys = .identity.union(.encryption)
                settings[1].takenKeys = .encryption.union(.signing)
            }
            try pair.pair()
            let codes = pair.sent.filter { (0x06...0x0A).contains($0.pdu[0]) }.map { $0.pdu[0] }
            let fromPeripheral = Self.codes(taken.intersection([.identity, .encryption]), secure)
            let fromCentral = Self.codes(given.intersection([.encryption, .signing]), secure)
            #expect(codes == fromPeripheral + fromCentral, "set \(set)")
            #expect(
                pair.sent.filter { $0.from == 1 && $0.pdu[0] >= 6 && $0.pdu[0] <= 0x0A }.map { $0.pdu[0] }
                    == fromPeripheral
            )
            #expect(pair.results(0).count == 1 && pair.results(1).count == 1 && pair.isClean, "set \(set)")
        }
    }

    private static func codes(_ keys: KeyDistribution, _ secure: Bool) -> [UInt8] {
        (keys.contains(.encryption) && !secure ? [0x06, 0x07] : []) + (keys.contains(.identity) ? [0x08, 0x09] : [])
            + (keys.contains(.signing) ? [0x0A] : [])
    }

    @Test(
        "Without bonding on both sides no key is exchanged and none is to be kept",
        arguments: [0, 1],
        [false, true]
    )
    func noBonding(_ end: Int, _ secure: Bool) throws {
        let way = try #require(Way.all.first { $0.isSecure == secure && $0.method == .justWorks })
        var pair = try way.pair { $0[end].bonding = false }
        try pair.pair()
        #expect(!pair.sent.contains { (0x06...0x0A).contains($0.pdu[0]) })
        for end in 0..<2 {
            let result = try #require(pair.results(end).first)
            #expect(!result.isBonded && result.peerIdentity == nil && !result.gaveIdentity)
            #expect(result.linkKey == pair.linkKey)
            if !secure { #expect(result.keyAsCentral == nil && result.keyAsPeripheral == nil) }
        }
    }

    @Test("A host without an identity gives none")
    func noIdentity() throws {
        var pair = try Way.all[5].pair()
        pair.managers[1].set(nil)
        try pair.pair()
        #expect(pair.results(0).first?.peerIdentity == nil)
        #expect(pair.results(1).first?.gaveIdentity == false)
        #expect(pair.results(1).first?.peerIdentity != nil)
    }

    @Test("An identity resolving key of zeros is none")
    func zeroResolvingKey() throws {
        var pair = try Way.all[5].pair()
        pair.managers[1].set(LocalIdentity(address: SecurityPair.addresses[1], resolvingKey: .zero))
        try pair.pair()
        #expect(pair.results(0).first?.peerIdentityResolvingKey == nil)
        #expect(pair.results(0).first?.peerIdentity == SecurityPair.addresses[1])
    }

    @Test(
        "The same seed gives the same bytes; the next pairing has nothing in common with the last",
        arguments: Way.all
    )
    func determinism(_ way: Way) throws {
        var first = try way.pair(seed: 7)
        var second = try way.pair(seed: 7)
        try first.pair()
        try second.pair()
        #expect(first.sent.map(\.pdu) == second.sent.map(\.pdu))
        #expect(first.linkKey == second.linkKey)

        let before = first.sent.count
        var settings = first.managers.map { $0.links[0].settings }
        try way.exchangeOutOfBand(&first, &settings)
        let shown = first.shown(0) ?? first.shown(1)
        try first.pair()
        #expect(first.results(0).count == 2 && first.results(1).count == 2)
        let secrets: Set<UInt8> = [0x03, 0x04, 0x06, 0x07, 0x0A, 0x0C, 0x0D]
        let old = Set(first.sent[..<before].map(\.pdu).filter { secrets.contains($0[0]) })
        let new = Set(first.sent[before...].map(\.pdu).filter { secrets.contains($0[0]) })
        #expect(old.isDisjoint(with: new))
        if let shown { #expect((first.shown(0) ?? first.shown(1)) != shown) }
        #expect(first.results(0)[0].linkKey != first.results(0)[1].linkKey)
    }

    @Test("A fixed passkey is shown where one was asked for", arguments: [false, true])
    func fixedPasskey(_ secure: Bool) throws {
        let way = try #require(
            Way.all.first { $0.isSecure == secure && $0.method == .passkeyEntry(shownBy: .peripheral) }
        )
        let zeros = try #require(Passkey(0))
        for seed in 1...3 as ClosedRange<UInt64> {
            var pair = try way.pair(seed: seed) { $0[1].passkey = .fixed(zeros) }
            try pair.pair()
            #expect(pair.shown(1) == zeros)
            #expect(pair.results(0).count == 1)
        }
    }

    @Test("A peripheral that asks for security is heard by the application of the central, except during a pairing")
    func securityRequest() throws {
        var pair = try Way.all[6].pair()
        try pair.perform(1) { manager, _, actions in
            try manager.requestSecurity(SecurityPair.connection, into: &actions)
        }
        #expect(pair.sent.last?.pdu == [0x0B, 0x0D])
        guard case .securityRequested(_, let requirements)? = pair.events[0].last else {
            Issue.record("the central was not asked")
            return
        }
        #expect(requirements == [.bonding, .manInTheMiddleProtection, .secureConnections])
        // Asking starts no timer, and binds nobody.
        #expect(pair.isClean)
        try pair.pair()
        #expect(pair.results(0).count == 1)

        pair.person = { _, _, _ in nil }
        try pair.pair()
        let count = pair.events[0].count
        pair.receive(0, .securityRequest([.bonding]))
        #expect(pair.events[0].count == count)
        #expect(throws: PairingOrderError.pairingUnderWay) {
            try pair.perform(1) { manager, _, actions in
                try manager.requestSecurity(SecurityPair.connection, into: &actions)
            }
        }
    }

    @Test("A central that does not want to pair says so to a peripheral that asks")
    func refuseSecurity() throws {
        var pair = try Way.all[6].pair()
        try pair.perform(0) { manager, _, actions in
            try manager.refuseSecurity(SecurityPair.connection, into: &actions)
        }
        #expect(pair.sent.last?.pdu == [0x05, 0x05])
        #expect(pair.isClean)
    }

    @Test(
        "Every key pressed is told to a peer that wants to know, and to no other",
        arguments: Way.all.filter(\.isPasskey)
    )
    func keypresses(_ way: Way) throws {
        for wishes in [[true, true], [true, false], [false, true]] {
            var pair = try way.pair { settings in
                for end in 0..<2 { settings[end].keypressNotifications = wishes[end] }
            }
            pair.person = { _, _, _ in nil }
            try pair.pair()
            let typist = way.method == .passkeyEntry(shownBy: .central) ? 1 : 0
            for keypress in Keypress.allCases {
                if wishes == [true, true] {
                    try pair.perform(typist) { manager, now, actions in
                        try manager.send(keypress, on: SecurityPair.connection, at: now, into: &actions)
                    }
                } else {
                    #expect(throws: PairingOrderError.notAsked) {
                        try pair.perform(typist) { manager, now, actions in
                            try manager.send(keypress, on: SecurityPair.connection, at: now, into: &actions)
                        }
                    }
                }
            }
            // A peer that was told not to speaks nevertheless.
            if wishes != [true, true] { pair.receive(1 - typist, .pairingKeypressNotification(.cleared)) }
            let heard = pair.events[1 - typist].compactMap { event -> Keypress? in
                if case .keypress(_, let keypress) = event { keypress } else { nil }
            }
            #expect(heard == (wishes == [true, true] ? Keypress.allCases : []))
        }
    }

    @Test("A person is asked before a request is granted, where that is wanted")
    func consent() throws {
        var pair = try Way.all[5].pair { $0[1].asksConsent = true }
        pair.person = { _, _, _ in nil }
        try pair.pair()
        guard case .consentRequested(_, let features)? = pair.events[1].last else {
            Issue.record("nobody was asked")
            return
        }
        #expect(features.inputOutput == .noInputNoOutput)
        #expect(pair.sent.count == 1)
        try pair.answer(1, .agree)
        #expect(pair.results(0).count == 1 && pair.results(1).count == 1)
        try pair.pair()
        try pair.answer(1, .refuse)
        #expect(pair.sent.last?.pdu == [0x05, 0x05])
        #expect(pair.failures(0) == [.refusedByPeer(.pairingNotSupported)])
        #expect(pair.isClean)
    }

    @Test("The debug key is used only where asked for, and refused where it is not", arguments: [0, 1])
    func debugKey(_ end: Int) throws {
        let debug = P256KeyPair.debug.publicKey
        let pdu = SMPPDU.pairingPublicKey(PairingPublicKey(x: debug.x, y: debug.y)).bytes
        var refused = try Way.all[5].pair { $0[end].privateKey = .debug }
        try refused.pair()
        #expect(refused.sent.contains { $0.pdu == pdu && $0.from == end } || end == 1)
        #expect(refused.sent.last?.pdu == [0x05, 0x03])
        #expect(refused.results(0).isEmpty && refused.results(1).isEmpty)

        var accepted = try Way.all[5].pair { settings in
            settings[end].privateKey = .debug
            settings[1 - end].acceptsDebugKey = true
        }
        try accepted.pair()
        #expect(accepted.results(0).first?.usesDebugKey == true)
        #expect(accepted.results(1).first?.usesDebugKey == true)

        var both = try Way.all[5].pair { settings in for end in 0..<2 { settings[end].privateKey = .debug } }
        try both.pair()
        #expect(both.results(0).first?.usesDebugKey == true)
    }

    @Test("Secure Connections only means keys of 16 bytes, whatever minimum is set", arguments: [0, 1])
    func secureConnectionsKeySize(_ end: Int) throws {
        var pair = try Way.all[6].pair { settings in
            settings[end].secureConnections = .only
            settings[1 - end].maximumKeySize = 15
        }
        try pair.pair()
        #expect(pair.failures(end) == [.refused(.encryptionKeySize)])
    }

    @Test(
        "In Secure Connections Only mode a peer without them, or with short keys, or without authentication is refused"
    )
    func secureConnectionsOnly() throws {
        for end in 0..<2 {
            func attempt(_ index: Int, _ change: (inout PairingSettings) -> Void = { _ in }) throws -> SecurityPair {
                var pair = try Way.all[index].pair { settings in
                    settings[end].secureConnections = .preferred
                    settings[end].enterSecureConnectionsOnlyMode()
                    change(&settings[1 - end])
                }
                try pair.pair()
                return pair
            }
            #expect(try attempt(1).sent.last?.pdu == [0x05, 0x03])
            #expect(try attempt(5).sent.last?.pdu == [0x05, 0x03])
            #expect(try attempt(6) { $0.maximumKeySize = 15 }.sent.last?.pdu == [0x05, 0x06])
            let good = try attempt(6)
            #expect(good.results(0).first?.linkKey.isSecureConnections == true)
            #expect(good.results(1).first?.linkKey.isAuthenticated == true)
        }
    }
}

extension Way {
    var isPasskey: Bool {
        if case .passkeyEntry = method { true } else { false }
    }
}
