import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import Testing

@Suite("Resolvable private addresses")
struct AddressHashTests {
    static let irk = "ec0234a3 57c8ad05 341010a6 0a397d9b"

    @Test("ah, Core Vol 3, Part H, D.7")
    func sample() throws {
        #expect(AddressHash.ah(key: try block(Self.irk), random: 0x70_8194) == 0x0D_FBAA)
    }

    @Test("An address made with a key is resolved by it and by no other")
    func resolving() throws {
        let key = try block(Self.irk)
        let address = try #require(AddressHash.resolvableAddress(key: key, random: 0xFFF0_8194))
        #expect(address == DeviceAddress("70:81:94:0D:FB:AA", kind: .random))
        #expect(address.randomSubtype == .resolvablePrivate)
        #expect(AddressHash.resolves(address, key: key))
        #expect(!AddressHash.resolves(address, key: .zero))
        #expect(!AddressHash.resolves(DeviceAddress(value: address.value ^ 1, kind: .random), key: key))
    }

    @Test("Only resolvable private addresses are looked at")
    func otherKinds() throws {
        let key = try block(Self.irk)
        #expect(!AddressHash.resolves(DeviceAddress(value: 0x7081_940D_FBAA, kind: .public), key: key))
        let hash = UInt64(AddressHash.ah(key: key, random: 0xF0_8194))
        #expect(!AddressHash.resolves(DeviceAddress(value: 0xF0_8194 << 24 | hash, kind: .random), key: key))
    }

    @Test("Random bits that are all the same make no address")
    func forbiddenRandom() throws {
        #expect(AddressHash.resolvableAddress(key: .zero, random: 0) == nil)
        #expect(AddressHash.resolvableAddress(key: .zero, random: .max) == nil)
    }
}
