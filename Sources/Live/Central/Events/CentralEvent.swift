public import BluethroatBluetoothValues
public import BluethroatEvents
public import BluethroatHost
public import BluethroatKeyFob
public import BluethroatVirtualTime

/// An event of a central for the program that runs it: an object of `--json`, or a line for people.
public enum CentralEvent: Sendable {
    /// All that is known of a device so far; `isComplete` if no scan response is to be expected any more.
    case report(DiscoveryCache.Entry)
    case connected(ConnectionDescription)
    case disconnected(DeviceAddress, reason: ControllerError)
    case service(RemoteService)
    case include(RemoteInclude)
    /// With what reading the value brought, if its properties let it be read.
    case characteristic(RemoteCharacteristic, ReadOutcome?)
    case descriptor(RemoteDescriptor, ReadOutcome)
    case value(ResolvedAttribute, [UInt8])
    case written(ResolvedAttribute, [UInt8], response: Bool)
    case subscribed(ResolvedAttribute, isIndication: Bool)
    case notified(ResolvedAttribute, [UInt8], isIndication: Bool)
    /// The link is encrypted now, or no longer.
    case encrypted(LinkSecurity)
    /// The link is on other PHYs now.
    case phys(ConnectionPHYs)
    /// The peer wants the link to be encrypted, and there is no bond to do it with.
    case securityWanted(DeviceAddress, pairing: String)
    /// Six digits to type into the peer.
    case passkey(Passkey)
    /// The digits that the peer shows are wanted.
    case passkeyWanted(DeviceAddress)
    /// A person has to say whether the peer shows the same digits.
    case comparison(DeviceAddress, Passkey)
    /// What is to be carried to the peer on another way.
    case outOfBand(OutOfBandFile, path: String)
    case paired(DeviceAddress, name: String?, KeyFobNotice.Pairing)
    /// Peers may open channels to a service.
    case listening(SPSM, name: String)
    case channelOpened(ChannelDescription)
    case channelClosed(ChannelCloseReason, sent: Int, received: Int, lasted: TimeSpan)
    /// A warning: the operation goes on.
    case warning(String)
    case failed(OperationFailure)
}

/// What reading an attribute brought.
public enum ReadOutcome: Hashable, Sendable {
    case value([UInt8])
    case refused(ATTError)
}
