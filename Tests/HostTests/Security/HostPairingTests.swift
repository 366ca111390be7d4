import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("Pairing over two hosts")
struct HostPairingTests {
    static func settings(
        _ inputOutput: IOCapability = .noInputNoOutput,
        _ change: (inout PairingSettings) -> Void = { _ in }
    ) -> PairingSettings {
        var settings = PairingSettings()
        settings.inputOutput = inputOutput
        change(&settings)
        return settings
    }

    static func justWorks(_ change: (inout PairingSettings) -> Void = { _ in }) -> SecuredPair {
        SecuredPair([settings(.noInputNoOutput, change), settings()])
    }

    @Test(
        "Each pair of capabilities gives the method of table 2.8, a link as good as that, and one bond at each end",
        arguments: IOCapability.allCases,
        [false, true]
    )
    func methods(_ initiator: IOCapability, _ secure: Bool) throws {
        for responder in IOCapability.allCases {
            let kind: PairingSettings.SecureConnections = secure ? .preferred : .never
            var pair = SecuredPair([
                Self.settings(initiator) { $0.secureConnections = kind },
                Self.settings(responder) { $0.secureConnections = kind },
            ])
            try pair.connect()
            try pair.pair()
            let expected = try #require(PairingMethodTests.expected(initiator, responder, secure: secure))
            for end in 0..<2 {
                let result = try #require(pair.results(end).first, "\(initiator) \(responder) \(secure)")
                #expect(result.method == expected && result.isBonded)
                let link = try #require(pair.link(end))
                #expect(link.isEncrypted && link.keySize == 16 && link.hasKey && !link.isWeakerThanBond)
                #expect(link.isAuthenticated == expected.isAuthenticated && link.isSecureConnections == secure)
                #expect(
                    pair.host(end).encryptionKey(of: pair.links[end])?.value.littleEndianBytes
                        == pair.pair.encryption.key
                )
                #expect(pair.savedBonds(end) == pair.host(end).bonds && pair.stores[end].kept.all.count == 1)
                #expect(pair.host(end).nextDeadline == nil)
            }
            let keys = (pair.host(0).bonds[0].keyAsCentral, pair.host(1).bonds[0].keyAsPeripheral)
            #expect(keys.0 == keys.1 && keys.0 != nil)
            #expect(pair.host(0).bonds[0].peer == HostPair.peripheralAddress)
            #expect(pair.host(1).bonds[0].peer == HostPair.centralAddress)
            #expect(pair.host(0).openConnections.first?.isBonded == true)
        }
    }

    @Test("What was carried on another way authenticates a pairing", arguments: [false, true])
    func outOfBand(_ secure: Bool) throws {
        let kind: PairingSettings.SecureConnections = secure ? .only : .never
        var pair = SecuredPair([
            Self.settings { $0.secureConnections = kind }, Self.settings { $0.secureConnections = kind },
        ])
        let key = Block128(high: 1, low: 2)
        for end in 0..<2 {
            var settings = pair.host(end).pairingSettings
            settings.outOfBand.temporaryKey = secure ? nil : key
            settings.outOfBand.secureConnections = secure ? pair.host(1 - end).makeOutOfBandData() : nil
            pair.host(end).pairingSettings = settings
        }
        try pair.connect()
        try pair.pair()
        #expect(pair.results(0).first?.method == .outOfBand && pair.results(1).first?.method == .outOfBand)
        #expect(pair.link(0)?.level == (secure ? .secureConnections : .authenticated))
    }

    @Test("A bond is in the store before anybody hears of it")
    func order() throws {
        var pair = Self.justWorks()
        try pair.connect()
        try pair.pair()
        for end in 0..<2 {
            let names = pair.security[end].map { String(describing: $0).prefix { $0 != "(" } }
            #expect(names.suffix(3) == ["encryptionChanged", "bondSaved", "paired"])
        }
    }

    @Test("Without bonding on either side the link is encrypted and nothing is kept", arguments: [0, 1])
    func noBonding(_ end: Int) throws {
        var settings = [Self.settings(), Self.settings()]
        settings[end].bonding = false
        var pair = SecuredPair(settings)
        try pair.connect()
        try pair.pair()
        for end in 0..<2 {
            #expect(pair.results(end).first?.isBonded == false)
            #expect(pair.link(end)?.isEncrypted == true)
            #expect(pair.stores[end].kept.all.isEmpty && pair.host(end).bonds.isEmpty)
        }
        try pair.disconnect()
        try pair.connect()
        #expect(pair.link(0) == LinkSecurity() && pair.link(1) == LinkSecurity())
    }

    @Test("A store that fails is told of, and what it did not keep is no bond", arguments: [0, 1])
    func failingStore(_ end: Int) throws {
        var pair = Self.justWorks()
        pair.stores[end].fails = true
        try pair.connect()
        try pair.pair()
        #expect(pair.security[end].contains { if case .bondStoreFailed(.writeFailed) = $0 { true } else { false } })
        #expect(pair.savedBonds(end).isEmpty && pair.host(end).bonds.isEmpty)
        #expect(pair.results(end).first?.isBonded == false)
        #expect(pair.host(end).openConnections.first?.isBonded == false)
        #expect(pair.results(1 - end).first?.isBonded == true)
        #expect(pair.link(end)?.isEncrypted == true)
    }

    @Test("A person who says nothing for 30 s ends the pairing, and pairing on that connection")
    func silence() throws {
        var pair = SecuredPair([Self.settings(.displayYesNo), Self.settings(.displayYesNo)])
        pair.person = { _, _, _ in nil }
        try pair.connect()
        try pair.pair()
        pair.run(for: .milliseconds(29_999))
        #expect(pair.failures(0).isEmpty && pair.failures(1).isEmpty)
        pair.run(for: .milliseconds(1))
        #expect(pair.failures(0) == [.timedOut] && pair.failures(1) == [.timedOut])
        #expect(pair.isClean(0) && pair.isClean(1))
        #expect(throws: PairingOrderError.timedOutBefore) { try pair.pair() }
    }

    @Test(
        "A connection lost at any packet leaves no timer, no key and no half bond",
        arguments: [PairingSettings.SecureConnections.never, .only],
        [IOCapability.noInputNoOutput, .keyboardDisplay]
    )
    func lostAnywhere(_ kind: PairingSettings.SecureConnections, _ inputOutput: IOCapability) throws {
        for packets in 0..<200 {
            var pair = SecuredPair([
                Self.settings(inputOutput) { $0.secureConnections = kind },
                Self.settings(inputOutput == .keyboardDisplay ? .displayOnly : inputOutput) {
                    $0.secureConnections = kind
                },
            ])
            try pair.connect()
            pair.pair.encryption.packetsLeft = packets
            try pair.pair()
            if pair.results(0).first != nil, pair.results(1).first != nil {
                #expect(packets > 5)
                return
            }
            for end in 0..<2 where pair.results(end).isEmpty {
                #expect(pair.isClean(end), "end \(end), packet \(packets)")
                #expect(pair.failures(end).count <= 1)
                #expect(pair.others[end].contains { $0.name == "disconnected" })
            }
        }
        Issue.record("the pairing never came to an end")
    }

    @Test("Switching off in the middle of a pairing ends it, with its event before that of the connection")
    func powerOff() throws {
        for end in 0..<2 {
            var pair = SecuredPair([Self.settings(.displayYesNo), Self.settings(.displayYesNo)])
            pair.person = { _, _, _ in nil }
            try pair.connect()
            try pair.pair()
            pair.order(end) { host, now, actions in host.powerOff(at: now, into: &actions) }
            #expect(pair.failures(end) == [.disconnected])
            #expect(pair.isClean(end) || pair.host(end).openSlots.isEmpty)
        }
    }

    @Test("After a refusal the peer has to wait, twice as long each time")
    func throttling() throws {
        var pair = SecuredPair([Self.settings(.displayYesNo), Self.settings(.displayYesNo)])
        pair.person = { _, end, _ in end == 1 ? .refuse : nil }
        try pair.connect()
        try pair.pair()
        #expect(pair.failures(1) == [.refused(.numericComparisonFailed)])
        #expect(pair.failures(0) == [.refusedByPeer(.numericComparisonFailed)])
        #expect(throws: PairingOrderError.repeatedAttempts) { try pair.pair() }
        // Not on another connection either.
        try pair.disconnect()
        try pair.connect()
        #expect(throws: PairingOrderError.repeatedAttempts) { try pair.pair() }
        pair.run(for: .seconds(1))
        try pair.pair()
        #expect(throws: PairingOrderError.repeatedAttempts) { try pair.pair() }
        pair.run(for: .seconds(1))
        #expect(throws: PairingOrderError.repeatedAttempts) { try pair.pair() }
        pair.run(for: .seconds(1))
        pair.person = { pair, end, event in pair.honestAnswer(end, event) }
        try pair.pair()
        #expect(pair.results(0).count == 1)
    }

    @Test("Where the controller has no encryption, orders say so and the peer's wish is refused")
    func unsupported() throws {
        var pair = HostPair()
        let links = try pair.connect()
        #expect(throws: PairingOrderError.unsupported) {
            try pair.order(\.central) { host, now, actions in try host.pair(links.central, at: now, into: &actions) }
        }
        #expect(throws: PairingOrderError.unsupported) {
            try pair.order(\.central) { host, now, actions in
                try host.secure(links.central, atLeast: .encrypted, at: now, into: &actions)
            }
        }
        var bench = HostBench.up(
            ScriptedController(
                supported: SupportedCommands(ScriptedController.usual.filter { $0 != .leLongTermKeyRequestReply })
            )
        )
        let link = bench.connected()
        #expect(throws: PairingOrderError.unsupported) {
            try bench.order { host, now, actions in try host.requestSecurity(link, at: now, into: &actions) }
        }
        bench.receiveFrame([0x01, 0x03, 0x00, 0x01, 0x10, 0x07, 0x07], channel: 6, on: link)
        #expect(bench.controller.data.last?.hex == "0240000600020006000505")
    }

    @Test("Orders for connections that are gone, or for the other role, are refused")
    func wrongOrders() throws {
        var pair = Self.justWorks()
        #expect(throws: PairingOrderError.noConnection) {
            let link = ConnectionID(handle: ConnectionHandle(rawValue: 1)!, generation: 9)
            try pair.order(0) { host, now, actions in try host.pair(link, at: now, into: &actions) }
        }
        try pair.connect()
        let links = pair.links
        #expect(throws: PairingOrderError.wrongRole) {
            try pair.order(1) { host, now, actions in try host.pair(links[1], at: now, into: &actions) }
        }
        #expect(throws: PairingOrderError.wrongRole) {
            try pair.order(0) { host, now, actions in try host.requestSecurity(links[0], at: now, into: &actions) }
        }
        #expect(throws: PairingOrderError.notAsked) {
            try pair.order(0) { host, now, actions in try host.answer(.agree, on: links[0], at: now, into: &actions) }
        }
    }

    @Test("A PDU longer than any is a malformed one, in one packet or in many")
    func tooLong() {
        var bench = HostBench.up()
        let link = bench.connected()
        bench.receiveFrame([0x01] + [UInt8](repeating: 0, count: 65), channel: 6, on: link)
        #expect(bench.controller.data.last?.hex.hasSuffix("02000600050a") == true)
        bench.controller.forget()
        bench.receiveFrame([0x01] + [UInt8](repeating: 0, count: 600), channel: 6, on: link)
        #expect(bench.controller.data.last?.hex.hasSuffix("02000600050a") == true)
    }

    @Test("The same seed gives the same keys; another seed gives others, whether or not the secret is the same")
    func secrets() throws {
        func key(_ seed: UInt64, _ secret: Block128?) throws -> Block128? {
            var pair = SecuredPair([Self.settings(), Self.settings()], seed: seed) { $0.secret = secret }
            try pair.connect()
            try pair.pair()
            return pair.host(0).bonds.first?.keyAsCentral?.value
        }
        let secret = Block128(high: 5, low: 6)
        let keys = [try key(1, nil), try key(2, nil), try key(1, secret), try key(2, secret)]
        #expect(Set(keys).count == 4 && !keys.contains(nil))
        #expect(try key(1, nil) == keys[0] && key(1, secret) == keys[2])
    }
}
