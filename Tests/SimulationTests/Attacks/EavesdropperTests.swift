import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// What somebody learns who only listens, from the first frame of a pairing on. The warnings of docs/security.md rest on
/// these tests, and so do its promises.
@Suite("Eavesdroppers")
struct EavesdropperTests {
    static let secret = Array("open on Tuesdays".utf8)

    @Test("Legacy Just Works is read by whoever has heard the pairing: its temporary key is zero")
    func legacyJustWorks() throws {
        let listener = try listen(io: .noInputNoOutput, .never).listener
        #expect(!listener.heard(Self.secret))
        let capture = try #require(LegacyCapture(listener))
        #expect(capture.matches(temporaryKey: .zero))
        let frames = try #require(listener.decrypted(with: capture.shortTermKey(temporaryKey: .zero)))
        #expect(frames.contains { $0.pdu.contains(Self.secret) })
        // The keys for all later connections went over the same link.
        #expect(frames.contains { $0.channel == 6 && $0.pdu.first == SMPCode.encryptionInformation.rawValue })
    }

    @Test("A legacy passkey of six digits is found by trying them all")
    func legacyPasskey() throws {
        // Tried in order, so that a small one keeps the test short: the last, 999999, takes thirty times as long.
        let passkey = try #require(Passkey(31_415))
        let listener = try listen(io: .displayOnly, .never, passkey: passkey).listener
        #expect(!listener.heard(Self.secret))
        let capture = try #require(LegacyCapture(listener))
        let found = try #require((0..<1_000_000).first { capture.matches(temporaryKey: Block128(high: 0, low: $0)) })
        #expect(found == UInt64(passkey.value))
        let key = capture.shortTermKey(temporaryKey: Block128(high: 0, low: found))
        #expect(listener.decrypted(with: key)?.contains { $0.pdu.contains(Self.secret) } == true)
    }

    @Test(
        "LE Secure Connections give a listener nothing, whatever the method",
        arguments: [IOCapability.noInputNoOutput, .displayOnly, .displayYesNo]
    )
    func secureConnections(io: IOCapability) throws {
        let (listener, key) = try listen(io: io, .preferred)
        #expect(!listener.heard(Self.secret))
        let capture = try #require(SecureCapture(listener))
        // All that was said aloud, and what a careless implementation would have used.
        var guesses = listener.pairing.flatMap { Self.blocks(in: $0.bytes) }
        guesses += [.zero, capture.longTermKey(secret: .zero)]
        for own in [capture.initiatorKey, capture.responderKey] {
            guesses.append(capture.longTermKey(secret: own.x))
            guesses.append(capture.longTermKey(secret: P256KeyPair.debug.sharedSecret(with: own)))
        }
        #expect(guesses.count > 100)
        for guess in guesses { #expect(listener.decrypted(with: guess) == nil) }
        // With the key that the two have, the same frames are read: it is nothing else that keeps the listener out.
        #expect(!guesses.contains(key))
        #expect(listener.decrypted(with: key)?.contains { $0.pdu.contains(Self.secret) } == true)
    }

    @Test("With the debug key, which is used if asked for only, the same listener reads everything")
    func debugKey() throws {
        var settings = PairingSettings()
        settings.privateKey = .debug
        var peer = PairingSettings()
        peer.acceptsDebugKey = true
        let listener = try listen(settings, peer).listener
        let capture = try #require(SecureCapture(listener))
        let secret = P256KeyPair.debug.sharedSecret(with: capture.responderKey)
        let frames = try #require(listener.decrypted(with: capture.longTermKey(secret: secret)))
        #expect(frames.contains { $0.pdu.contains(Self.secret) })
    }

    // MARK: Steps

    private func listen(
        io: IOCapability,
        _ secureConnections: PairingSettings.SecureConnections,
        passkey: Passkey? = nil
    ) throws -> (listener: Eavesdropper, key: Block128) {
        var central = PairingSettings(), peripheral = PairingSettings()
        central.inputOutput = io == .displayOnly ? .keyboardOnly : io
        peripheral.inputOutput = io
        central.secureConnections = secureConnections
        peripheral.secureConnections = secureConnections
        if let passkey { peripheral.passkey = .fixed(passkey) }
        return try listen(central, peripheral)
    }

    /// Pairs under the ears of a listener, and sends a secret over the encrypted link; with the key, which the listener
    /// does not know.
    private func listen(
        _ central: PairingSettings,
        _ peripheral: PairingSettings
    ) throws -> (listener: Eavesdropper, key: Block128) {
        let scene = PairingScene(central: central, peripheral: peripheral, seed: 3)
        let listener = Eavesdropper()
        scene.world.tap = listener
        try scene.world.perform(on: scene.peripheralID) { host, now, actions throws(OrderError) in
            _ = try? host.addServices(
                [
                    ServiceDefinition(
                        0xFFE0,
                        handle: 0x0100,
                        characteristics: [
                            CharacteristicDefinition(
                                0xFFE2,
                                properties: [.write],
                                permissions: AttributePermissions(write: .encrypted),
                                handle: 0x0101,
                                valueHandle: 0x0102
                            )
                        ]
                    )
                ],
                at: now,
                into: &actions
            )
        }
        try scene.pair()
        let link = try #require(scene.central.link)
        #expect(scene.security(.central)?.isEncrypted == true)
        try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
            _ = try host.write(Self.secret, link, 0x0102, at: now, into: &actions)
        }
        scene.world.run(for: .seconds(2))
        #expect(scene.peripheral.values == [Self.secret])
        return (listener, try #require(scene.key(.central)).value)
    }

    /// Every sixteen bytes in a row, both ways round.
    private static func blocks(in bytes: [UInt8]) -> [Block128] {
        guard bytes.count >= 16 else { return [] }
        return (0...(bytes.count - 16)).flatMap { start in
            let block = Array(bytes[start..<start + 16])
            return [block, block.reversed()].compactMap { bytes in
                var span = bytes.span.bytes
                return try? Block128(parsing: &span)
            }
        }
    }
}

/// What a listener has of a legacy pairing.
private struct LegacyCapture {
    let request: [UInt8], response: [UInt8]
    let confirm: Block128, initiatorRandom: Block128, responderRandom: Block128
    let initiator: DeviceAddress, responder: DeviceAddress

    init?(_ listener: Eavesdropper) {
        var request: [UInt8]?, response: [UInt8]?, confirm: Block128?, randoms: [Bool: Block128] = [:]
        for (pdu, bytes, fromCentral) in listener.pairing {
            switch pdu {
            case .pairingRequest: request = bytes
            case .pairingResponse: response = bytes
            case .pairingConfirm(let value) where fromCentral: confirm = value
            case .pairingRandom(let value): randoms[fromCentral] = value
            default: break
            }
        }
        guard let request, let response, let confirm, let central = randoms[true], let peripheral = randoms[false],
            let initiator = listener.initiator, let responder = listener.responder
        else { return nil }
        self.request = request
        self.response = response
        self.confirm = confirm
        initiatorRandom = central
        responderRandom = peripheral
        self.initiator = initiator
        self.responder = responder
    }

    func matches(temporaryKey: Block128) -> Bool {
        confirm
            == PairingFunctions.c1(
                k: temporaryKey,
                r: initiatorRandom,
                preq: request,
                pres: response,
                ia: initiator,
                ra: responder
            )
    }

    func shortTermKey(temporaryKey: Block128) -> Block128 {
        PairingFunctions.s1(k: temporaryKey, r1: responderRandom, r2: initiatorRandom)
    }
}

/// What a listener has of a pairing with LE Secure Connections.
private struct SecureCapture {
    let initiatorKey: P256PublicKey, responderKey: P256PublicKey
    let initiatorNonce: Block128, responderNonce: Block128
    let initiator: DeviceAddress, responder: DeviceAddress

    init?(_ listener: Eavesdropper) {
        var keys: [Bool: P256PublicKey] = [:], nonces: [Bool: Block128] = [:]
        for (pdu, _, fromCentral) in listener.pairing {
            switch pdu {
            case .pairingPublicKey(let key): keys[fromCentral] = try? P256PublicKey(x: key.x, y: key.y)
            case .pairingRandom(let value): nonces[fromCentral] = value
            default: break
            }
        }
        guard let central = keys[true], let peripheral = keys[false], let na = nonces[true], let nb = nonces[false],
            let initiator = listener.initiator, let responder = listener.responder
        else { return nil }
        initiatorKey = central
        responderKey = peripheral
        initiatorNonce = na
        responderNonce = nb
        self.initiator = initiator
        self.responder = responder
    }

    func longTermKey(secret: Block256) -> Block128 {
        PairingFunctions.f5(w: secret, n1: initiatorNonce, n2: responderNonce, a1: initiator, a2: responder).longTermKey
    }
}
