internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// Which addresses activities show, and by which they call others.
///
/// Much of it changes nothing and is `mutating` all the same: see `HostCore.nextDeadline`.
extension HostCore {
    /// How an activity shows one of this host's addresses to a peer, or to all.
    mutating func choice(of address: OwnAddress, towards peer: DeviceAddress?) throws(OrderError) -> AddressChoice {
        switch address == .usual ? configuration.privacy.ownAddress : address {
        case .usual, .identity:
            return controller.findings.identityAddress.kind == .public ? .publicAddress : try staticChoice()
        case .public:
            guard controller.findings.publicAddress != nil else { throw .noSuchAddress }
            return .publicAddress
        case .staticRandom: return try staticChoice()
        case .resolvablePrivate:
            guard controller.findings.hasStaticAddress else { throw .noSuchAddress }
            if let peer, gap.privacy.list.contains(peer) { return madeByController }
            // The controller's list decides about peers that are on it, the random address about all others.
            let decides = gap.privacy.list.isEnabled && !gap.privacy.list.entries.isEmpty
            let type = decides ? OwnAddressType.resolvableOrRandom : .random
            return AddressChoice(type: type, random: .resolvable)
        case .nonResolvablePrivate:
            guard controller.findings.hasStaticAddress else { throw .noSuchAddress }
            return AddressChoice(type: .random, random: .nonResolvable)
        }
    }

    private mutating func staticChoice() throws(OrderError) -> AddressChoice {
        guard controller.findings.hasStaticAddress else { throw .noSuchAddress }
        return AddressChoice(type: .random, random: .staticDevice)
    }

    /// A private address by the controller's own hand.
    private var madeByController: AddressChoice {
        AddressChoice(
            type: controller.findings.publicAddress == nil ? .resolvableOrRandom : .resolvableOrPublic,
            random: nil
        )
    }

    /// Refuses what would need another random address than something under way.
    mutating func claim(_ choice: AddressChoice) throws(OrderError) {
        guard let use = choice.random else { return }
        guard let other = gap.randomAddressUse else {
            // The last private address is not in use any more, and shall not be used again.
            if use != .staticDevice { gap.privacy.random.isStale = true }
            return
        }
        guard other == use else { throw .addressInUse }
    }

    /// The address that a connection which has just come was made under, where the controller does not say it.
    func ownAddress(as role: ConnectionRole) -> DeviceAddress {
        let choice = role == .central ? gap.initiator.attempt?.choice : gap.advertiser.advertisement?.choice
        switch choice?.type {
        case .public, .resolvableOrPublic:
            return controller.findings.publicAddress ?? controller.findings.identityAddress
        case nil: return controller.findings.identityAddress
        case .random, .resolvableOrRandom: return gap.privacy.random.address
        }
    }

    // MARK: Advertising

    /// Undirected advertising under a private address needs an entry that stands for all peers.
    mutating func prepareList(for parameters: AdvertisingParameters) {
        guard showsResolvable(parameters), parameters.kind.directedTo == nil else { return }
        gap.privacy.list.wantsAllZeroIdentity = true
    }

    private mutating func showsResolvable(_ parameters: AdvertisingParameters) -> Bool {
        let address = parameters.ownAddress == .usual ? configuration.privacy.ownAddress : parameters.ownAddress
        return address == .resolvablePrivate && controller.findings.hasStaticAddress
    }

    mutating func advertisingChoice(of parameters: AdvertisingParameters) throws(OrderError) -> AddressChoice {
        if let peer = parameters.kind.directedTo { return try choice(of: parameters.ownAddress, towards: peer) }
        if showsResolvable(parameters), gap.privacy.list.isUsed, !gap.privacy.list.refusesAllZeroIdentity {
            return madeByController
        }
        return try choice(of: parameters.ownAddress, towards: nil)
    }

    /// The target of directed advertising: a peer that only the host resolves by a private address of its own making.
    mutating func advertisingPeer(of parameters: AdvertisingParameters) -> PeerAddress {
        guard let peer = parameters.kind.directedTo else { return PeerAddress(ResolvingListSequencer.allZeroIdentity) }
        guard !gap.privacy.list.contains(peer), let key = bond(with: peer)?.peerIdentityResolvingKey else {
            return PeerAddress(peer)
        }
        return PeerAddress(gap.privacy.random.resolvable(with: AESKey(key)))
    }

    /// Where the controller cannot recognise all peers on the list, the host rejects those that are not on it.
    mutating func advertisingPolicy(of parameters: AdvertisingParameters) -> AdvertisingFilterPolicy {
        listNeedsHost ? .everybody : parameters.filter.policy
    }

    // MARK: Connecting

    /// How to call a peer.
    func target(_ peer: DeviceAddress) -> InitiatingSequencer.Target {
        let isKnown = gap.privacy.list.contains(peer)
        guard bond(with: peer)?.peerIdentityResolvingKey != nil else { return .address(PeerAddress(peer)) }
        guard isKnown else { return .searched }
        // A controller with privacy modes accepts an identity address as such. Core 6.0, Vol 4, Part E, 7.8.12.
        return .address(controller.findings.offers(.leSetPrivacyMode) ? PeerAddress(peer) : PeerAddress(identity: peer))
    }

    // MARK: The filter accept list

    /// Whether the list names a peer that the controller would not recognise.
    private var listNeedsHost: Bool {
        mutating get {
            for address in gap.filterAcceptList.addresses where !gap.privacy.list.contains(address) {
                if bond(with: address)?.peerIdentityResolvingKey != nil { return true }
            }
            return false
        }
    }

    /// Whether the controller reports all devices, for the host to choose.
    mutating func filtersByHost(_ parameters: ScanParameters) -> Bool {
        parameters.filter == .listedOnly && (listNeedsHost || gap.initiator.attempt?.target == .searched)
    }

    func isListed(_ report: AdvertisingReport) -> Bool {
        let listed = gap.filterAcceptList.addresses
        return listed.contains(report.address) || report.identity.map(listed.contains) ?? false
    }

    /// Whether a central that has connected may stay. A controller that resolves would not have let it in.
    mutating func isWelcome(_ attempt: ConnectionAttempt) -> Bool {
        guard attempt.role == .peripheral, attempt.peerIdentity == nil else { return true }
        let finding = bonds.finding(for: attempt.peer)
        if case .exposed = finding { return false }
        guard let filter = gap.advertiser.advertisement?.parameters.filter,
            filter == .listedInitiators || filter == .listedOnly, listNeedsHost
        else { return true }
        let listed = gap.filterAcceptList.addresses
        return listed.contains(attempt.peer) || finding.identity.map(listed.contains) ?? false
    }

    /// Disconnects a central that may not stay, and advertises again.
    mutating func reject(_ attempt: ConnectionAttempt, at now: Instant, into actions: inout HostActions) {
        let command = Disconnect(connection: attempt.handle, reason: .authenticationFailure)
        pipeline.submitAnswer(Command.disconnect(command).packet(), for: .ignored)
        gap.advertiser.abandonedConnection(commands: &pipeline)
    }
}

extension AdvertisingParameters.Kind {
    /// Its target; nil if there is none.
    var directedTo: DeviceAddress? {
        switch self {
        case .directedHighDuty(let peer), .directedLowDuty(let peer): peer
        case .connectable, .scannable, .nonConnectable: nil
        }
    }
}
