import Crypto
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("The agreement of desk and phone, and who stands between them")
struct HandshakeTests {
    private let id = DeskIdentifier("4711")!
    private let truth = DeskKey(random: .seeded(7))

    private func phone(_ seed: UInt64 = 1) -> PhoneHandshake {
        PhoneHandshake(id, wantsCode: true, random: .seeded(seed))
    }

    private func hello(_ phone: PhoneHandshake) throws -> LoginMessage.Hello {
        guard case .hello(let hello)? = LoginMessage(phone.hello) else { throw CancellationError() }
        return hello
    }

    private func offer(_ bytes: Data) throws -> LoginMessage.Offer {
        guard case .offer(let offer)? = LoginMessage(bytes) else { throw CancellationError() }
        return offer
    }

    private func reveal(_ bytes: Data) throws -> (key: Data, nonce: Data) {
        guard case .reveal(let key, let nonce)? = LoginMessage(bytes) else { throw CancellationError() }
        return (key, nonce)
    }

    /// How an agreement ends for both, where somebody may change each of the three messages on its way.
    private func agree(
        hello changeHello: (inout LoginMessage.Hello) -> Void = { _ in },
        offer changeOffer: (inout LoginMessage.Offer) -> Void = { _ in },
        reveal changeReveal: (inout Data, inout Data) -> Void = { _, _ in }
    ) throws -> (phone: String, desk: String) {
        var phone = phone()
        var heard = try hello(phone)
        changeHello(&heard)
        let desk = DeskHandshake(heard, deskKey: truth, demandsCode: false, random: .seeded(2))
        var offered = try offer(desk.offer)
        changeOffer(&offered)
        phone.take(offered)
        var (key, nonce) = try reveal(phone.reveal)
        changeReveal(&key, &nonce)
        let (_, deskCode, proof) = try desk.conclude(ephemeralKey: key, nonce: nonce)
        return (try phone.conclude(proof).code, deskCode)
    }

    @Test("Both have the same code if nobody has changed anything")
    func honest() throws {
        let codes = try agree()
        #expect(codes.phone == codes.desk && codes.phone.count == 6)
    }

    @Test("Whatever is changed on the way, the digits above all, the proof is none for the phone")
    func bound() throws {
        #expect(throws: Handshake.Failure.badProof, "another desk's digits") {
            try agree(hello: { $0.identifier = DeskIdentifier("4712")! })
        }
        #expect(throws: Handshake.Failure.badProof, "no code wanted") { try agree(hello: { $0.wantsCode = false }) }
        #expect(throws: Handshake.Failure.badProof, "the code demanded") { try agree(offer: { $0.demandsCode = true }) }
        #expect(throws: Handshake.Failure.badProof) { try agree(offer: { $0.nonce[0] ^= 1 }) }
        let other = Curve25519.KeyAgreement.PrivateKey(.seeded(9)).publicKey.rawRepresentation
        #expect(throws: Handshake.Failure.badProof) { try agree(offer: { $0.ephemeralKey = other }) }
        #expect(throws: Handshake.Failure.badProof) { try agree(offer: { $0.deskKey = other }) }
    }

    @Test("A phone that shows another key or nonce than it has promised gets nothing")
    func promise() {
        let other = Curve25519.KeyAgreement.PrivateKey(.seeded(9)).publicKey.rawRepresentation
        #expect(throws: Handshake.Failure.badKey) { try agree(reveal: { key, _ in key = other }) }
        #expect(throws: Handshake.Failure.badKey) { try agree(reveal: { _, nonce in nonce[3] ^= 1 }) }
        #expect(throws: Handshake.Failure.badKey) { try agree(hello: { $0.commitment[0] ^= 1 }) }
    }

    @Test("Points that give everybody the same secret are no keys", arguments: [UInt8(0), 1])
    func smallOrder(first: UInt8) throws {
        let point = Data([first]) + Data(count: 31)
        let nonce = Data(count: 16)
        let kept = Handshake.commitment(key: point, nonce: nonce)
        let desk = DeskHandshake(
            .init(identifier: id, wantsCode: true, commitment: kept),
            deskKey: truth,
            demandsCode: false,
            random: .seeded(2)
        )
        #expect(throws: Handshake.Failure.badKey) { try desk.conclude(ephemeralKey: point, nonce: nonce) }
        #expect(throws: Handshake.Failure.badKey) { try agree(offer: { $0.deskKey = point }) }
        #expect(throws: Handshake.Failure.badKey) { try agree(offer: { $0.ephemeralKey = point }) }
    }

    @Test("Who has only the public key of a desk finds no proof, whatever is put in the place of the secret")
    func publicKeyAlone() throws {
        var phone = phone()
        let own = Curve25519.KeyAgreement.PrivateKey(.seeded(666))
        let claimed = LoginMessage.Offer(
            ephemeralKey: own.publicKey.rawRepresentation,
            deskKey: truth.publicKey,
            nonce: Data(count: 16),
            demandsCode: false
        )
        phone.take(claimed)
        let phoneKey = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: reveal(phone.reveal).key)
        let known = try own.sharedSecretFromKeyAgreement(with: phoneKey).withUnsafeBytes { Data($0) }
        let said = [phone.hello, LoginMessage.offer(claimed).bytes, phone.reveal]
        let counted = said.reduce(Data()) { $0 + [UInt8($1.count >> 8), UInt8($1.count & 255)] + $1 }
        let transcript = Data(SHA256.hash(data: Data("bluethroat desk 2".utf8) + counted))
        for guess in [Data(), known, Data(count: 32), truth.publicKey, phoneKey.rawRepresentation] {
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: known + guess),
                salt: transcript,
                info: Data("proof".utf8),
                outputByteCount: 32
            )
            let proof = Data(HMAC<SHA256>.authenticationCode(for: transcript, using: key))
            #expect(throws: Handshake.Failure.badProof) { try phone.conclude(proof) }
        }
        // With the secret, put together in the same way, it is one: the guesses above are worth something.
        let secret = try truth.key.sharedSecretFromKeyAgreement(with: phoneKey).withUnsafeBytes { Data($0) }
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: known + secret),
            salt: transcript,
            info: Data("proof".utf8),
            outputByteCount: 32
        )
        _ = try phone.conclude(Data(HMAC<SHA256>.authenticationCode(for: transcript, using: key)))
    }

    @Test("No nonce is used twice with a key: the same message is other bytes each time, each way, and in each login")
    func nonces() throws {
        var seen: Set<Data> = []
        for login in UInt64(1)...3 {
            var phone = phone(login)
            let desk = DeskHandshake(try hello(phone), deskKey: truth, demandsCode: false, random: .seeded(100 + login))
            phone.take(try offer(desk.offer))
            let (key, nonce) = try reveal(phone.reveal)
            var (deskChannel, _, proof) = try desk.conclude(ephemeralKey: key, nonce: nonce)
            var (phoneChannel, _) = try phone.conclude(proof)
            for _ in 0..<300 {
                seen.insert(phoneChannel.seal(.lock))
                seen.insert(deskChannel.seal(.lock))
            }
        }
        #expect(seen.count == 3 * 600)
    }

    @Test("What was sealed opens once, in its turn, for the other side, in this conversation")
    func sealed() throws {
        let (one, other) = (
            SymmetricKey(data: Data(repeating: 1, count: 32)), SymmetricKey(data: Data(repeating: 2, count: 32))
        )
        var phone = SealedChannel(sending: one, receiving: other, bound: Data([1]))
        var desk = SealedChannel(sending: other, receiving: one, bound: Data([1]))
        func box(_ message: Data) throws -> Data {
            guard case .sealed(let box)? = LoginMessage(message) else { throw CancellationError() }
            return box
        }
        let lock = try box(phone.seal(.lock)), unlock = try box(phone.seal(.unlock))
        #expect(throws: SealedChannel.Broken.self, "out of turn") { try desk.open(unlock) }
        #expect(try desk.open(lock) == .lock)
        #expect(throws: SealedChannel.Broken.self, "a second time") { try desk.open(lock) }
        #expect(throws: SealedChannel.Broken.self, "back to who has sent it") { try phone.open(unlock) }
        var elsewhere = SealedChannel(sending: other, receiving: one, bound: Data([2]))
        #expect(throws: SealedChannel.Broken.self, "in another conversation") { try elsewhere.open(lock) }
        #expect(try desk.open(unlock) == .unlock)
    }
}
