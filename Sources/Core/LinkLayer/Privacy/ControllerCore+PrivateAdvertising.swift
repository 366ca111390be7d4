import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// Advertising under private addresses. Core 6.0, Vol 6, Part B, 6.2.
extension ControllerCore {
    /// How directed advertising calls its peer: by a private address made with the peer's key, if private addresses are
    /// requested and there is a key; nil for the address that the host gave. 6.2.2.
    mutating func advertisingTarget(at now: Instant) -> DeviceAddress? {
        guard advertiser.isDirected, advertiser.parameters.ownAddressType.prefersPrivate else { return nil }
        let peer = advertiser.parameters.peer.address
        return resolvingList.targetAddress(of: peer, at: now, from: &random.addresses)
    }

    /// An advertising event begins: private addresses whose time is over are made anew. An address whose entry was
    /// taken from the list meanwhile stays, since the identity behind it must not come out by that.
    mutating func renewAdvertisingAddresses(at now: Instant) {
        let peer = advertiser.parameters.peer.address
        guard resolvingList.index(of: peer) != nil else { return }
        let own = ownAddress(advertiser.parameters.ownAddressType, towards: peer, at: now) ?? advertiser.ownAddress
        let target = advertisingTarget(at: now) ?? advertiser.target
        guard own != advertiser.ownAddress || target != advertiser.target else { return }
        advertiser.ownAddress = own
        advertiser.target = target
        advertiser.makeFrames(supportsChannelSelection2: configuration.supportsChannelSelection2)
    }
}
