import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatHost

/// Pairings of another stack, gone through with our mathematics.
@Suite("Transcripts of Bumble pairings")
struct TranscriptTests {
    private func terms(_ transcript: Transcript, _ role: ConnectionRole) throws -> PairingTerms {
        let pdus = try transcript.lines.map { try SMPPDU(parsing: $0.bytes.span.bytes) }
        guard case .pairingRequest(let request) = pdus[0], case .pairingResponse(let response) = pdus[1] else {
            throw PairingFailureReason.unspecified
        }
        return try PairingTerms(
            role: role,
            addresses: PairingAddresses(initiator: Transcript.initiator, responder: Transcript.responder),
            request: request,
            response: response,
            settings: PairingSettings()
        )
    }

    private func values(_ transcript: Transcript, _ isInitiator: Bool, _ code: SMPCode) throws -> [Block128] {
        try transcript.lines.filter { $0.isInitiator == isInitiator && $0.bytes[0] == code.rawValue }.map {
            try #require(Block128(littleEndian: $0.bytes.dropFirst()))
        }
    }

    private func little(_ hex: String) throws -> Block128 {
        try #require(Block128(littleEndian: [UInt8](hex: hex) ?? []))
    }

    @Test("Every PDU is understood, and is the same again when written", arguments: Transcript.all)
    func codecs(_ transcript: Transcript) throws {
        for line in transcript.lines { #expect(try SMPPDU(parsing: line.bytes.span.bytes).bytes == line.bytes) }
    }

    @Test(
        "Legacy: both confirm values and the short term key",
        arguments: Transcript.all.filter { $0.privateKeys == [] }
    )
    func legacy(_ transcript: Transcript) throws {
        let terms = try terms(transcript, .central)
        let key: Block128 =
            switch transcript.method {
            case .passkey: try #require(transcript.digits.flatMap { Passkey($0) }).block
            case .outOfBand: try little(transcript.outOfBand[0])
            default: .zero
            }
        var randoms: [Block128] = []
        for isInitiator in [true, false] {
            let confirm = try values(transcript, isInitiator, .pairingConfirm)[0]
            let random = try values(transcript, isInitiator, .pairingRandom)[0]
            #expect(confirm == terms.legacyConfirm(temporaryKey: key, random: random))
            randoms.append(random)
        }
        let stk = terms.shortTermKey(temporaryKey: key, initiator: randoms[0], responder: randoms[1])
        #expect(try stk == little(transcript.key))
    }

    @Test(
        "Secure Connections: commitments, digits, both DHKey checks and the long term key, from either side",
        arguments: Transcript.all.filter { $0.privateKeys != [] },
        ConnectionRole.allCases
    )
    func secureConnections(_ transcript: Transcript, _ role: ConnectionRole) throws {
        let terms = try terms(transcript, role)
        let isInitiator = role == .central
        let pairs = try transcript.privateKeys.map { hex in
            try #require(Block256(bigEndian: [UInt8](hex: hex) ?? []).flatMap { P256KeyPair(privateKey: $0) })
        }
        let keys = pairs.map { PairingPublicKey(x: $0.publicKey.x, y: $0.publicKey.y) }
        // The keys that were sent are those of the private keys.
        for (index, isInitiator) in [true, false].enumerated() {
            let line = try #require(transcript.lines.first { $0.bytes[0] == 0x0C && $0.isInitiator == isInitiator })
            #expect(line.bytes == SMPPDU.pairingPublicKey(keys[index]).bytes)
        }
        let agreement = try KeyAgreement(pairs[isInitiator ? 0 : 1], keys[isInitiator ? 1 : 0], PairingSettings())

        let passkey = transcript.digits.flatMap { Passkey($0) }
        let own = try values(transcript, isInitiator, .pairingRandom)
        let peer = try values(transcript, !isInitiator, .pairingRandom)
        let ownConfirms = try values(transcript, isInitiator, .pairingConfirm)
        let peerConfirms = try values(transcript, !isInitiator, .pairingConfirm)
        for (round, confirm) in ownConfirms.enumerated() {
            let bit = transcript.method == .passkey ? 0x80 | (try #require(passkey)).bit(round) : 0
            #expect(confirm == agreement.ownCommitment(own[round], bit))
        }
        for (round, confirm) in peerConfirms.enumerated() {
            let bit = transcript.method == .passkey ? 0x80 | (try #require(passkey)).bit(round) : 0
            #expect(confirm == agreement.peerCommitment(peer[round], bit))
        }
        #expect(ownConfirms.count == (transcript.method == .passkey ? 20 : ownConfirms.count))

        let nonces = PairingNonces(own: try #require(own.last), peer: try #require(peer.last), role: role)
        if transcript.method == .numericComparison { #expect(agreement.digits(nonces, role: role) == passkey) }

        var values = CheckValues()
        if transcript.method == .passkey, let passkey {
            values = CheckValues(initiator: passkey.block, responder: passkey.block)
        }
        if transcript.method == .outOfBand {
            if terms.hasOutOfBandData(.peripheral) { values.initiator = try little(transcript.outOfBand[0]) }
            if terms.hasOutOfBandData(.central) { values.responder = try little(transcript.outOfBand[1]) }
        }
        let check = KeyCheck(terms, agreement, nonces, values)
        #expect(check.own == (try self.values(transcript, isInitiator, .pairingDHKeyCheck))[0])
        #expect(check.accepts(try self.values(transcript, !isInitiator, .pairingDHKeyCheck)[0]))
        #expect(try check.key.value == little(transcript.key))
    }
}
