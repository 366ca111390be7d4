import BluetoothValues
import Testing
import VirtualTime

@testable import Host

@Suite("Connection table")
struct ConnectionTableTests {
    static func handle(_ raw: UInt16) -> ConnectionHandle { ConnectionHandle(rawValue: raw)! }

    static func open(_ raw: UInt16, _ table: inout ConnectionTable) -> ConnectionID {
        let slot = table.open(
            handle: handle(raw),
            role: .central,
            peer: DeviceAddress(value: UInt64(raw), kind: .random),
            parameters: .reported(interval: 24, latency: 0, timeout: 72)
        )
        return table[slot].id
    }

    @Test("Low handles and high ones are found, closed ones are not", arguments: [0, 1, 255, 256, 0x0EFF] as [UInt16])
    func lookup(raw: UInt16) throws {
        var table = ConnectionTable()
        _ = Self.open(7, &table)
        let id = Self.open(raw, &table)
        let slot = try #require(table.slot(of: id))
        #expect(table.slot(of: id.handle) == slot)
        #expect(table[slot].peer.value == UInt64(raw))
        table.close(slot)
        #expect(table.slot(of: id) == nil && table.slot(of: id.handle) == nil)
        #expect(table.count == 1)
    }

    @Test("A handle used again is another connection, in a slot used again")
    func reuse() {
        var table = ConnectionTable()
        let first = Self.open(0x40, &table)
        table.close(0)
        let second = Self.open(0x40, &table)
        #expect(first != second)
        #expect(table.slot(of: first) == nil && table.slot(of: second) == 0)
        #expect(table.slotCount == 1)
    }

    @Test("Random openings and closings agree with a simple list")
    func model() {
        var random = SeededRandom(seed: 5, purpose: "table")
        var table = ConnectionTable()
        var model: [ConnectionID] = []
        for _ in 0..<5_000 {
            let raw = UInt16(random.next(below: 2) == 0 ? random.next(below: 8) : 252 + random.next(below: 8))
            if let index = model.firstIndex(where: { $0.handle.rawValue == raw }) {
                table.close(table.slot(of: model.remove(at: index))!)
            } else {
                model.append(Self.open(raw, &table))
            }
            #expect(table.count == model.count && table.slotCount <= 16)
            for id in model { #expect(table.slot(of: id).map { table[$0].id } == id) }
        }
    }
}
