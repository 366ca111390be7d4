import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("Pairing once more")
struct PairingAgainTests {
    @Test("A central that has paired under a private address pairs once more on the same connection")
    func underPrivateAddress() throws {
        var pair = SecuredPair([HostPairingTests.settings(), HostPairingTests.settings()]) { configuration in
            guard configuration.device == 1 else { return }
            configuration.privacy.ownAddress = .resolvablePrivate
            configuration.privacy.usesResolvingList = false
        }
        try pair.connect()
        let address = try #require(pair.host(1).description(of: pair.links[1])).peer
        #expect(address.randomSubtype == .resolvablePrivate)

        for round in 1...3 {
            try pair.pair()
            #expect(pair.results(0).count == round && pair.results(1).count == round)
            #expect(pair.failures(0).isEmpty && pair.failures(1).isEmpty)
            // One record of the peer: who it is counts for all from the first pairing on.
            let peer = try #require(pair.host(1).description(of: pair.links[1]))
            #expect(peer.peerIdentity == HostPair.centralAddress && peer.isBonded)
        }
        #expect(pair.host(1).bonds.map(\.peer) == [HostPair.centralAddress])
        #expect(pair.link(0)?.isEncrypted == true && pair.link(1)?.isEncrypted == true)
    }
}
