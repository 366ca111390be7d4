import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("Hostile peers that pair")
struct HostilePeerTests {
    private func peripheral(_ change: (inout PairingSettings) -> Void = { _ in }) throws -> SecurityPair {
        var pair = try Way.all[5].pair { change(&$0[1]) }
        pair.mangle = { _, _, _ in false }
        return pair
    }

    private func request(_ change: (inout PairingFeatures) -> Void = { _ in }) -> SMPPDU {
        var features = PairingFeatures(
            inputOutput: .displayYesNo,
            requirements: [.bonding, .secureConnections],
            initiatorKeys: .identity,
            responderKeys: .identity
        )
        change(&features)
        return .pairingRequest(features)
    }

    // MARK: Features

    @Test(
        "Requests that cannot be granted are refused with their reason",
        arguments: [
            ("0105000d100303", 0x0A), ("0103020d100303", 0x0A), ("0103000d10030300", 0x0A), ("01", 0x0A),
            ("01030009060303", 0x06), ("01030009000303", 0x06), ("01030009110303", 0x0A), ("01030009ff0303", 0x0A),
            ("01030009070303", 0x06), ("01030001100303", 0x03), ("01030109100303", 0x02),
        ] as [(String, UInt8)]
    )
    func refusals(_ hex: String, _ reason: UInt8) throws {
        var pair = try peripheral { settings in
            settings.minimumKeySize = 8
            settings.secureConnections = hex.hasPrefix("010300011003") ? .only : .preferred
        }
        pair.receive(1, [UInt8](hex: hex) ?? [])
        #expect(pair.sent.map(\.pdu) == [[0x05, reason]])
        #expect(pair.isClean)
        // It was no attempt: the next request is granted.
        pair.receive(1, request())
        #expect(pair.sent.last?.pdu[0] == 0x02)
    }

    @Test("A peripheral whose protection is required refuses a central that can neither show nor type")
    func authenticationRequirements() throws {
        var pair = try peripheral { $0.protection = .required }
        pair.receive(1, request { $0.inputOutput = .noInputNoOutput })
        #expect(pair.sent.map(\.pdu) == [[0x05, 0x03]])
    }

    @Test("A peer that asks for keys without wanting a bond gets none")
    func keysWithoutBond() throws {
        var pair = try peripheral()
        pair.receive(1, request { $0.requirements = .secureConnections })
        #expect(pair.sent.map { $0.pdu.hex } == ["020100" + "0d" + "10" + "00" + "00"])
    }

    @Test("A response that adds keys to the list is refused")
    func addedKeys() throws {
        for keys in [(KeyDistribution.signing, KeyDistribution()), ([], .signing)] {
            var pair = try Way.all[5].pair { settings in
                settings[0].givenKeys = .identity
                settings[0].takenKeys = .identity
            }
            pair.mangle = { _, _, _ in false }
            try pair.pair()
            pair.receive(
                0,
                .pairingResponse(
                    PairingFeatures(
                        inputOutput: .noInputNoOutput,
                        requirements: [.bonding, .secureConnections],
                        initiatorKeys: keys.0,
                        responderKeys: keys.1
                    )
                )
            )
            #expect(pair.sent.last?.pdu == [0x05, 0x0A])
            #expect(pair.isClean)
        }
    }

    @Test("Data on another way are counted on and are not there: OOB not available")
    func outOfBandNotAvailable() throws {
        // The peer says that it has our data, and we have given none.
        var central = try Way.all[5].pair()
        central.mangle = { _, _, _ in false }
        try central.pair()
        central.receive(
            0,
            .pairingResponse(
                PairingFeatures(
                    inputOutput: .noInputNoOutput,
                    hasOutOfBandData: true,
                    requirements: [.bonding, .secureConnections],
                    initiatorKeys: [],
                    responderKeys: []
                )
            )
        )
        #expect(central.sent.last?.pdu == [0x05, 0x02])
        #expect(central.isClean)
    }

    @Test("Data made for one pairing are good for no other")
    func outOfBandOnce() throws {
        let way = try #require(Way.all.first { $0.name == "OOB both ways" })
        var pair = try way.pair()
        try pair.pair()
        #expect(pair.results(0).count == 1)
        try pair.pair()
        #expect(pair.sent.last?.pdu == [0x05, 0x02])
    }

    @Test("Data of somebody else on the other way are noticed")
    func wrongOutOfBand() throws {
        let way = try #require(Way.all.first { $0.name == "OOB, central has received" })
        var pair = try way.pair()
        var settings = pair.managers[0].links[0].settings
        let data = try #require(settings.outOfBand.secureConnections)
        settings.outOfBand.secureConnections = OutOfBandData(
            confirm: data.confirm ^ Way.temporaryKey,
            random: data.random
        )
        try pair.pair(settings)
        #expect(pair.sent.last?.pdu == [0x05, 0x04])
        #expect(pair.isClean)
    }

    // MARK: Public keys

    @Test("A public key that is not on the curve is refused before anything else is said", arguments: [0, 1])
    func invalidPoint(_ end: Int) throws {
        for flip in [0, 31, 32, 63] {
            var pair = try Way.all[8].pair()
            pair.mangle = { _, from, pdu in
                if pdu[0] == 0x0C, from == 1 - end { pdu[1 + flip] ^= 0x40 }
                return true
            }
            try pair.pair()
            #expect(pair.sent.last?.pdu == [0x05, 0x0B])
            #expect(pair.sent.last?.from == end)
            #expect(!pair.sent.contains { $0.pdu[0] == 0x03 && $0.from == end })
            #expect(pair.isClean)
        }
        var zero = try Way.all[5].pair()
        zero.mangle = { _, from, pdu in
            if pdu[0] == 0x0C, from == 1 - end { pdu = [0x0C] + [UInt8](repeating: 0, count: 64) }
            return true
        }
        try zero.pair()
        #expect(zero.sent.last?.pdu == [0x05, 0x0B])
    }

    @Test(
        "A peer that reflects our public key is refused, with the same y and with the other",
        arguments: [false, true]
    )
    func reflectedKey(_ negated: Bool) throws {
        // The prime of the field; the other point with the same x has p - y.
        let prime = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
        for way in Way.all where way.isSecure {
            var pair = try way.pair()
            pair.mangle = { _, _, _ in false }
            try pair.pair()
            pair.receive(0, .pairingResponse(try response(pair)))
            let sent = pair.sent[1].pdu
            guard case .pairingPublicKey(var key) = try SMPPDU(parsing: sent.span.bytes) else {
                Issue.record("no public key")
                return
            }
            if negated {
                let y = try subtract(key.y, from: [UInt8](hex: prime) ?? [])
                key = PairingPublicKey(x: key.x, y: y)
                _ = try P256PublicKey(x: key.x, y: key.y)
            }
            pair.receive(0, .pairingPublicKey(key))
            #expect(pair.sent.last?.pdu == [0x05, 0x0B], "\(way.name)")
            #expect(pair.isClean)
        }
    }

    private func response(_ pair: SecurityPair) throws -> PairingFeatures {
        let sent = pair.sent[0].pdu
        guard case .pairingRequest(let request) = try SMPPDU(parsing: sent.span.bytes) else {
            throw PairingFailureReason.unspecified
        }
        return pair.managers[1].links[0].settings.response(to: request, hasIdentity: true)
    }

    private func subtract(_ value: Block256, from prime: [UInt8]) throws -> Block256 {
        var result = prime
        var borrow = 0
        let subtrahend = value.bigEndianBytes
        for index in (0..<32).reversed() {
            let difference = Int(prime[index]) - Int(subtrahend[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            result[index] = UInt8(truncatingIfNeeded: difference)
        }
        return try #require(Block256(bigEndian: result))
    }

    @Test("A peer that reflects every commitment of legacy pairing gets no random value")
    func reflectedConfirm() throws {
        for way in Way.all where !way.isSecure {
            var pair = try way.pair()
            pair.mangle = { _, _, _ in false }
            try pair.pair()
            pair.receive(0, .pairingResponse(try response(pair)))
            if way.method == .passkeyEntry(shownBy: nil) || way.method == .passkeyEntry(shownBy: .peripheral) {
                try pair.answer(0, .passkey(try #require(Passkey(1))))
            }
            let confirm = try #require(pair.sent.last?.pdu)
            #expect(confirm[0] == 0x03)
            pair.receive(0, confirm)
            #expect(pair.sent.last?.pdu == [0x05, 0x04], "\(way.name)")
            #expect(!pair.sent.contains { $0.pdu[0] == 0x04 })
        }
    }

    @Test("With debug keys on both sides, a peer that reflects every round of passkey entry proves nothing")
    func reflectedRounds() throws {
        let way = try #require(Way.all.first { $0.name == "passkey, central shows" })
        var pair = try way.pair { $0[0].privateKey = .debug }
        pair.mangle = { _, _, _ in false }
        try pair.pair()
        pair.receive(0, .pairingResponse(try response(pair)))
        for number in [1, 2] { pair.receive(0, pair.sent[number].pdu) }
        #expect(pair.sent.map { $0.pdu[0] } == [0x01, 0x0C, 0x03, 0x05])
        #expect(pair.sent.last?.pdu == [0x05, 0x04])
    }

    // MARK: The wrong PDU

    @Test("Outside of a pairing only what begins one is answered")
    func idle() throws {
        for example in SMPExample.all {
            var pair = try Way.all[5].pair()
            pair.mangle = { _, _, _ in false }
            for end in 0..<2 {
                pair.receive(end, example.pdu)
                let answers = pair.sent.filter { $0.from == end }.map(\.pdu)
                switch (example.pdu, end) {
                case (.pairingRequest, 0), (.securityRequest, 1): #expect(answers == [[0x05, 0x07]])
                case (.pairingRequest, 1): #expect(answers.map { $0[0] } == [0x02])
                default: #expect(answers == [], "\(example.hex)")
                }
            }
        }
    }

    @Test("Codes of tomorrow are ignored in the middle of a pairing", arguments: Way.all)
    func reservedCodes(_ way: Way) throws {
        var pair = try way.pair()
        pair.person = { _, _, _ in nil }
        try pair.pair()
        for end in 0..<2 {
            pair.receive(end, [0x0F])
            pair.receive(end, [0xFF, 1, 2, 3])
            pair.receive(end, [0x00] + [UInt8](repeating: 0, count: 64))
            pair.receive(end, [])
            #expect(pair.failures(end) == [])
        }
    }

    @Test("Pairing Failed ends a pairing even if it is malformed, and is never answered", arguments: ["05", "050102"])
    func malformedFailure(_ hex: String) throws {
        for end in 0..<2 {
            var pair = try Way.all[6].pair()
            pair.person = { _, _, _ in nil }
            try pair.pair()
            let count = pair.sent.count
            pair.receive(end, [UInt8](hex: hex) ?? [])
            #expect(pair.failures(end) == [.refusedByPeer(.unspecified)])
            #expect(pair.sent.count == count)
        }
    }

    @Test("A nonce that was not committed to is refused by the initiator")
    func wrongNonce() throws {
        for way in Way.all where way.isSecure && (way.method == .justWorks || way.method == .numericComparison) {
            var pair = try way.pair()
            pair.mangle = { _, from, pdu in
                if from == 1, pdu[0] == 0x04 { pdu[5] ^= 1 }
                return true
            }
            try pair.pair()
            #expect(pair.sent.last?.pdu == [0x05, 0x04])
            #expect(pair.compared(0) == nil)
        }
    }

    @Test("A PDU longer than any ends a pairing, and begins none")
    func tooLong() throws {
        var pair = try peripheral()
        func handleTooLongPDU(_ code: UInt8) {
            pair.perform(1) { manager, now, actions in
                let beginning = [code] + [UInt8](repeating: 0, count: 64)
                manager.handleTooLongPDU(beginning.span.bytes, on: SecurityPair.connection, at: now, into: &actions)
            }
        }
        handleTooLongPDU(0x01)
        #expect(pair.sent.map(\.pdu) == [[0x05, 0x0A]])
        handleTooLongPDU(0x0C)
        #expect(pair.sent.count == 1)
        pair.receive(1, request())
        // Of tomorrow, and ignored like a short one.
        handleTooLongPDU(0x0F)
        #expect(pair.failures(1) == [])
        handleTooLongPDU(0x0C)
        #expect(pair.sent.last?.pdu == [0x05, 0x0A])
        #expect(pair.failures(1).last == .refused(.invalidParameters))
        #expect(pair.isClean)
    }

    @Test("Any defined PDU that is not the next one ends the pairing, with a reason, at both ends")
    func unexpected() throws {
        for way in Way.all {
            for example in SMPExample.all {
                for end in 0..<2 {
                    var pair = try way.pair()
                    pair.mangle = { number, _, _ in number < 2 }
                    pair.person = { _, _, _ in nil }
                    try pair.pair()
                    let what = "\(way.name), \(example.hex) to \(end)"
                    // What would be good at this place is left out, and what may always come.
                    switch example.pdu {
                    case .pairingKeypressNotification, .pairingConfirm, .pairingRandom, .pairingPublicKey: continue
                    case .securityRequest where end == 0: continue
                    default: break
                    }
                    guard pair.managers[end].nextDeadline != nil else { continue }
                    pair.mangle = { _, _, _ in true }
                    let count = pair.sent.count
                    pair.receive(end, example.pdu)
                    if case .pairingFailed(let reason) = example.pdu {
                        #expect(pair.failures(end) == [.refusedByPeer(reason)], "\(what)")
                        #expect(pair.sent.count == count, "\(what)")
                    } else {
                        let reason: UInt8 =
                            switch (example.pdu, end) {
                            case (.pairingRequest, 0), (.securityRequest, 1): 0x07
                            default: 0x08
                            }
                        #expect(pair.sent[count].pdu == [0x05, reason], "\(what)")
                        #expect(pair.failures(1 - end).count == 1, "\(what)")
                        #expect(pair.isClean, "\(what)")
                    }
                }
            }
        }
    }
}
