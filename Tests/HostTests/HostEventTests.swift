import BluethroatHost
import Testing

@Suite("Host events")
struct HostEventTests {
    @Test("An event is small, since every notification makes one")
    func size() {
        #expect(MemoryLayout<HostEvent>.size <= 48)
    }
}
