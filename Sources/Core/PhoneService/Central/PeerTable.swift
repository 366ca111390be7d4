import BluethroatBluetoothValues

/// The peers of a phone, numbered as they were met.
struct PeerTable {
    private(set) var all = Table<KnownPeer>()
    private var indices: [DeviceAddress: PeerIndex] = [:]
    /// How many were passed on the way to the next one that may be forgotten.
    private var passed = 0

    subscript(index: PeerIndex) -> KnownPeer {
        get { all[index] }
        _modify { yield &all[index] }
    }

    func index(of address: DeviceAddress) -> PeerIndex? { indices[address] }

    /// The peer with this address, or a new one.
    mutating func insert(_ address: DeviceAddress) -> PeerIndex {
        if let index = indices[address] { return index }
        let index = all.append(KnownPeer(address: address))
        indices[address] = index
        return index
    }

    /// A peer has shown who it is.
    mutating func learn(identity: DeviceAddress, of index: PeerIndex) {
        indices[identity] = index
        all[index].address = identity
        all[index].hasIdentity = true
    }

    /// The peers one after the other, and again from the first; nil if there are none.
    mutating func next() -> PeerIndex? {
        guard !all.isEmpty else { return nil }
        defer { passed += 1 }
        return all.startIndex.advanced(by: passed % all.count)
    }

    /// Gives the place of a peer to another one.
    mutating func replace(_ index: PeerIndex, with address: DeviceAddress) {
        indices[all[index].address] = nil
        all[index] = KnownPeer(address: address)
        indices[address] = index
    }
}
