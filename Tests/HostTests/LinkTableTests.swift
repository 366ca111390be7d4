import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("Link table")
struct LinkTableTests {
    static func handle(_ raw: UInt16) -> ConnectionHandle { ConnectionHandle(rawValue: raw)! }

    static func open(_ raw: UInt16, _ table: inout LinkTable) -> ConnectionID {
        let id = table.nextID(handle: handle(raw))
        _ = table.insert(.sample(id, peer: DeviceAddress(value: UInt64(raw), kind: .random)))
        return id
    }

    @Test("Low handles and high ones are found, closed ones are not", arguments: [0, 1, 255, 256, 0x0EFF] as [UInt16])
    func lookup(raw: UInt16) throws {
        var table = LinkTable()
        _ = Self.open(7, &table)
        let id = Self.open(raw, &table)
        let found = table.slot(of: id)
        let slot = try #require(found)
        let byHandle = table.slot(of: id.handle), peer = table[slot].peer.value
        #expect(byHandle == slot && peer == UInt64(raw))
        table.remove(slot)
        let isGone = table.slot(of: id) == nil && table.slot(of: id.handle) == nil
        #expect(isGone)
        let count = table.count
        #expect(count == 1)
    }

    @Test("A handle used again is another connection, in a slot used again")
    func reuse() {
        var table = LinkTable()
        let first = Self.open(0x40, &table)
        table.remove(0)
        let second = Self.open(0x40, &table)
        #expect(first != second)
        let slots = [table.slot(of: first), table.slot(of: second)]
        #expect(slots == [nil, 0])
        let slotCount = table.slotCount
        #expect(slotCount == 1)
    }

    @Test("Random openings and closings agree with a simple list")
    func model() {
        var random = SeededRandom(seed: 5, purpose: "table")
        var table = LinkTable()
        var model: [ConnectionID] = []
        for _ in 0..<5_000 {
            let raw = UInt16(random.next(below: 2) == 0 ? random.next(below: 8) : 252 + random.next(below: 8))
            if let index = model.firstIndex(where: { $0.handle.rawValue == raw }) {
                table.remove(table.slot(of: model.remove(at: index))!)
            } else {
                model.append(Self.open(raw, &table))
            }
            let count = table.count, slotCount = table.slotCount
            #expect(count == model.count && slotCount <= 16)
            for id in model {
                guard let slot = table.slot(of: id) else {
                    Issue.record("\(id) is gone")
                    continue
                }
                let found = table[slot].id
                #expect(found == id)
            }
        }
    }
}
