import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// Attacks on pairing that are known by name, and that have no other test here.
@Suite("Known attacks on pairing")
struct KnownAttackTests {
    private static let secure = Way.all.filter(\.isSecure)

    @Test("A DHKey check of zeros is refused, by whichever side, and leaves no key", arguments: secure, [0, 1])
    func zeroCheck(way: Way, end: Int) throws {
        var pair = try way.pair()
        pair.mangle = { _, from, pdu in
            if pdu[0] == 0x0D, from == 1 - end { pdu = [0x0D] + [UInt8](repeating: 0, count: 16) }
            return true
        }
        try pair.pair()
        // The responder hears its peer's check first; the initiator hears of it by encryption at the latest.
        #expect(pair.sent.contains { $0.from == end && $0.pdu == [0x05, 0x0B] })
        #expect(pair.results(end).isEmpty && pair.results(1 - end).isEmpty && pair.linkKey == nil)
        #expect(pair.isClean)
    }

    @Test(
        "The bit for a key of BR/EDR, set by a peer, is not returned, and no key is derived for it",
        arguments: secure
    )
    func crossTransportKey(way: Way) throws {
        let bit: UInt8 = 0x08
        for end in 0..<2 {
            var pair = try way.pair()
            pair.mangle = { _, from, pdu in
                // The peer sets it in its own PDU; the other side must not take it up.
                if pdu[0] == (end == 0 ? 0x01 : 0x02), from == end {
                    pdu[5] |= bit
                    pdu[6] |= bit
                }
                return true
            }
            try pair.pair()
            for (from, pdu) in pair.sent where from == 1 - end && (pdu[0] == 0x01 || pdu[0] == 0x02) {
                #expect(pdu[5] & bit == 0 && pdu[6] & bit == 0)
            }
            // The two go on with the keys of LE: the same at both, and none that would wait for one of BR/EDR.
            let keys = [pair.results(0).first?.linkKey, pair.results(1).first?.linkKey]
            #expect(keys[0] != nil && keys[0] == keys[1] && keys[0] == pair.linkKey)
            #expect(pair.isClean)
        }
    }
}
