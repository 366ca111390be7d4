import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// Strangers who show the address of a bonded device.
@Suite("A stranger with a bonded address")
struct BondReplacementTests {
    /// Two that have bonded by Just Works, and a stranger in the place of the central: the same address, and no key.
    private static func stranger(
        _ replacement: PairingSettings.BondReplacement,
        _ inputOutput: [IOCapability] = [.noInputNoOutput, .noInputNoOutput]
    ) throws -> SecuredPair {
        var pair = try HostBondTests.bonded(.preferred, inputOutput) { $0.pairing.bondReplacement = replacement }
        try HostBondTests.removeBond(&pair, 0)
        pair.forget()
        try pair.connect()
        return pair
    }

    @Test("Where no person can be asked, Just Works does not replace a bond of Just Works: the peer hears why")
    func justWorks() throws {
        var pair = try Self.stranger(.granted)
        let old = pair.host(1).bonds
        try pair.pair()
        #expect(pair.failures(0) == [.refusedByPeer(.authenticationRequirements)])
        #expect(pair.host(1).bonds == old && pair.stores[1].kept.all == old)
        #expect(pair.link(1)?.isEncrypted == false)
        #expect(try pair.read(1) == refused(.insufficientEncryption, pair.handles[1].value))
    }

    @Test("Who knows the passkey may take the place of a bond of Just Works")
    func passkey() throws {
        var pair = try Self.stranger(.granted, [.noInputNoOutput, .displayOnly])
        let old = pair.host(1).bonds
        try pair.pair(HostPairingTests.settings(.keyboardOnly))
        #expect(pair.results(1).first?.method == .passkeyEntry(shownBy: .peripheral))
        #expect(pair.host(1).bonds.count == 1 && pair.host(1).bonds != old)
    }

    @Test(
        "A bond that another connection makes meanwhile is not replaced by a pairing that began before it",
        arguments: [0, 1]
    )
    func meanwhile(_ end: Int) throws {
        var settings = PairingSettings()
        settings.inputOutput = .displayYesNo
        var pair = SecurityPair([settings, settings])
        try pair.pair()
        let bond = PairingResources.BondStrength(
            peer: SecurityPair.addresses[1 - end],
            key: try #require(pair.results(end).first?.linkKey)
        )
        pair.close()
        pair.open()
        // Who is asked whether the digits are the same takes a while.
        pair.person = { pair, asked, event in
            pair.managers[end].bonds = [bond]
            return pair.honestAnswer(asked, event)
        }
        try pair.pair()
        #expect(pair.failures(end) == [.refused(.keyRejected)] && pair.results(end).count == 1)
        // One that was there before was asked about, where that is to be.
        pair.close()
        pair.open()
        pair.advance(by: .seconds(60))
        try pair.pair()
        #expect(pair.results(end).count == 2)
    }

    @Test("A bond that is made while another peer holds back its last key is not replaced either", arguments: [0, 1])
    func beforeTheLastKey(_ end: Int) throws {
        var settings = PairingSettings()
        settings.givenKeys = [.encryption, .identity, .signing]
        settings.takenKeys = settings.givenKeys
        for isMade in [true, false] {
            var pair = SecurityPair([settings, settings])
            let isSigningKey = { (bytes: [UInt8]) in bytes.first == SMPCode.signingInformation.rawValue }
            pair.mangle = { _, sender, bytes in sender == end || !isSigningKey(bytes) }
            try pair.pair()
            #expect(pair.results(end).isEmpty && pair.failures(end).isEmpty)
            if isMade {
                pair.managers[end].bonds = [
                    PairingResources.BondStrength(
                        peer: try #require(SecurityPair.identities[1 - end]).address,
                        key: try #require(pair.linkKey)
                    )
                ]
            }
            pair.mangle = { _, _, _ in true }
            pair.receive(end, .signingInformation(Block128(high: 5, low: 5)))
            #expect(pair.failures(end) == (isMade ? [.refused(.keyRejected)] : []))
            #expect(pair.results(end).count == (isMade ? 0 : 1))
        }
    }

    @Test("The bonded device itself may pair again over the link that its key encrypts")
    func proven() throws {
        var pair = try HostBondTests.bonded { $0.pairing.bondReplacement = .granted }
        let old = pair.host(1).bonds
        try pair.connect()
        try pair.pair()
        #expect(pair.results(1).first?.method == .justWorks)
        #expect(pair.host(1).bonds.count == 1 && pair.host(1).bonds != old)
    }

    @Test(
        "Who gives itself out, at the end of a pairing, as another bonded device is refused unless it is authenticated"
    )
    func identityAtTheEnd() throws {
        for (inputOutput, isGranted) in [(IOCapability.noInputNoOutput, false), (.keyboardOnly, true)] {
            var pair = try HostBondTests.bonded(.preferred, [.noInputNoOutput, .displayOnly]) {
                $0.pairing.bondReplacement = .granted
            }
            let victim = try HostBondTests.stealIdentity(&pair)
            try pair.connect()
            try pair.pair(HostPairingTests.settings(inputOutput))
            #expect(pair.failures(1) == (isGranted ? [] : [.refused(.keyRejected)]))
            #expect((pair.host(1).bonds == [victim]) == !isGranted)
        }
    }

    //   stranger, at the central's address     peripheral         central
    //        | pairs with a wrong passkey, often  |                  |
    //        |----------------------------------->|                  |
    //        |                                    |  LL_ENC_REQ      |
    //        |                                    |<-----------------|
    //        |                                    |  pairs           |
    //        |                                    |<-----------------|
    @Test("Failures under its address do not make the bonded device wait: it encrypts, and may pair at once")
    func lockOut() throws {
        var pair = try HostBondTests.bonded(.preferred, [.keyboardOnly, .displayOnly]) {
            $0.pairing.bondReplacement = .granted
            $0.pairing.passkey = Passkey(4_711).map { .fixed($0) } ?? .fresh
        }
        let bond = try #require(pair.host(0).bonds.first)
        try HostBondTests.removeBond(&pair, 0)
        let honest = pair.person
        pair.person = { _, end, event in
            guard end == 0, case .passkeyRequested = event else { return nil }
            return Passkey(1).map { .passkey($0) }
        }
        // Eight failures, the last of which is worth 128 s.
        for number in 0..<8 {
            try pair.connect()
            pair.host(0).change { core in core.security.attempts = RepeatedAttempts() }
            pair.forget()
            try pair.pair()
            #expect(pair.failures(0) == [.refusedByPeer(.confirmValueFailed)], "\(number)")
            try pair.disconnect()
            if number < 7 { pair.run(for: .seconds(1 << Int64(number))) }
        }
        // A stranger waits.
        try pair.connect()
        pair.host(0).change { core in core.security.attempts = RepeatedAttempts() }
        pair.forget()
        try pair.pair()
        #expect(pair.failures(0) == [.refusedByPeer(.repeatedAttempts)])
        try pair.disconnect()
        // The device with the key does not.
        try pair.order(0) { host, now, actions in try host.keep(bond, at: now, into: &actions) }
        pair.host(0).change { core in core.security.attempts = RepeatedAttempts() }
        pair.person = honest
        pair.forget()
        try pair.connect()
        #expect(pair.link(0)?.isEncrypted == true && pair.link(1)?.isEncrypted == true)
        #expect(pair.encryptionFailures(0).isEmpty && pair.encryptionFailures(1).isEmpty)
        try pair.pair()
        #expect(pair.results(0).count == 1 && pair.failures(1).isEmpty)
    }

    @Test("Another connection of the device whose bond is replaced proves nothing any more, whatever its key has made")
    func otherConnection() {
        var bench = HostBench.up()
        let identity = DeviceAddress(value: 0xC0FF_EE00_0001, kind: .random)
        let keys = (1...2).map { number in
            LongTermKey(
                value: Block128(high: number, low: number),
                identification: .none,
                size: 16,
                isAuthenticated: true,
                isSecureConnections: true
            )
        }
        var connections: [ConnectionID] = []
        for (number, key) in keys.enumerated() {
            let address = DeviceAddress(value: identity.value + UInt64(number), kind: .random)
            connections.append(bench.connected(handle: 0x40 + UInt16(number), peer: address))
            // Both end up as the same device: the second one gives its identity when it pairs.
            bench.order { host, now, actions in
                host.finishPairing(connections[number], with: key, as: identity, at: now, into: &actions)
            }
            #expect(bench.host.isProven(connections[number]))
        }
        #expect(bench.host.bonds.map(\.keyAsPeripheral) == [keys[1]])
        #expect(!bench.host.isProven(connections[0]))
    }
}
