import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import Testing

@testable import BluethroatHost

/// KNOB on LE (Antonioli and others, 2020): someone on the line makes the key short, by changing what both announce.
@Suite("Key sizes that are changed on the way")
struct KeySizeAttackTests {
    /// A pairing in which the greatest key size is 7 in what both hear.
    private func attack(_ way: Way, _ change: (inout [PairingSettings]) -> Void = { _ in }) throws -> SecurityPair {
        var pair = try way.pair(change)
        pair.mangle = { _, _, pdu in
            if pdu[0] == 0x01 || pdu[0] == 0x02 { pdu[4] = 7 }
            return true
        }
        try pair.pair()
        return pair
    }

    @Test(
        "Legacy pairing notices: the confirm values are made of both announcements",
        arguments: Way.all.filter { !$0.isSecure }
    )
    func legacy(_ way: Way) throws {
        let pair = try attack(way)
        #expect(pair.results(0).isEmpty && pair.results(1).isEmpty)
        #expect(pair.isClean)
    }

    @Test(
        "LE Secure Connections do not notice, as their check leaves the size out: the key has 7 bytes, and both are told",
        arguments: Way.all.filter(\.isSecure)
    )
    func secureConnections(_ way: Way) throws {
        let pair = try attack(way)
        for end in 0..<2 { #expect(pair.results(end).first?.linkKey.size == 7) }
        // The other nine bytes are zeros: 56 bits can be tried.
        #expect(pair.linkKey?.value.bigEndianBytes.prefix(9).allSatisfy { $0 == 0 } == true)
    }

    @Test(
        "A minimum key size, or Secure Connections Only, on either side keeps every short key out",
        arguments: Way.all.filter(\.isSecure),
        [0, 1]
    )
    func refused(_ way: Way, _ careful: Int) throws {
        for isOnly in [false, true] {
            let pair = try attack(way) { settings in
                if isOnly { settings[careful].secureConnections = .only } else { settings[careful].minimumKeySize = 16 }
            }
            #expect(pair.results(0).isEmpty && pair.results(1).isEmpty, "\(way.name)")
            #expect(pair.sent.last?.pdu == [0x05, 0x06] && pair.sent.last?.from == careful, "\(way.name)")
            #expect(pair.releasedKeys == 0 && pair.isClean)
        }
    }
}
