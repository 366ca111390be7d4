import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatBondDatabase
import BluethroatHost
import Foundation
import Testing

@Suite("A bond database")
struct BondDatabaseTests {
    private let folder = TestFolder()

    private func identity(_ number: UInt64) -> LocalIdentity {
        LocalIdentity(address: Sample.peer(number), resolvingKey: Block128(high: number, low: 7))!
    }

    // MARK: Two processes, here two connections

    @Test("A bond that another process has removed does not come back with the next change to it")
    func removedElsewhere() throws {
        let one = try BondDatabase(path: folder.file), other = try BondDatabase(path: folder.file)
        try one.save(Sample.bond(1))
        try other.remove(peer: Sample.bond(1).peer, of: Sample.local)
        var later = Sample.bond(1)
        later.clientRecord = ClientRecord()
        #expect(throws: BondStoreError.self) { try one.save(later) }
        #expect(try one.bonds().isEmpty)
    }

    @Test("A bond that another process has made anew is not overwritten by a change to the one before")
    func replacedElsewhere() throws {
        let one = try BondDatabase(path: folder.file), other = try BondDatabase(path: folder.file)
        try one.save(Sample.bond(1))
        var anew = Sample.bond(1)
        anew.keyAsPeripheral = Sample.key(77)
        try other.save(anew)
        #expect(throws: BondStoreError.self) { try one.save(Sample.bond(1)) }
        #expect(try one.bonds() == [anew])
    }

    @Test("A new pairing replaces whatever another process has made of the bond")
    func pairedAgain() throws {
        let one = try BondDatabase(path: folder.file), other = try BondDatabase(path: folder.file)
        try one.save(Sample.bond(1))
        try other.remove(peer: Sample.bond(1).peer, of: Sample.local)
        var anew = Sample.bond(1)
        anew.keyAsPeripheral = Sample.key(77)
        try one.save(anew)
        #expect(try other.bonds() == [anew])
    }

    @Test("Counters of signatures never go back while the keys are the same, whoever saves last")
    func counters() throws {
        let one = try BondDatabase(path: folder.file), other = try BondDatabase(path: folder.file)
        var ahead = Sample.bond(1), behind = Sample.bond(1)
        (ahead.localSignCounter, ahead.peerSignCounter) = (100, 5)
        (behind.localSignCounter, behind.peerSignCounter) = (50, 10)
        try one.save(ahead)
        try other.save(behind)
        let found = try #require(try one.bonds().first)
        #expect(found.localSignCounter == 100)
        #expect(found.peerSignCounter == 10)
        var anew = behind
        anew.localSigningKey = Block128(high: 8, low: 8)
        (anew.localSignCounter, anew.peerSignCounter) = (0, 0)
        try one.save(anew)
        #expect(try other.bonds().first?.localSignCounter == 0)
    }

    // MARK: Identities

    @Test("An identity is made once, and is the same ever after")
    func identities() throws {
        let first = try BondDatabase(path: folder.file)
        #expect(try first.identity(named: "keyfob") == nil)
        #expect(try first.identity(named: "keyfob") { identity(1) } == identity(1))
        #expect(try first.identity(named: "central") { identity(2) } == identity(2))
        let second = try BondDatabase(path: folder.file)
        #expect(try second.identity(named: "keyfob") { identity(3) } == identity(1))
        #expect(try second.identities().map(\.name) == ["central", "keyfob"])
    }

    @Test("Of two that make the same identity at once, both get the first")
    func identityRace() throws {
        let one = try BondDatabase(path: folder.file), other = try BondDatabase(path: folder.file)
        let made = try one.identity(named: "central") {
            // While this one thinks of an identity, the other one has made it.
            _ = try? other.identity(named: "central") { identity(1) }
            return identity(2)
        }
        #expect(made == identity(1))
    }

    // MARK: What is left

    @Test("At rest there is one file, and of a removed bond not even the key is in it")
    func erased() throws {
        let database = try BondDatabase(path: folder.file)
        let secret = Block128(high: 0x1122_3344_5566_7788, low: 0x99AA_BBCC_DDEE_FF00)
        var bond = Sample.bond(1)
        bond.keyAsPeripheral?.value = secret
        try database.save(bond)
        let pattern = Data(secret.bigEndianBytes)
        #expect(try Data(folder.bytes(folder.file)).range(of: pattern) != nil)
        #expect(folder.contents == ["bonds.sqlite"])
        try database.remove(peer: bond.peer, of: bond.local)
        #expect(try Data(folder.bytes(folder.file)).range(of: pattern) == nil)
        #expect(folder.contents == ["bonds.sqlite"])
    }

    @Test("Bonds are kept where the XDG Base Directory Specification wants them")
    func location() {
        #expect(
            BondFileLocation.standard(environment: ["XDG_STATE_HOME": "/state", "HOME": "/home/bird"])
                == "/state/bluethroat/bonds.sqlite"
        )
        for ignored in ["", "state"] {
            #expect(
                BondFileLocation.standard(environment: ["XDG_STATE_HOME": ignored, "HOME": "/home/bird"])
                    == "/home/bird/.local/state/bluethroat/bonds.sqlite"
            )
        }
    }
}
