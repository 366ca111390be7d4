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
        #expect(first.change == .new)
        #expect(first.entry.localName == nil)
        let later = Instant.zero + .seconds(1)
        let name = AdvertisingData([.completeLocalName("Keyfobdemo")])
        let second = cache.absorb(Self.report(.scanResponse, name, dBm: nil), at: later)
        #expect(second.change == .changed)
        #expect(second.entry.localName == "Keyfobdemo")
        #expect(second.entry.advertisingData.flags == .generalDiscoverable)
        #expect(second.entry.isConnectable == true)
        #expect(second.entry.signalStrength == SignalStrength(dBm: -40))
        #expect(second.entry.firstHeard == .zero && second.entry.lastHeard == later)
        let third = cache.absorb(Self.report(.scanResponse, name), at: later)
        #expect(third.change == .heardAgain)
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
    }

    @Test("A device that is heard again and again is known however many other addresses are heard")
    func flood() {
        var cache = DiscoveryCache(limit: 64)
        let name = AdvertisingData([.completeLocalName("Keyfobdemo")])
        var now = Instant.zero
        #expect(cache.absorb(Self.report(.connectable, name), at: now).change == .new)
        for number in 0..<10_000 {
            let stranger = DeviceAddress(value: UInt64(number), kind: .random)
            now = now + .milliseconds(1)
            _ = cache.absorb(Self.report(.nonConnectable, AdvertisingData(), from: stranger), at: now)
            #expect(cache[stranger] != nil && cache.entries.count <= 64)
            if number % 16 == 0 {
                #expect(cache.absorb(Self.report(.connectable, name), at: now).change == .heardAgain)
            }
        }
        #expect(cache.entries.first?.localName == "Keyfobdemo" && cache.entries.first?.firstHeard == .zero)
        for entry in cache.entries { #expect(cache[entry.address] == entry) }
        // Those that were heard last are known, and the first of all is new again.
        #expect(cache[DeviceAddress(value: 9_999, kind: .random)] != nil)
        let first = DeviceAddress(value: 0, kind: .random)
        #expect(cache.absorb(Self.report(.nonConnectable, name, from: first), at: now).change == .new)
    }

    @Test("However few may be known, the one that was heard last is", arguments: [-1, 0, 1, 2, 3])
    func few(limit: Int) {
        var cache = DiscoveryCache(limit: limit)
        for number in 0..<10 {
            let address = DeviceAddress(value: UInt64(number), kind: .public)
            #expect(cache.absorb(Self.report(.connectable, AdvertisingData(), from: address), at: .zero).change == .new)
            #expect(cache.entries.last?.address == address && cache.entries.count <= max(1, limit))
        }
    }
}
