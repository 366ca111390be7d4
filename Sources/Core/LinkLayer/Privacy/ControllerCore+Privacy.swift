import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// The commands about the resolving list. Core 6.0, Vol 4, Part E, 7.8.38 to 7.8.45, 7.8.77.
extension ControllerCore {
    mutating func leAddDeviceToResolvingList(
        _ command: LEAddDeviceToResolvingList,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(.leAddDeviceToResolvingList, add(command), into: &actions)
    }

    mutating func leRemoveDeviceFromResolvingList(
        _ command: LERemoveDeviceFromResolvingList,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        let status = changeResolvingList { list in
            command.identity.isOnAir ? list.remove(command.identity.address) : .invalidCommandParameters
        }
        complete(.leRemoveDeviceFromResolvingList, status, into: &actions)
    }

    mutating func leClearResolvingList(
        _ command: LEClearResolvingList,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        let status = changeResolvingList { list in
            list.removeAll()
            return .success
        }
        complete(.leClearResolvingList, status, into: &actions)
    }

    mutating func leReadResolvingListSize(
        _ command: LEReadResolvingListSize,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        let size = LEReadResolvingListSizeReturn(size: configuration.resolvingListSize)
        complete(.leReadResolvingListSize, returning: size, into: &actions)
    }

    mutating func leReadPeerResolvableAddress(
        _ command: LEReadPeerResolvableAddress,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        guard command.identity.isOnAir else {
            return refuse(.leReadPeerResolvableAddress, .invalidCommandParameters, into: &actions)
        }
        guard let address = resolvingList.peerAddress(of: command.identity.address) else {
            return refuse(.leReadPeerResolvableAddress, .unknownConnectionIdentifier, into: &actions)
        }
        let answer = LEReadPeerResolvableAddressReturn(address: address)
        complete(.leReadPeerResolvableAddress, returning: answer, into: &actions)
    }

    mutating func leReadLocalResolvableAddress(
        _ command: LEReadLocalResolvableAddress,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        guard command.identity.isOnAir else {
            return refuse(.leReadLocalResolvableAddress, .invalidCommandParameters, into: &actions)
        }
        let peer = command.identity.address
        guard let address = resolvingList.localAddressInUse(towards: peer, at: now, from: &random.addresses) else {
            return refuse(.leReadLocalResolvableAddress, .unknownConnectionIdentifier, into: &actions)
        }
        let answer = LEReadLocalResolvableAddressReturn(address: address)
        complete(.leReadLocalResolvableAddress, returning: answer, into: &actions)
    }

    mutating func leSetAddressResolutionEnable(
        _ command: LESetAddressResolutionEnable,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        guard !usesDevices else {
            return refuse(.leSetAddressResolutionEnable, .commandDisallowed, into: &actions)
        }
        resolvingList.isEnabled = command.isEnabled
        complete(.leSetAddressResolutionEnable, .success, into: &actions)
    }

    mutating func leSetResolvablePrivateAddressTimeout(
        _ command: LESetResolvablePrivateAddressTimeout,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        guard 1...3_600 ~= command.seconds else {
            return refuse(.leSetResolvablePrivateAddressTimeout, .invalidCommandParameters, into: &actions)
        }
        resolvingList.timeout = .seconds(Int64(command.seconds))
        complete(.leSetResolvablePrivateAddressTimeout, .success, into: &actions)
    }

    mutating func leSetPrivacyMode(_ command: LESetPrivacyMode, at now: Instant, into actions: inout ControllerActions)
    {
        let status = changeResolvingList { list in
            command.identity.isOnAir
                ? list.set(command.mode, of: command.identity.address) : .invalidCommandParameters
        }
        complete(.leSetPrivacyMode, status, into: &actions)
    }

    private mutating func add(_ command: LEAddDeviceToResolvingList) -> ControllerError {
        let capacity = Int(configuration.resolvingListSize)
        return changeResolvingList { list in
            guard command.identity.isOnAir, let peer = Block128(littleEndian: command.peerResolvingKey),
                let local = Block128(littleEndian: command.localResolvingKey)
            else { return .invalidCommandParameters }
            return list.add(
                command.identity.address,
                keys: ResolvingListEntry.Keys(peer: peer, local: local),
                capacity: capacity
            )
        }
    }

    /// Not while the list is at work: with address resolution on, and advertising, scanning or initiating going on.
    private mutating func changeResolvingList(_ change: (inout ResolvingList) -> ControllerError) -> ControllerError {
        guard !(resolvingList.isEnabled && usesDevices) else { return .commandDisallowed }
        return change(&resolvingList)
    }

    /// Whether anything goes on in which devices meet that are not connected.
    private var usesDevices: Bool { advertiser.isEnabled || scanner != nil || initiator != nil }

    // MARK: Our own address

    /// The address that an address type stands for where no private one is made: nil for a random one that was never
    /// set, and for the public one of a controller that has none.
    mutating func identityAddress(_ type: OwnAddressType) -> DeviceAddress? {
        switch type {
        case .public, .resolvableOrPublic: configuration.publicAddress.value == 0 ? nil : configuration.publicAddress
        case .random, .resolvableOrRandom: randomAddress
        }
    }

    /// The address by which to appear to a peer: a private one if the type requests it and the resolving list has a key
    /// for this peer, else the identity; nil if there is none. Vol 4, Part E, 7.8.5; Vol 6, Part B, 6.2 to 6.4.
    mutating func ownAddress(_ type: OwnAddressType, towards peer: DeviceAddress, at now: Instant) -> OwnAddress? {
        let identity = identityAddress(type)
        if type.prefersPrivate,
            let address = resolvingList.localAddress(towards: peer, at: now, from: &random.addresses)
        {
            return OwnAddress(onAir: address, identity: identity ?? DeviceAddress(value: 0, kind: .random))
        }
        return identity.map { OwnAddress(onAir: $0, identity: $0) }
    }
}

extension OwnAddressType {
    /// Whether a private address is requested where there is a key for one.
    var prefersPrivate: Bool { self == .resolvableOrPublic || self == .resolvableOrRandom }
}
