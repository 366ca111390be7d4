import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("Signed writes")
struct SignedWriteTests {
    /// Bonded hosts that have each other's signing keys, connected without encryption.
    static func bonded(_ capabilities: [IOCapability] = [.noInputNoOutput, .noInputNoOutput]) throws -> SecuredPair {
        let settings = capabilities.map { capability in
            HostPairingTests.settings(capability) { settings in
                settings.givenKeys.insert(.signing)
                settings.takenKeys.insert(.signing)
            }
        }
        var pair = SecuredPair(settings) { $0.encryptsBondedLinks = false }
        try pair.connect()
        try pair.pair()
        try pair.disconnect()
        try pair.connect()
        pair.forget()
        return pair
    }

    static func write(_ pair: inout SecuredPair, _ value: [UInt8], to index: Int = 3) throws -> Bool {
        let link = pair.links[0]
        let handle = pair.handles[index].value
        return try pair.order(0) { host, now, actions throws(OrderError) in
            try host.writeSigned(value, link, handle, at: now, into: &actions)
        }
    }

    static func written(_ pair: borrowing SecuredPair) -> [[UInt8]] {
        pair.others[1].compactMap { if case .server(.valueWritten(_, _, let value)) = $0 { value } else { nil } }
    }

    @Test("What a bonded peer signs is written, and both counters have been saved")
    func flow() throws {
        var pair = try Self.bonded()
        #expect(try Self.write(&pair, [1, 2]) && Self.write(&pair, [3]))
        #expect(Self.written(pair) == [[1, 2], [3]])
        #expect(pair.stores[0].kept.all[0].localSignCounter == 2)
        #expect(pair.stores[1].kept.all[0].peerSignCounter == 2)
        let sent = try #require(pair.pair.encryption.inClear.first)
        #expect(sent[9] == 0xD2 && sent.count == 9 + 3 + 2 + 12)
    }

    /// A packet as it went from the central, as the peripheral's controller brings it.
    static func replay(_ pair: inout SecuredPair, _ packet: [UInt8]) {
        var packet = packet
        packet[2] = packet[2] & 0x0F | 0x20
        let bytes = packet
        pair.order(1) { host, now, actions in host.receive(hci: bytes, at: now, into: &actions) }
    }

    @Test("What has come before, or was changed on the way, is dropped without a word")
    func replay() throws {
        var pair = try Self.bonded()
        #expect(try Self.write(&pair, [1]) && Self.write(&pair, [2]))
        let packets = pair.pair.encryption.inClear
        pair.forget()
        for packet in packets { Self.replay(&pair, packet) }
        for index in 9..<packets[1].count {
            var changed = packets[1]
            changed[index] ^= 0x80
            Self.replay(&pair, changed)
        }
        #expect(Self.written(pair).isEmpty && pair.pair.encryption.inClear.isEmpty)
        #expect(pair.stores[1].kept.all[0].peerSignCounter == 2)
        // Not after a new connection either, and not on another host that has the same store.
        try pair.disconnect()
        try pair.connect()
        for packet in packets { Self.replay(&pair, packet) }
        #expect(Self.written(pair).isEmpty)
        #expect(try Self.write(&pair, [3]))
        #expect(Self.written(pair) == [[3]])
    }

    @Test("Counters that were lost on the way do no harm")
    func gap() throws {
        var pair = try Self.bonded()
        pair.pair.isOutOfRange = true
        for _ in 0..<3 { _ = try Self.write(&pair, [1]) }
        pair.pair.isOutOfRange = false
        #expect(try Self.write(&pair, [2]))
        #expect(Self.written(pair) == [[2]] && pair.stores[1].kept.all[0].peerSignCounter == 4)
    }

    @Test("Over an encrypted link no signature is needed, and none is taken")
    func encrypted() throws {
        var pair = try Self.bonded()
        #expect(try Self.write(&pair, [1]))
        let packet = try #require(pair.pair.encryption.inClear.first)
        let bond = pair.host(0).bonds[0]
        let link = pair.links[0]
        try pair.order(0) { host, now, actions in
            try host.secure(link, atLeast: .encrypted, at: now, into: &actions)
        }
        pair.forget()
        #expect(try Self.write(&pair, [2]))
        #expect(Self.written(pair) == [[2]] && pair.host(0).bonds[0] == bond)
        // A good signature with a new counter.
        var signed = Array(packet[9..<13])
        let signature = DataSignature(
            signing: signed.span.bytes,
            key: try #require(bond.localSigningKey),
            counter: bond.localSignCounter
        )
        signature.write(to: &signed)
        Self.replay(&pair, Array(packet[..<9]) + signed)
        #expect(Self.written(pair) == [[2]])
    }

    @Test("A signature does for what needs encryption, and for more only if the bond was authenticated")
    func strength() throws {
        for isAuthenticated in [false, true] {
            var services = SecuredPair.services
            services[1].characteristics[3].permissions.write = .authenticated
            var pair = try Self.bonded(
                isAuthenticated ? [.keyboardOnly, .displayOnly] : [.noInputNoOutput, .noInputNoOutput]
            )
            let range = pair.host(1).database.attributes.last { $0.role == .service }
            let service = try #require(range).handle
            let changed = services[1]
            pair.handles = try pair.order(1) { host, now, actions throws(DatabaseError) in
                try host.removeService(at: service, at: now, into: &actions)
                return try host.addServices([changed], at: now, into: &actions)[0].characteristics
            }
            pair.forget()
            #expect(try Self.write(&pair, [1]))
            #expect(Self.written(pair) == (isAuthenticated ? [[1]] : []))
        }
    }

    @Test("Only characteristics that say so are written with a signature, and those not in the clear without one")
    func properties() throws {
        var pair = try Self.bonded()
        #expect(try Self.write(&pair, [1], to: 1))
        #expect(Self.written(pair).isEmpty)
        let link = pair.links[0]
        let handle = pair.handles[3].value
        let wasSent = try pair.order(0) { host, now, actions throws(OrderError) in
            try host.writeCommand([1], link, handle, at: now, into: &actions)
        }
        #expect(wasSent && Self.written(pair).isEmpty)
        #expect(try pair.write([1], handle) == refused(.insufficientEncryption, handle, .writeRequest))
    }

    @Test("Without a key, or with a store that fails, nothing is signed; with a store that fails nothing is taken")
    func failures() throws {
        var stranger = HostPairingTests.justWorks()
        try stranger.connect()
        #expect(throws: OrderError.noSigningKey) { try Self.write(&stranger, [1]) }
        var pair = try Self.bonded()
        pair.stores[0].fails = true
        #expect(throws: OrderError.bondStoreFailed) { try Self.write(&pair, [1]) }
        #expect(pair.pair.encryption.inClear.isEmpty && pair.host(0).bonds[0].localSignCounter == 0)
        pair.stores[0].fails = false
        pair.stores[1].fails = true
        #expect(try Self.write(&pair, [1]))
        #expect(Self.written(pair).isEmpty)
        #expect(throws: OrderError.valueTooLong) { try Self.write(&pair, [UInt8](repeating: 0, count: 9)) }
    }
}
