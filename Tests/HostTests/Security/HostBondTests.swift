import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("Bonds over two hosts")
struct HostBondTests {
    typealias Kind = PairingSettings.SecureConnections

    /// Two hosts that have bonded and are apart again.
    static func bonded(
        _ kind: Kind = .preferred,
        _ inputOutput: [IOCapability] = [.noInputNoOutput, .noInputNoOutput],
        configure: @escaping @Sendable (inout HostConfiguration) -> Void = { _ in },
        change: (inout PairingSettings) -> Void = { _ in }
    ) throws -> SecuredPair {
        let settings = inputOutput.map { capability in
            HostPairingTests.settings(capability) { settings in
                settings.secureConnections = kind
                change(&settings)
            }
        }
        var pair = SecuredPair(settings, configure: configure)
        try pair.connect()
        try pair.pair()
        try #require(pair.results(0).first?.isBonded == true && pair.results(1).first?.isBonded == true)
        try pair.disconnect()
        pair.forget()
        return pair
    }

    static func removeBond(_ pair: inout SecuredPair, _ end: Int) throws {
        let peer = try #require(pair.host(end).bonds.first?.peer)
        try pair.order(end) { host, now, actions in try host.removeBond(peer, at: now, into: &actions) }
    }

    @Test(
        "Devices that have bonded encrypt at once when they meet again, as well as before, without pairing",
        arguments: [Kind.never, .only]
    )
    func reconnection(_ kind: Kind) throws {
        for capabilities in [[IOCapability.noInputNoOutput, .noInputNoOutput], [.keyboardDisplay, .displayOnly]] {
            var pair = try Self.bonded(kind, capabilities)
            let key = pair.host(0).bonds[0].keyAsCentral
            try pair.connect()
            for end in 0..<2 {
                let link = try #require(pair.link(end))
                #expect(link.isEncrypted && link.isAuthenticated == (capabilities[1] == .displayOnly))
                #expect(link.isSecureConnections == (kind == .only))
                #expect(pair.security[end].count == 1 && pair.results(end).isEmpty)
                #expect(pair.host(end).encryptionKey(of: pair.links[end]) == key)
            }
            #expect((key?.identification == CentralIdentification.none) == (kind == .only))
        }
    }

    @Test("A stranger who pairs under one address after another fills no store, and takes no bond away")
    func room() throws {
        let local = DeviceAddress(value: 1, kind: .public), store = MemoryBondStore()
        var register = BondRegister(store: store, limit: 3)
        for number in 1...3 as ClosedRange<UInt64> {
            try register.keep(Bond(local: local, peer: DeviceAddress(value: number, kind: .random)))
        }
        for number in 4...100 as ClosedRange<UInt64> {
            let bond = Bond(local: local, peer: DeviceAddress(value: number, kind: .random))
            #expect(throws: BondStoreError.full(limit: 3)) { try register.keep(bond) }
        }
        let kept = try store.bonds(of: local)
        #expect(register.known == kept && kept.count == 3)
        var changed = register.known[1]
        changed.name = "Ben"
        try register.keep(changed)
        try register.forget(register.known[0].peer, of: local)
        try register.keep(Bond(local: local, peer: DeviceAddress(value: 9, kind: .random)))
        #expect(register.known.map(\.name) == ["Ben", nil, nil])
    }

    @Test("Where there is no room for a bond the link is encrypted all the same, and both sides are told of none")
    func noRoom() throws {
        var pair = SecuredPair([HostPairingTests.settings(), HostPairingTests.settings()]) { $0.bondLimit = 0 }
        try pair.connect()
        try pair.pair()
        for end in 0..<2 {
            #expect(pair.security[end].contains { if case .bondStoreFailed(.full(0)) = $0 { true } else { false } })
            #expect(pair.results(end).first?.isBonded == false && pair.host(end).bonds.isEmpty)
            #expect(pair.link(end)?.isEncrypted == true)
        }
    }

    @Test("A central that is told not to encrypt by itself does so when the link is to be secured")
    func secureOnOrder() throws {
        var pair = try Self.bonded { $0.encryptsBondedLinks = false }
        try pair.connect()
        #expect(pair.link(0)?.isEncrypted == false && pair.link(0)?.hasKey == true)
        let link = pair.links[0]
        let wasSecure = try pair.order(0) { host, now, actions in
            try host.secure(link, atLeast: .encrypted, at: now, into: &actions)
        }
        #expect(!wasSecure && pair.link(1)?.isEncrypted == true && pair.results(0).isEmpty)
        let isSecure = try pair.order(0) { host, now, actions in
            try host.secure(link, atLeast: .encrypted, at: now, into: &actions)
        }
        #expect(isSecure)
    }

    @Test("A peer that has lost the bond makes the encryption fail, on both sides, and nothing else happens by itself")
    func lostByPeripheral() throws {
        var pair = try Self.bonded()
        try Self.removeBond(&pair, 1)
        pair.forget()
        try pair.connect()
        #expect(pair.encryptionFailures(0) == [.pinOrKeyMissing] && pair.encryptionFailures(1) == [.pinOrKeyMissing])
        #expect(pair.results(0).isEmpty && pair.failures(0).isEmpty)
        #expect(pair.link(0)?.isEncrypted == false && pair.link(1)?.isEncrypted == false)
        #expect(pair.host(0).bonds.count == 1)
        let link = pair.links[0]
        #expect(throws: PairingOrderError.bondLost) {
            try pair.order(0) { host, now, actions in
                try host.secure(link, atLeast: .encrypted, at: now, into: &actions)
            }
        }
        // A Security Request does not begin it all over again.
        let other = pair.links[1]
        try pair.order(1) { host, now, actions in try host.requestSecurity(other, at: now, into: &actions) }
        #expect(pair.encryptionFailures(0).count == 1)
        #expect(pair.security[0].contains { if case .pairing(.securityRequested) = $0 { true } else { false } })
        // Somebody says yes to a new bond.
        let old = pair.host(0).bonds[0]
        try pair.pair()
        #expect(pair.results(0).count == 1 && pair.host(0).bonds.count == 1 && pair.host(0).bonds[0] != old)
        try pair.disconnect()
        try pair.connect()
        #expect(pair.link(1)?.isEncrypted == true)
    }

    @Test("A peer that wants to bond again is bonded with only if a person agrees", arguments: [false, true])
    func lostByCentral(_ agrees: Bool) throws {
        var pair = try Self.bonded()
        try Self.removeBond(&pair, 0)
        pair.forget()
        let old = pair.host(1).bonds
        pair.person = { _, end, event in
            guard end == 1, case .consentRequested = event else { return nil }
            return agrees ? .agree : .refuse
        }
        try pair.connect()
        #expect(pair.link(1)?.isEncrypted == false && pair.link(1)?.hasKey == true)
        try pair.pair()
        #expect(pair.security[1].contains { if case .pairing(.consentRequested) = $0 { true } else { false } })
        if agrees {
            #expect(pair.results(0).count == 1 && pair.host(1).bonds.count == 1 && pair.host(1).bonds != old)
        } else {
            #expect(pair.failures(0) == [.refusedByPeer(.pairingNotSupported)] && pair.host(1).bonds == old)
        }
    }

    @Test("Who has nobody to ask can grant a new bond, or refuse it, by itself")
    func replacementPolicy() throws {
        for policy in [PairingSettings.BondReplacement.grantedWithoutAuthentication, .refused] {
            let isGranted = policy != .refused
            var pair = try Self.bonded { $0.pairing.bondReplacement = policy }
            try Self.removeBond(&pair, 0)
            pair.forget()
            pair.person = { _, _, _ in nil }
            try pair.connect()
            try pair.pair()
            #expect(pair.results(1).count == (isGranted ? 1 : 0))
            #expect(pair.failures(0) == (isGranted ? [] : [.refusedByPeer(.pairingNotSupported)]))
        }
    }

    /// How a central that has lost an authenticated bond of LE Secure Connections tries to get a worse one.
    enum Downgrade: CaseIterable {
        case withoutPeople, legacy, shorterKey, debugKey
    }

    @Test(
        "A bond is never replaced by a weaker one, whoever agrees, and the peer hears why",
        arguments: Downgrade.allCases
    )
    func downgrade(_ downgrade: Downgrade) throws {
        var pair = try Self.bonded(.preferred, [.keyboardDisplay, .displayOnly])
        try Self.removeBond(&pair, 0)
        pair.forget()
        let old = pair.host(1).bonds
        try pair.connect()
        var settings = HostPairingTests.settings(.keyboardDisplay)
        let reason: PairingFailureReason
        switch downgrade {
        case .withoutPeople: (settings.inputOutput, reason) = (.noInputNoOutput, .authenticationRequirements)
        case .legacy: (settings.secureConnections, reason) = (.never, .authenticationRequirements)
        case .shorterKey: (settings.maximumKeySize, reason) = (7, .encryptionKeySize)
        case .debugKey:
            (settings.privateKey, reason) = (.debug, .authenticationRequirements)
            // Who takes the debug key from others does not take it from a peer whose key was a secret one.
            pair.host(1).pairingSettings.acceptsDebugKey = true
        }
        try pair.pair(settings)
        #expect(pair.failures(0) == [.refusedByPeer(reason)])
        #expect(pair.host(1).bonds == old && pair.stores[1].kept.all == old)
        #expect(pair.link(1)?.isEncrypted == false)
        #expect(try pair.read(2) == refused(.insufficientEncryption, pair.handles[2].value))
    }

    @Test("As central, an order to pair with less than the bond has is not taken, or fails")
    func ownDowngrade() throws {
        var pair = try Self.bonded(.preferred, [.keyboardDisplay, .displayOnly])
        try pair.connect()
        #expect(throws: PairingOrderError.weakerThanBond) {
            try pair.pair(HostPairingTests.settings(.keyboardDisplay) { $0.secureConnections = .never })
        }
        try pair.pair(HostPairingTests.settings(.noInputNoOutput))
        #expect(pair.failures(0).count == 1 && pair.results(0).isEmpty)
        #expect(pair.link(0)?.isAuthenticated == true)
        pair.run(for: .seconds(10))
        try pair.pair(HostPairingTests.settings(.keyboardDisplay) { $0.privateKey = .debug })
        #expect(pair.results(0).map(\.usesDebugKey) == [false])
    }

    @Test("A link that is encrypted with less than the bond has gives nothing that wants encryption")
    func weakerLink() throws {
        var pair = try Self.bonded()
        var bond = try #require(pair.host(1).bonds.first)
        let key = try #require(bond.keyAsPeripheral)
        #expect(!key.isAuthenticated)
        // The key for the other role is a better one: it says what this bond was.
        bond.keyAsCentral = LongTermKey(
            value: key.value,
            identification: key.identification,
            size: key.size,
            isAuthenticated: true,
            isSecureConnections: key.isSecureConnections
        )
        try pair.order(1) { host, now, actions in try host.keep(bond, at: now, into: &actions) }
        try pair.connect()
        #expect(pair.link(1)?.isEncrypted == true && pair.link(1)?.isWeakerThanBond == true)
        #expect(try pair.read(1) == refused(.insufficientEncryption, pair.handles[1].value))
        #expect(try pair.read(0) == .value([1]))
    }

    @Test("A bond that is too weak is made better over the link that it encrypts")
    func upgrade() throws {
        var pair = try Self.bonded(.preferred, [.noInputNoOutput, .displayOnly])
        try pair.connect()
        let link = pair.links[0]
        var settings = pair.host(0).pairingSettings
        settings.inputOutput = .keyboardOnly
        pair.host(0).pairingSettings = settings
        try pair.order(0) { host, now, actions in
            try host.secure(link, atLeast: .authenticated, at: now, into: &actions)
        }
        #expect(pair.results(0).first?.method == .passkeyEntry(shownBy: .peripheral))
        #expect(pair.link(0)?.level == .secureConnections && pair.link(1)?.level == .secureConnections)
        #expect(pair.host(1).bonds.count == 1 && pair.host(1).bonds[0].keyAsPeripheral?.isAuthenticated == true)
    }

    @Test("A peripheral asks for security: a bond that is good enough is used, else the application decides")
    func securityRequest() throws {
        var pair = try Self.bonded { $0.encryptsBondedLinks = false }
        try pair.connect()
        let link = pair.links[1]
        // The peripheral asks for protection that this bond has not.
        try pair.order(1) { host, now, actions in try host.requestSecurity(link, at: now, into: &actions) }
        #expect(pair.link(0)?.isEncrypted == false)
        #expect(pair.security[0].contains { if case .pairing(.securityRequested) = $0 { true } else { false } })
        pair.forget()
        var modest = pair.host(1).pairingSettings
        modest.protection = .notWanted
        try pair.host(1).setPairingSettings(modest, on: link)
        try pair.order(1) { host, now, actions in try host.requestSecurity(link, at: now, into: &actions) }
        #expect(pair.link(0)?.isEncrypted == true && pair.results(0).isEmpty && pair.security[0].count == 1)
        // Once it is encrypted there is nothing more to do.
        try pair.order(1) { host, now, actions in try host.requestSecurity(link, at: now, into: &actions) }
        #expect(pair.security[0].count == 1)
    }

    @Test("A central that does not want to secure the link tells the peripheral so")
    func securityRequestRefused() throws {
        var pair = HostPairingTests.justWorks()
        try pair.connect()
        let links = pair.links
        try pair.order(1) { host, now, actions in try host.requestSecurity(links[1], at: now, into: &actions) }
        try pair.order(0) { host, now, actions in try host.answer(.refuse, on: links[0], at: now, into: &actions) }
        #expect(pair.pair.encryption.inClear.last.map { Array($0.suffix(2)) } == [0x05, 0x05])
        #expect(throws: PairingOrderError.notAsked) {
            try pair.order(0) { host, now, actions in try host.answer(.refuse, on: links[0], at: now, into: &actions) }
        }
    }

    /// Two that are bonded become a host with a bond to another device, at another address, and a central without bonds
    /// that calls itself so; the bond.
    static func stealIdentity(_ pair: inout SecuredPair) throws -> Bond {
        let old = pair.host(1).bonds[0]
        var victim = old
        victim.peer = DeviceAddress(value: 0x0000_0000_00AA, kind: .public)
        let thief = pair.host(0).core.localIdentity.flatMap {
            LocalIdentity(address: victim.peer, resolvingKey: $0.resolvingKey)
        }
        try pair.order(1) { [victim] host, now, actions in
            try host.keep(victim, at: now, into: &actions)
            try host.removeBond(old.peer, at: now, into: &actions)
        }
        try removeBond(&pair, 0)
        pair.host(0).change { core in core.security.set(thief) }
        pair.forget()
        return victim
    }

    @Test("A peer that gives itself out as another, with whom there is a bond, is refused")
    func stolenIdentity() throws {
        var pair = try Self.bonded()
        let victim = try Self.stealIdentity(&pair)
        try pair.connect()
        try pair.pair()
        #expect(pair.failures(1) == [.refused(.keyRejected)])
        #expect(pair.host(1).bonds == [victim] && pair.stores[1].kept.all == [victim])
    }

    @Test("A bond that is removed while its peer is there ends the connection")
    func removal() throws {
        for end in 0..<2 {
            var pair = try Self.bonded()
            try pair.connect()
            try Self.removeBond(&pair, end)
            #expect(pair.others[end].contains { $0.name == "disconnected" })
            #expect(pair.security[end].contains { if case .bondRemoved = $0 { true } else { false } })
            #expect(pair.stores[end].kept.all.isEmpty)
        }
    }

    @Test("A link whose encryption has ended, or whose key could not be changed, is a plain one")
    func encryptionEnds() throws {
        for event in 0..<3 {
            var pair = try Self.bonded()
            try pair.connect()
            pair.forget()
            pair.pair.inject(\.peripheral) { handle in
                switch event {
                case 0: .encryptionChange(EncryptionChange(connection: handle, isEncrypted: false))
                case 1:
                    .encryptionChange(
                        EncryptionChange(status: .pinOrKeyMissing, connection: handle, isEncrypted: true)
                    )
                default:
                    .encryptionKeyRefreshComplete(
                        EncryptionKeyRefreshComplete(status: .pinOrKeyMissing, connection: handle)
                    )
                }
            }
            pair.collect()
            #expect(pair.link(1)?.isEncrypted == false && pair.link(1)?.hasKey == true)
            #expect(pair.security[1].count == 1)
            #expect(try pair.read(1) == refused(.insufficientEncryption, pair.handles[1].value))
        }
    }

    @Test("A controller that says a link is encrypted, which nobody asked for, is not believed to have a key")
    func unknownKey() throws {
        var pair = HostPairingTests.justWorks()
        try pair.connect()
        pair.pair.inject(\.peripheral) { .encryptionChange(EncryptionChange(connection: $0, isEncrypted: true)) }
        pair.collect()
        #expect(pair.link(1)?.isEncrypted == false)
    }
}

func refused(_ error: ATTError, _ handle: AttributeHandle, _ request: ATTOpcode = .readRequest) -> ProcedureResult {
    .failed(.refused(error, request: request, handle: handle.rawValue))
}
