import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime
import Testing

@Suite("Discovery cache")
struct DiscoveryCacheTests {
    static let fob = DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)

    static func report(
        _ kind: AdvertisingReport.Kind,
        _ data: AdvertisingData,
        from address: DeviceAddress = fob,
        dBm: Int8? = -40
    ) -> AdvertisingReport {
        AdvertisingReport(
            kind: kind,
            address: address,
            data: data.bytes,
            signalStrength: dBm.map(SignalStrength.init(dBm:))
        )
    }

    @Test("The name from the scan response joins what the advertisement said")
    func merging() {
        var cache = DiscoveryCache()
        let flags = AdvertisingData([.flags(.generalDiscoverable)])
        let first = cache.absorb(Self.report(.connectable, flags), at: .zero)
        #expect(first?.change == .new)
        #expect(first?.entry.localName == nil)
        let later = Instant.zero + .seconds(1)
        let name = AdvertisingData([.completeLocalName("Keyfobdemo")])
        let second = cache.absorb(Self.report(.scanResponse, name, dBm: nil), at: later)
        #expect(second?.change == .changed)
        #expect(second?.entry.localName == "Keyfobdemo")
        #expect(second?.entry.advertisingData.flags == .generalDiscoverable)
        #expect(second?.entry.isConnectable == true)
        #expect(second?.entry.signalStrength == SignalStrength(dBm: -40))
        #expect(second?.entry.firstHeard == .zero && second?.entry.lastHeard == later)
        let third = cache.absorb(Self.report(.scanResponse, name), at: later)
        #expect(third?.change == .heardAgain)
        #expect(cache.entries.count == 1)
    }

    @Test("The same 48 bits, public and random, are two devices; the order is that of the first report")
    func order() {
        var cache = DiscoveryCache(limit: 2)
        let twin = DeviceAddress(value: Self.fob.value, kind: .random)
        _ = cache.absorb(Self.report(.nonConnectable, AdvertisingData(), from: twin), at: .zero)
        _ = cache.absorb(Self.report(.connectable, AdvertisingData()), at: .zero)
        #expect(cache.entries.map(\.address) == [twin, Self.fob])
        #expect(cache[twin]?.isConnectable == false)
        let third = DeviceAddress(value: 1, kind: .public)
        let refused = cache.absorb(Self.report(.connectable, AdvertisingData(), from: third), at: .zero)
        #expect(refused == nil)
    }
}
