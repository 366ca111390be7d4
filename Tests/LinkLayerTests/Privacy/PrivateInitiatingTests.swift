import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// To whom an initiator connects, and under which address. Core 6.0, Vol 6, Part B, 6.4.
@Suite("Private initiating")
struct PrivateInitiatingTests {
    private typealias Appearance = PrivateAdvertisingTests.Appearance
    private static let none = DeviceAddress(value: 0, kind: .random)

    /// The request that an advertisement brings about, if it does.
    private func request(_ bench: Bench, _ pdu: AdvertisingPDU) throws -> ConnectIndication? {
        _ = bench.takeFrames()
        try #require(bench.advertise(pdu) != nil)
        bench.run(for: .milliseconds(1))
        guard let sent = bench.takeFrames().first(where: { $0.accessAddress == .advertising }) else { return nil }
        guard case .connectInd(let indication) = try sent.advertisingPDU() else { return nil }
        return indication
    }

    private func undirected(_ advertiser: DeviceAddress) -> AdvertisingPDU {
        .advInd(advertiser: advertiser, data: [], supportsChannelSelection2: true)
    }

    private func complete(_ bench: Bench) throws -> LEEnhancedConnectionComplete {
        guard case .leEnhancedConnectionComplete(let complete) = try bench.nextEvent() else {
            throw Unexpected("no connection")
        }
        return complete
    }

    @Test(
        "Connections by privacy mode, filter policy and appearance, named as an identity or not",
        arguments: [LESetPrivacyMode.Mode.network, .device],
        [InitiatorFilterPolicy.peer, .list]
    )
    func peers(mode: LESetPrivacyMode.Mode, filter: InitiatorFilterPolicy) throws {
        for isResolving in [false, true] {
            for name in [PeerAddress(Someone.peer), PeerAddress(identity: Someone.peer)] {
                for appearance in Appearance.allCases {
                    let bench = try Bench()
                    try bench.enableEvents(except: [])
                    try bench.know(mode: mode)
                    try bench.accept(Someone.peer)
                    try bench.resolve(isResolving)
                    try bench.succeed(bench.connecting(to: name, filter: filter))
                    let isConnected =
                        switch appearance {
                        case .privately: isResolving
                        case .asIdentity: mode == .device
                        case .asStranger, .withStrangeKey: false
                        }
                    let comment: Comment = "\(appearance), resolving \(isResolving), as \(name.type)"
                    let indication = try request(bench, undirected(appearance.address))
                    #expect((indication != nil) == isConnected, comment)
                    guard let indication else { continue }
                    #expect(indication.advertiser == appearance.address)
                    // Whoever is in the list is met under a private address.
                    #expect(AddressHash.resolves(indication.initiator, key: Someone.ownKey), comment)
                    #expect(try bench.privateAddress(towards: Someone.peer) == nil || !bench.packets.isEmpty)
                    let complete = try complete(bench)
                    #expect(complete.role == .central)
                    #expect(complete.localPrivateAddress == indication.initiator)
                    let isResolved = appearance == .privately
                    #expect(complete.peerPrivateAddress == (isResolved ? appearance.address : Self.none), comment)
                    #expect(
                        complete.peer == (isResolved ? PeerAddress(identity: Someone.peer) : PeerAddress(Someone.peer)),
                        comment
                    )
                }
            }
        }
    }

    @Test("The own address by its type and the key for the peer", arguments: OwnAddressType.allCases)
    func ownAddress(own: OwnAddressType) throws {
        for (ownKey, isKnown) in [(Someone.ownKey, true), (.zero, true), (.zero, false)] {
            let bench = try Bench()
            try bench.enableEvents(except: [])
            try bench.setRandomAddress()
            if isKnown { try bench.know(ownKey: ownKey, mode: .device) }
            try bench.resolve()
            try bench.succeed(bench.connecting(as: own))
            let indication = try #require(try request(bench, undirected(Someone.peer)))
            let isPrivate = (own == .resolvableOrPublic || own == .resolvableOrRandom) && ownKey != .zero
            let complete = try complete(bench)
            if isPrivate {
                #expect(AddressHash.resolves(indication.initiator, key: Someone.ownKey))
                #expect(complete.localPrivateAddress == indication.initiator)
            } else {
                let isPublic = own == .public || own == .resolvableOrPublic
                #expect(indication.initiator == (isPublic ? Bench.address : Someone.ownRandom))
                #expect(complete.localPrivateAddress == Self.none)
            }
            #expect(complete.peer == PeerAddress(Someone.peer))
        }
    }

    @Test("Without a random address the kind that falls back on it needs a key for the peer")
    func missingRandomAddress() throws {
        for (filter, ownKey, isAllowed) in [
            (InitiatorFilterPolicy.peer, Someone.ownKey, true), (.peer, .zero, false), (.list, Someone.ownKey, false),
        ] {
            let bench = try Bench()
            try bench.know(ownKey: ownKey)
            let command = bench.connecting(as: .resolvableOrRandom, filter: filter)
            #expect(try bench.status(of: command) == (isAllowed ? .success : .invalidCommandParameters))
        }
    }

    @Test("A private address of the moment may be named as well")
    func namedPrivateAddress() throws {
        for isResolving in [false, true] {
            let bench = try Bench()
            try bench.know()
            try bench.resolve(isResolving)
            let address = Someone.address(of: Someone.peerKey)
            try bench.succeed(bench.connecting(to: PeerAddress(address)))
            #expect(try request(bench, undirected(address)) != nil)
        }
    }

    @Test("Directed advertising to us is answered under a new address of ours, and none that is directed at others")
    func directed() throws {
        let ours = Someone.address(of: Someone.ownKey, 9)
        let cases: [(DeviceAddress, ownKey: Block128, isAnswered: Bool)] = [
            (ours, Someone.ownKey, true), (Someone.address(of: Someone.strangeKey), Someone.ownKey, false),
            // Who is private does not answer to its identity; who has no key for this peer does.
            (Bench.address, Someone.ownKey, false), (Bench.address, .zero, true), (ours, .zero, false),
            (Someone.other, Someone.ownKey, false),
        ]
        for (target, ownKey, isAnswered) in cases {
            let bench = try Bench()
            try bench.know(ownKey: ownKey)
            try bench.resolve()
            try bench.succeed(bench.connecting())
            let advertiser = Someone.address(of: Someone.peerKey)
            let indication = try request(
                bench,
                .advDirectInd(advertiser: advertiser, target: target, supportsChannelSelection2: true)
            )
            #expect((indication != nil) == isAnswered, "\(target)")
            guard let indication, ownKey != .zero else { continue }
            #expect(AddressHash.resolves(indication.initiator, key: Someone.ownKey))
            #expect(indication.initiator != target)
        }
    }

    @Test("A peer that is connected is not connected to again, neither by name nor under a new address")
    func connectedAlready() throws {
        let bench = try Bench()
        try bench.know()
        try bench.accept(Someone.peer)
        try bench.resolve()
        try bench.succeed(bench.connecting())
        #expect(try request(bench, undirected(Someone.address(of: Someone.peerKey, 1))) != nil)
        #expect(try bench.status(of: bench.connecting()) == .connectionAlreadyExists)
        try bench.succeed(bench.connecting(filter: .list))
        // The advertisements must not meet the connection's first events.
        #expect(try request(bench, undirected(Someone.address(of: Someone.peerKey, 2))) == nil)
    }

    @Test("Rotation while waiting: the address of the request is that of its moment")
    func rotation() throws {
        let bench = try Bench()
        try bench.know()
        try bench.resolve()
        try bench.keepAddresses(1)
        var initiators = Set<DeviceAddress>()
        for round: UInt32 in 1...4 {
            try bench.succeed(bench.connecting())
            bench.run(for: .seconds(2))
            let address = Someone.address(of: Someone.peerKey, round)
            let indication = try #require(try request(bench, undirected(address)))
            initiators.insert(indication.initiator)
            bench.run(for: .seconds(1))
            _ = bench.takeFrames()
            _ = try bench.takeEvents()
        }
        #expect(initiators.count == 4)
    }
}
