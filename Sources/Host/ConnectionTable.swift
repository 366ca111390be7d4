internal import BluetoothValues
internal import VirtualTime

/// The open connections, in slots that are used again. A packet's handle finds its slot without hashing.
struct ConnectionTable {
    private var slots: [Connection?] = []
    /// The slot of each handle below 256, -1 for none; controllers number their connections from low handles.
    private var slotOfHandle = [Int16](repeating: -1, count: 256)
    private var lastGeneration: UInt32 = 0
    private(set) var count = 0

    /// Slots, open or not.
    var slotCount: Int { slots.count }

    /// The connection in an open slot. Every packet comes by here, so that the connection is not copied; see
    /// `SecurityLayer` for what must not be done with it: no `??` on an optional of it.
    subscript(slot: Int) -> Connection {
        _read { yield slots[slot]! }
        _modify { yield &slots[slot]! }
    }

    func isOpen(_ slot: Int) -> Bool { slots[slot] != nil }

    /// The slot of the connection that has this handle now.
    func slot(of handle: ConnectionHandle) -> Int? {
        let raw = Int(handle.rawValue)
        if raw < slotOfHandle.count {
            let slot = slotOfHandle[raw]
            return slot >= 0 ? Int(slot) : nil
        }
        return slots.firstIndex { $0?.id.handle == handle }
    }

    /// The slot of this very connection; nil once it is gone.
    func slot(of id: ConnectionID) -> Int? {
        guard let slot = slot(of: id.handle), self[slot].id == id else { return nil }
        return slot
    }

    /// Opens a connection under a handle that is free, and answers its slot.
    mutating func open(
        handle: ConnectionHandle,
        role: ConnectionRole,
        own: DeviceAddress = DeviceAddress(value: 0, kind: .public),
        peer: DeviceAddress,
        parameters: ConnectionParameters
    ) -> Int {
        precondition(slot(of: handle) == nil, "a handle belongs to one connection at a time")
        lastGeneration &+= 1
        let id = ConnectionID(handle: handle, generation: lastGeneration)
        let connection = Connection(id: id, role: role, own: own, peer: peer, parameters: parameters)
        let slot: Int
        if let free = slots.firstIndex(where: { $0 == nil }) {
            slot = free
            slots[slot] = connection
        } else {
            slot = slots.count
            slots.append(connection)
        }
        if Int(handle.rawValue) < slotOfHandle.count { slotOfHandle[Int(handle.rawValue)] = Int16(slot) }
        count += 1
        return slot
    }

    /// Frees an open slot.
    mutating func close(_ slot: Int) {
        let handle = Int(self[slot].id.handle.rawValue)
        slots[slot] = nil
        if handle < slotOfHandle.count { slotOfHandle[handle] = -1 }
        count -= 1
    }

    /// When the first answer on any signalling channel is overdue; the distant future if none is awaited.
    var signallingDeadline: Instant {
        var earliest = Instant.distantFuture
        for slot in slots.indices where slots[slot] != nil {
            earliest = min(earliest, self[slot].signalling.deadline, self[slot].channels.requestDeadline)
        }
        return earliest
    }
}
