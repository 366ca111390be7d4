import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatPhoneService

@Suite("Services in the overflow area")
struct SoughtServicesTests {
    /// Services of which many share a bit.
    private static func services(_ count: Int, _ random: inout SeededRandom) -> [BluetoothUUID] {
        (0..<count).map { _ in BluetoothUUID(high: random.next(below: 3), low: random.next(below: 300)) }
    }

    @Test("A scan finds those whose bits are set, in the order in which the app has named them", arguments: 0..<50)
    func found(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "sought services")
        // With the one that is named twice: as many as there are bits, one more, or any number.
        let count = [127, 128, Int(random.next(below: 200))][Int(seed) % 3]
        var named = Self.services(count, &random)
        // An app may name a service twice, and all of them in the order of their bits.
        if let first = named.first { named.append(first) }
        if seed % 3 == 0 { named.sort { OverflowArea.bit(of: $0) < OverflowArea.bit(of: $1) } }
        let sought = SoughtServices(named)
        #expect(sought.isEmpty == named.isEmpty)
        for count in [0, 1, 20, 200] {
            let area = OverflowArea(Self.services(count, &random))
            let found = sought.found(in: area)
            #expect(found.uuids == named.filter(area.contains))
            #expect(found.isEmpty == found.uuids.isEmpty)
            // The same of another scan is the same.
            #expect(found == OverflowServices(found.uuids))
            #expect(Set([found, OverflowServices(found.uuids)]).count == 1)
            #expect(sought.mayBe(in: area) == named.contains(where: area.contains))
        }
    }

    @Test("A service goes to the overflow area once, and two that share a bit both do")
    func layout() {
        var random = SeededRandom(seed: 1, purpose: "overflow")
        let services = Self.services(60, &random)
        let once = services.enumerated().filter { !services[..<$0.offset].contains($0.element) }.map(\.element)
        #expect(Set(once.map(OverflowArea.bit)).count < once.count && once.count < services.count)
        let behind = AdvertisementLayout([], inBackground: services)
        #expect(behind.overflow == once)
        #expect(OverflowArea(in: behind.data) == OverflowArea(services))
        #expect(AdvertisementLayout([], inBackground: once) == behind)
        let before = AdvertisementLayout([AdvertisementRequest(services: services)], inBackground: services)
        #expect(Array(before.overflow) == once.filter { !before.data.serviceUUIDs.contains($0) })
        #expect(OverflowArea(in: before.scanResponse) == OverflowArea(before.overflow))
    }
}
