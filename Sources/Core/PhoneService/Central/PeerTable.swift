import BluethroatBluetoothValues

/// The peers of a phone, numbered as they were met.
struct PeerTable {
    private(set) var all = Table<KnownPeer>()
    private var indices: [DeviceAddress: PeerIndex] = [:]

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
    }
}
