import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

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
