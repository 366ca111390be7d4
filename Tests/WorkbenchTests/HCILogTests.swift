import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@testable import BluethroatWorkbench

@Suite("The log of HCI packets")
struct HCILogTests {
    private static let device = DeviceID(rawValue: 3)

    @Test("Each device has its own conversation, in the order in which it was held")
    func conversations() {
        let log = HCILog()
        log.add([1, 3, 12, 0], fromHost: true, of: Self.device, at: .zero + .seconds(1))
        log.add([4, 14, 4], fromHost: false, of: DeviceID(rawValue: 4), at: .zero + .seconds(1))
        log.add([4, 14, 4, 1], fromHost: false, of: Self.device, at: .zero + .seconds(2))
        #expect(log[Self.device].packets.map(\.bytes) == [[1, 3, 12, 0], [4, 14, 4, 1]])
        #expect(log[Self.device].packets.map(\.fromHost) == [true, false])
        #expect(log[Self.device].packets.map(\.time) == [Instant.zero + .seconds(1), Instant.zero + .seconds(2)])
        log.forget(Self.device)
        #expect(log[Self.device].packets.isEmpty)
        #expect(log[DeviceID(rawValue: 4)].packets.count == 1)
    }

    @Test("What is too much falls out at the beginning, and is counted")
    func memory() {
        let log = HCILog()
        let packet = [UInt8](repeating: 2, count: 1000)
        let count = 5000
        for number in 0..<count {
            log.add(
                packet + [UInt8(number % 256)],
                fromHost: true,
                of: Self.device,
                at: .zero + .milliseconds(Int64(number))
            )
        }
        let kept = log[Self.device]
        #expect(kept.packets.count + kept.lostCount == count)
        let size = kept.packets.reduce(0) { $0 + $1.bytes.count }
        #expect(size <= HCILog.memory && size > HCILog.memory * 9 / 10)
        #expect(kept.packets.last?.bytes.last == UInt8((count - 1) % 256))
        #expect(kept.packets.first?.time == Instant.zero + .milliseconds(Int64(kept.lostCount)))
    }

    @Test("A workbench keeps what its devices say to their controllers, and forgets it with them")
    func workbench() throws {
        let troupe = Troupe()
        let (id, _) = try troupe.connectedCentral()
        // H4: commands and events.
        #expect(troupe.workbench.hci[id].packets.first?.bytes.first == 1)
        #expect(troupe.workbench.hci[id].packets.contains { !$0.fromHost && $0.bytes.first == 4 })
        #expect(!troupe.workbench.hci[troupe.fob].packets.isEmpty)
        troupe.workbench.remove(id)
        #expect(troupe.workbench.hci[id].packets.isEmpty)
    }
}
