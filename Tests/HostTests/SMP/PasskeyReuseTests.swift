import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import Testing

@testable import BluethroatHost

/// Passkey entry with LE Secure Connections proves one bit of the passkey after the other, and each proof can be opened
/// by who has heard it: afterwards the passkey is known, and good for nothing but one pairing.
@Suite("Passkeys that are used again")
struct PasskeyReuseTests {
    private static let way = Way.all.first { $0.name == "passkey, peripheral shows" }

    private func pair(_ source: PairingSettings.PasskeySource) throws -> SecurityPair {
        let way = try #require(Self.way)
        return try way.pair { $0[1].passkey = source }
    }

    /// The passkey of a pairing, found in what was on the air.
    private func heard(_ sent: [[UInt8]]) throws -> UInt32 {
        var keys: [PairingPublicKey] = [], confirms: [Block128] = [], randoms: [Block128] = []
        for pdu in sent {
            switch try SMPPDU(parsing: pdu.span.bytes) {
            case .pairingPublicKey(let key): keys.append(key)
            case .pairingConfirm(let value): confirms.append(value)
            case .pairingRandom(let value): randoms.append(value)
            default: break
            }
        }
        try #require(keys.count == 2 && confirms.count == 40 && randoms.count == 40)
        return (0..<20).reduce(0) { passkey, round in
            // The initiator's commitment comes first in each round, and so does its nonce.
            let isOne =
                PairingFunctions.f4(u: keys[0].x, v: keys[1].x, x: randoms[2 * round], z: 0x81) == confirms[2 * round]
            return passkey | (isOne ? 1 : 0) << UInt32(round)
        }
    }

    @Test("A listener reads the passkey off one whole pairing; a fixed one is then good for the next pairing as well")
    func fixed() throws {
        let passkey = try #require(Passkey(271_828))
        var first = try pair(.fixed(passkey))
        try first.pair()
        #expect(first.results(0).count == 1)
        let known = try heard(first.sent.map(\.pdu))
        #expect(known == passkey.value)
        // The listener comes as a central of its own.
        var second = try pair(.fixed(passkey))
        let digits = try #require(Passkey(known))
        second.person = { _, end, _ in end == 0 ? .passkey(digits) : nil }
        try second.pair()
        #expect(second.results(1).first?.linkKey.isAuthenticated == true)
    }

    @Test("A passkey that is drawn for each pairing, as it is unless told otherwise, is worth nothing afterwards")
    func fresh() throws {
        #expect(PairingSettings().passkey == .fresh)
        var first = try pair(.fresh)
        try first.pair()
        let known = try heard(first.sent.map(\.pdu))
        #expect(first.shown(1)?.value == known)
        let digits = try #require(Passkey(known))
        // The same device, which has its random numbers go on.
        first.close()
        first.open()
        first.sent = []
        for end in 0..<2 { first.events[end] = [] }
        first.person = { _, end, _ in end == 0 ? .passkey(digits) : nil }
        try first.pair()
        #expect(first.results(0).isEmpty && first.results(1).isEmpty)
        #expect(first.sent.last?.pdu == [0x05, 0x04])
    }
}
