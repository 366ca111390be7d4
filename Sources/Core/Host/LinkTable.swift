internal import BluethroatBluetoothValues

/// The open links, in slots that are used again. A packet's handle finds its slot without hashing or searching.
///
/// Links stay where they are while they are looked at and changed: a link is far larger than what a packet needs of it.
struct LinkTable: ~Copyable {
    /// Room for `capacity` links, of which those in `isUsed` slots are initialized.
    private var links: UnsafeMutablePointer<HostLink>
    private var capacity = 0
    private var isUsed: [Bool] = []
    /// The slot of each handle, -1 for none, up to the highest handle that there was; controllers number their
    /// connections from low handles.
    private var slotOfHandle: [Int16] = []
    private var lastGeneration: UInt32 = 0
    private(set) var count = 0

    init() { links = Self.nowhere }

    /// Where no link is: most hosts of a crowd never have one.
    private static var nowhere: UnsafeMutablePointer<HostLink> {
        UnsafeMutablePointer(bitPattern: MemoryLayout<HostLink>.alignment).unsafelyUnwrapped
    }

    deinit {
        for slot in isUsed.indices where isUsed[slot] { (links + slot).deinitialize(count: 1) }
        if capacity > 0 { links.deallocate() }
    }

    /// Slots, open or not.
    var slotCount: Int { isUsed.count }

    /// The link in an open slot.
    subscript(slot: Int) -> HostLink {
        // By address, since a link that is read would be copied for it, and the copy allocated.
        unsafeAddress {
            precondition(isUsed[slot], "no link in this slot")
            return UnsafePointer(links + slot)
        }
        unsafeMutableAddress {
            precondition(isUsed[slot], "no link in this slot")
            return links + slot
        }
    }

    func isOpen(_ slot: Int) -> Bool { isUsed[slot] }

    /// The slot of the connection that has this handle now.
    func slot(of handle: ConnectionHandle) -> Int? {
        let raw = Int(handle.rawValue)
        guard raw < slotOfHandle.count else { return nil }
        let slot = slotOfHandle[raw]
        return slot >= 0 ? Int(slot) : nil
    }

    /// The slot of this very connection; nil once it is gone.
    func slot(of id: ConnectionID) -> Int? {
        guard let slot = slot(of: id.handle), links[slot].id == id else { return nil }
        return slot
    }

    /// The name of the next connection, under a handle that is free.
    mutating func nextID(handle: ConnectionHandle) -> ConnectionID {
        lastGeneration &+= 1
        return ConnectionID(handle: handle, generation: lastGeneration)
    }

    /// Puts a link into a free slot, and answers which.
    mutating func insert(_ link: consuming HostLink) -> Int {
        let handle = Int(link.id.handle.rawValue)
        precondition(slot(of: link.id.handle) == nil, "a handle belongs to one connection at a time")
        let slot = isUsed.firstIndex(of: false) ?? isUsed.count
        if slot == isUsed.count { isUsed.append(true) } else { isUsed[slot] = true }
        if slot == capacity { grow() }
        (links + slot).initialize(to: link)
        while slotOfHandle.count <= handle { slotOfHandle.append(-1) }
        slotOfHandle[handle] = Int16(slot)
        count += 1
        return slot
    }

    /// Frees an open slot.
    mutating func remove(_ slot: Int) {
        precondition(isUsed[slot], "no link in this slot")
        slotOfHandle[Int(links[slot].id.handle.rawValue)] = -1
        (links + slot).deinitialize(count: 1)
        isUsed[slot] = false
        count -= 1
    }

    private mutating func grow() {
        let wider = max(1, 2 * capacity)
        let room = UnsafeMutablePointer<HostLink>.allocate(capacity: wider)
        // The new slot is marked as used already, and empty still.
        room.moveInitialize(from: links, count: capacity, where: isUsed)
        if capacity > 0 { links.deallocate() }
        links = room
        capacity = wider
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Moves those of so many values that are there.
    fileprivate func moveInitialize(from source: Self, count: Int, where isThere: [Bool]) {
        for index in 0..<count where isThere[index] {
            (self + index).initialize(to: (source + index).move())
        }
    }
}
