import AirPackets
import BluetoothCrypto
import BluetoothValues
import HCI
import LinkLayer
import RadioMedium
import Testing
import VirtualTime

/// Two controllers that encrypt their link, on one medium.
@Suite("Encryption: two controllers")
struct EncryptedWorldTests {
    @Test("They encrypt the link, exchange data both ways, and change the key")
    func encrypt() throws {
        let pair = try EncryptedPair(seed: 1)
        #expect(try pair.encrypt() == .changed)
        try pair.exchange(count: 20)
        #expect(try pair.encrypt() == .refreshed)
        try pair.exchange(count: 20)
    }

    @Test("The same where three frames of ten are lost", arguments: 1...8 as ClosedRange<UInt64>)
    func loss(seed: UInt64) throws {
        let pair = try EncryptedPair(seed: seed)
        pair.air.medium.setLossEverywhere(.percent(30))
        #expect(try pair.encrypt() == .changed)
        for _ in 0..<3 {
            try pair.exchange(count: 12)
            #expect(try pair.encrypt() == .refreshed)
        }
    }
}
