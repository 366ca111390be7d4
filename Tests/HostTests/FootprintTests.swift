import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import Testing

@testable import BluethroatHost

/// What crowds of hosts cost: sizes that must not grow by accident.
@Suite("Footprint")
struct FootprintTests {
    @Test("A host's core takes at most 1,280 bytes, a link at most 560, an attribute 56")
    func sizes() {
        #expect(MemoryLayout<HostCore>.size <= 1_280)
        #expect(MemoryLayout<HostLink>.size <= 560)
        #expect(MemoryLayout<Attribute>.stride <= 56)
    }

    @Test("What is boxed takes one word where it is declared, be it there or not")
    func oneWord() {
        #expect(MemoryLayout<Boxed<PairingSettings>>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<BoxedIfAny<LongTermKey>>.size == MemoryLayout<Int>.size)
    }

    @Test("Hosts that are told nothing else share their pairing settings, and a change concerns one of them only")
    func sharedSettings() {
        var changed = HostConfiguration(seed: 1)
        let other = HostConfiguration(seed: 2)
        #expect(Self.block(of: changed.sharedPairing) == Self.block(of: other.sharedPairing))

        // The same settings again are no change.
        changed.pairing = PairingSettings()
        #expect(Self.block(of: changed.sharedPairing) == Self.block(of: other.sharedPairing))

        changed.pairing.minimumKeySize = 16
        #expect(changed.pairing.minimumKeySize == 16)
        #expect(other.pairing.minimumKeySize == 7)
        #expect(HostConfiguration(seed: 3).pairing == PairingSettings())
    }

    @Test("A copy of a value in a block keeps what it had when the other is changed")
    func copies() {
        struct Keys {
            @BoxedIfAny var key: [Int]?
        }
        var first = Keys(key: [1])
        let second = first
        first.key?.append(2)
        #expect(first.key == [1, 2] && second.key == [1])
        first.key = nil
        #expect(first.key == nil && second.key == [1])
    }

    @Test("A database has no room for attributes that it does not have")
    func exactDatabase() throws {
        var database = GATTDatabase()
        for number: UInt16 in 1...40 {
            let characteristic = CharacteristicDefinition(BluetoothUUID(0xFF00 + number), properties: .notify)
            try database.add([ServiceDefinition(BluetoothUUID(0xFE00 + number), characteristics: [characteristic])])
        }
        #expect(database.attributes.count == 160)
        // An allocator rounds up, by less than two attributes.
        #expect(database.attributes.capacity < 162)
    }

    private static func block(of settings: Boxed<PairingSettings>) -> Int { unsafeBitCast(settings, to: Int.self) }
}
