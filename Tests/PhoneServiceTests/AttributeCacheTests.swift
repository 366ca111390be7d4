import BluethroatBluetoothValues
import BluethroatHost
import Testing

@testable import BluethroatPhoneService

@Suite("What is known of a peer's attributes")
struct AttributeCacheTests {
    @Test("Of a service of which a part has changed nothing is known any more, its other descriptors neither")
    func partOfService() {
        let first: AttributeHandle = 0x10, value: AttributeHandle = 0x12, configuration: AttributeHandle = 0x13
        let service = RemoteService(uuid: 0xFFE0, handles: first...0x20)
        let characteristic = RemoteCharacteristic(
            uuid: 0xFFE1,
            properties: .notify,
            handle: 0x11,
            valueHandle: value,
            endHandle: configuration
        )
        let descriptor = RemoteDescriptor(handle: configuration, uuid: .clientConfiguration)
        var cache = AttributeCache()
        cache.store(services: [service])
        cache.store(characteristics: [characteristic], of: first)
        cache.store(descriptors: [descriptor], of: value)
        #expect(cache.descriptors(of: value) == [descriptor])
        #expect(cache.invalidate(0x18...0x20) == [first])
        #expect(cache.characteristics(of: first) == nil)
        // Found again, it is asked for its descriptors again.
        cache.store(services: [service])
        cache.store(characteristics: [characteristic], of: first)
        #expect(cache.characteristics(of: first) == [characteristic] && cache.descriptors(of: value) == nil)
    }
}
