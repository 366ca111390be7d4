import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// LE Read Local P-256 Public Key and LE Generate DHKey. Core 6.0, Vol 4, Part E, 7.8.36, 7.8.37.
@Suite("P-256 keys and shared secrets")
struct KeyCommandsTests {
    private func makeKey(_ bench: Bench) throws -> [UInt8] {
        try bench.succeed(.leReadLocalP256PublicKey)
        guard case .leReadLocalP256PublicKeyComplete(let complete) = try bench.nextEvent() else {
            throw Unexpected("no LE Read Local P-256 Public Key Complete")
        }
        #expect(complete.status == .success)
        return complete.publicKey
    }

    private func takeSecret(_ bench: Bench) throws -> [UInt8] {
        guard case .leGenerateDHKeyComplete(let complete) = try bench.nextEvent() else {
            throw Unexpected("no LE Generate DHKey Complete")
        }
        #expect(complete.status == .success)
        return complete.key
    }

    @Test("Two controllers come to the same secret")
    func agree() throws {
        let benches = [try Bench(seed: 1), try Bench(seed: 2)]
        let keys = try benches.map { try makeKey($0) }
        #expect(keys[0] != keys[1])
        let secrets = try [0, 1].map { index in
            try benches[index].succeed(.leGenerateDHKey(LEGenerateDHKey(publicKey: keys[1 - index])))
            return try takeSecret(benches[index])
        }
        #expect(secrets[0] == secrets[1])
    }

    @Test("Each key pair is new, the same ones come with the same seed, and the last one counts")
    func fresh() throws {
        let bench = try Bench(seed: 1)
        let first = try makeKey(bench), second = try makeKey(bench)
        #expect(first != second)
        #expect(try makeKey(try Bench(seed: 1)) == first)
        let own = P256KeyPair.debug
        try bench.succeed(.leGenerateDHKey(LEGenerateDHKey(publicKey: own.publicKey.littleEndianBytes)))
        let secret = own.sharedSecret(with: try P256PublicKey(littleEndian: second))
        #expect(try takeSecret(bench) == secret.littleEndianBytes)
    }

    @Test("The second version takes the debug key if asked, even where there is no other")
    func debugKey() throws {
        let bench = try Bench()
        var stream = SeededRandom(seed: 3, purpose: "test")
        let peer = P256KeyPair(using: &stream)
        let publicKey = peer.publicKey.littleEndianBytes
        try bench.succeed(.leGenerateDHKeyV2(LEGenerateDHKeyV2(publicKey: publicKey, usesDebugKey: true)))
        let secret = peer.sharedSecret(with: P256KeyPair.debug.publicKey)
        #expect(try takeSecret(bench) == secret.littleEndianBytes)
        let command = LEGenerateDHKeyV2(publicKey: publicKey, usesDebugKey: false)
        #expect(try bench.status(of: .leGenerateDHKeyV2(command)) == .commandDisallowed)
        let own = try makeKey(bench)
        try bench.succeed(.leGenerateDHKeyV2(command))
        let other = peer.sharedSecret(with: try P256PublicKey(littleEndian: own))
        #expect(try takeSecret(bench) == other.littleEndianBytes)
    }

    @Test("A point that is not on the curve is refused, and nothing of the private key told")
    func invalid() throws {
        let bench = try Bench()
        _ = try makeKey(bench)
        var offCurve = P256KeyPair.debug.publicKey.littleEndianBytes
        offCurve[40] ^= 1
        for key in [[UInt8](repeating: 0, count: 64), [UInt8](repeating: 0xFF, count: 64), offCurve] {
            let commands: [Command] = [
                .leGenerateDHKey(LEGenerateDHKey(publicKey: key)),
                .leGenerateDHKeyV2(LEGenerateDHKeyV2(publicKey: key, usesDebugKey: true)),
            ]
            for command in commands {
                #expect(try bench.status(of: command) == .invalidCommandParameters)
                #expect(bench.takePackets().isEmpty)
            }
        }
    }

    @Test("Without a key pair there is no secret; Reset forgets the pair")
    func noKey() throws {
        let bench = try Bench()
        let command = Command.leGenerateDHKey(
            LEGenerateDHKey(publicKey: P256KeyPair.debug.publicKey.littleEndianBytes)
        )
        #expect(try bench.status(of: command) == .commandDisallowed)
        _ = try makeKey(bench)
        try bench.succeed(command)
        _ = try takeSecret(bench)
        try bench.succeed(.reset)
        #expect(try bench.status(of: command) == .commandDisallowed)
    }

    @Test("Masked, the events do not come")
    func masked() throws {
        let bench = try Bench()
        try bench.succeed(.leSetEventMask(LESetEventMask(mask: .standard)))
        try bench.succeed(.leReadLocalP256PublicKey)
        let command = LEGenerateDHKey(publicKey: P256KeyPair.debug.publicKey.littleEndianBytes)
        try bench.succeed(.leGenerateDHKey(command))
        #expect(bench.takePackets().isEmpty)
    }
}
