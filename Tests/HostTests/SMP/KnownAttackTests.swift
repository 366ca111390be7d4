import BluetoothValues
import Testing
import VirtualTime

@testable import Host

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
            // The bit counts in the check, so that one that was set on the way is noticed.
            #expect(pair.results(0).isEmpty && pair.results(1).isEmpty && pair.linkKey == nil)
        }
        // A peer that means it gets the keys of LE and no other: nothing more is sent or waited for.
        let keys = [[UInt8]]([[0x0F, 0x0F], [0x0B, 0x0B]])
        for asked in keys {
            var pair = try way.pair()
            pair.receive(1, [0x01, 0x03, 0x00, 0x0D, 0x10] + asked)
            let response = try #require(pair.sent.first { $0.from == 1 && $0.pdu[0] == 0x02 })
            #expect(response.pdu[5] & bit == 0 && response.pdu[6] & bit == 0)
        }
    }
}
