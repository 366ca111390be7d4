import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// Under which address an advertiser appears, and to whom it answers. Core 6.0, Vol 6, Part B, 6.2.
@Suite("Private advertising")
struct PrivateAdvertisingTests {
    /// What the resolving list knows about the peer that the advertising parameters name.
    enum Situation: CaseIterable {
        case notListed, noKeys, peerKeyOnly, ownKeyOnly, bothKeys

        var keys: (peer: Block128, own: Block128)? {
            switch self {
            case .notListed: nil
            case .noKeys: (.zero, .zero)
            case .peerKeyOnly: (Someone.peerKey, .zero)
            case .ownKeyOnly: (.zero, Someone.ownKey)
            case .bothKeys: (Someone.peerKey, Someone.ownKey)
            }
        }
        var hasOwnKey: Bool { self == .ownKeyOnly || self == .bothKeys }
        var hasPeerKey: Bool { self == .peerKeyOnly || self == .bothKeys }
    }

    @Test(
        "Every own address type with every state of the list, in every kind of advertising",
        arguments: AdvertisingType.allCases,
        OwnAddressType.allCases
    )
    func ownAddress(type: AdvertisingType, own: OwnAddressType) throws {
        for situation in Situation.allCases {
            for isResolving in [false, true] {
                let bench = try Bench()
                try bench.setRandomAddress()
                if let keys = situation.keys { try bench.know(peerKey: keys.peer, ownKey: keys.own) }
                try bench.resolve(isResolving)
                try bench.advertising(type, as: own)
                let (pdu, _) = try bench.nextAdvertisement()
                let comment: Comment = "\(situation), resolving \(isResolving)"
                let address = try #require(pdu.advertiser)
                let prefersPrivate = own == .resolvableOrPublic || own == .resolvableOrRandom
                if prefersPrivate && situation.hasOwnKey {
                    #expect(AddressHash.resolves(address, key: Someone.ownKey), comment)
                    #expect(try bench.privateAddress(towards: Someone.peer) == address, comment)
                } else {
                    let isPublic = own == .public || own == .resolvableOrPublic
                    #expect(address == (isPublic ? Bench.address : Someone.ownRandom), comment)
                    #expect(try bench.privateAddress(towards: Someone.peer) == nil, comment)
                }
                guard case .advDirectInd(_, let target, _) = pdu else { continue }
                if prefersPrivate && situation.hasPeerKey {
                    #expect(AddressHash.resolves(target, key: Someone.peerKey), comment)
                    #expect(try bench.privateAddress(of: Someone.peer) == target, comment)
                } else {
                    #expect(target == Someone.peer, comment)
                }
            }
        }
    }

    @Test("Without a random address the kind that falls back on it needs a key")
    func missingRandomAddress() throws {
        for situation in Situation.allCases {
            let bench = try Bench()
            if let keys = situation.keys { try bench.know(peerKey: keys.peer, ownKey: keys.own) }
            let parameters = LESetAdvertisingParameters(
                ownAddressType: .resolvableOrRandom,
                peer: PeerAddress(Someone.peer)
            )
            try bench.succeed(.leSetAdvertisingParameters(parameters))
            let status = try bench.status(of: .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
            #expect(status == (situation.hasOwnKey ? .success : .invalidCommandParameters), "\(situation)")
        }
    }

    @Test("An entry for nobody in particular gives the address for advertising to everybody")
    func nobodyInParticular() throws {
        // As hosts do that have a key of their own, but no peer yet.
        let nobody = DeviceAddress(value: 0, kind: .public)
        let bench = try Bench()
        try bench.know(nobody, peerKey: .zero)
        try bench.resolve()
        try bench.advertising(to: nobody)
        let address = try #require(try bench.nextAdvertisement().pdu.advertiser)
        #expect(AddressHash.resolves(address, key: Someone.ownKey))
    }

    @Test("An address lasts as long as the host says; a whole event is under the same, and its scan responses too")
    func rotation() throws {
        let bench = try Bench()
        try bench.know()
        try bench.resolve()
        try bench.keepAddresses(10)
        try bench.advertising()
        var addresses: [DeviceAddress] = [], changes: [Instant] = []
        while bench.now < .zero + .seconds(100) {
            let (pdu, sent) = try bench.nextAdvertisement()
            let address = try #require(pdu.advertiser)
            #expect(AddressHash.resolves(address, key: Someone.ownKey))
            if address != addresses.last {
                #expect(sent.channel == ChannelIndex.advertising[0])
                addresses.append(address)
                changes.append(sent.start)
            }
            #expect(try bench.privateAddress(towards: Someone.peer) == address)
            guard sent.channel == ChannelIndex.advertising[2] else { continue }
            bench.answer(sent, with: .scanReq(scanner: Someone.stranger, advertiser: address))
            let response = try bench.nextFrame(within: .milliseconds(1))
            #expect(try response.advertisingPDU().advertiser == address)
        }
        #expect(Set(addresses).count == addresses.count)
        #expect(addresses.count == 10)
        for (earlier, later) in zip(changes, changes.dropFirst()) {
            #expect(.seconds(10)...(.seconds(10) + .milliseconds(100)) ~= later - earlier)
        }
    }

    @Test("Directed advertising calls the peer by new addresses too, when the time has come")
    func targetRotation() throws {
        let bench = try Bench()
        try bench.know()
        try bench.resolve()
        try bench.keepAddresses(5)
        try bench.advertising(.directedLowDutyCycle)
        var targets = Set<DeviceAddress>()
        while bench.now < .zero + .seconds(24) {
            guard case .advDirectInd(_, let target, _) = try bench.nextAdvertisement().pdu else { continue }
            #expect(AddressHash.resolves(target, key: Someone.peerKey))
            targets.insert(target)
        }
        #expect(targets.count == 5)
    }

    @Test("A shorter time counts for the address in use, and a longer one too")
    func newTimeout() throws {
        let bench = try Bench()
        try bench.know()
        try bench.keepAddresses(100)
        try bench.advertising()
        let first = try bench.nextAdvertisement().pdu.advertiser
        bench.run(for: .seconds(20))
        #expect(try bench.nextAdvertisement().pdu.advertiser == first)
        try bench.keepAddresses(10)
        bench.run(for: .milliseconds(100))
        #expect(try bench.nextAdvertisement().pdu.advertiser != first)
    }

    @Test("Two controllers of one seed differ, and so do two runs of different seeds; the same seed is the same")
    func variety() throws {
        var addresses: [DeviceAddress?] = []
        for seed: UInt64 in [1, 1, 2, 3] {
            let bench = try Bench(seed: seed)
            try bench.know()
            try bench.advertising()
            addresses.append(try bench.nextAdvertisement().pdu.advertiser)
        }
        #expect(addresses[0] == addresses[1])
        #expect(Set(addresses).count == 3)
    }

    @Test("An entry that is taken away meanwhile does not bring the identity out")
    func removedMeanwhile() throws {
        let bench = try Bench()
        try bench.know()
        try bench.keepAddresses(1)
        try bench.advertising()
        let first = try bench.nextAdvertisement().pdu.advertiser
        try bench.succeed(.leClearResolvingList)
        bench.run(for: .seconds(5))
        #expect(try bench.nextAdvertisement().pdu.advertiser == first)
    }

    // MARK: Who may ask and connect

    /// How a peer shows itself.
    enum Appearance: CaseIterable {
        case privately, asIdentity, asStranger, withStrangeKey

        var address: DeviceAddress {
            switch self {
            case .privately: Someone.address(of: Someone.peerKey, 77)
            case .asIdentity: Someone.peer
            case .asStranger: Someone.stranger
            case .withStrangeKey: Someone.address(of: Someone.strangeKey)
            }
        }
    }

    /// Who gets through: everybody but the identity that has to be private, if everybody may; else the known peer.
    private static func isAccepted(
        _ appearance: Appearance,
        isResolving: Bool,
        mode: LESetPrivacyMode.Mode,
        onlyPeer: Bool
    ) -> Bool {
        switch appearance {
        case .privately: isResolving || !onlyPeer
        case .asIdentity: mode == .device
        case .asStranger, .withStrangeKey: !onlyPeer
        }
    }

    @Test(
        "Scan requests and connection requests by privacy mode, filter policy and appearance",
        arguments: [LESetPrivacyMode.Mode.network, .device],
        AdvertisingFilterPolicy.allCases
    )
    func requests(mode: LESetPrivacyMode.Mode, filter: AdvertisingFilterPolicy) throws {
        for isResolving in [false, true] {
            for appearance in Appearance.allCases {
                let bench = try Bench()
                try bench.know(mode: mode)
                try bench.accept(Someone.peer)
                try bench.resolve(isResolving)
                try bench.advertising(filter: filter)
                let comment: Comment = "\(appearance), resolving \(isResolving)"

                var (pdu, sent) = try bench.nextAdvertisement()
                var own = try #require(pdu.advertiser)
                bench.answer(sent, with: .scanReq(scanner: appearance.address, advertiser: own))
                let next = try bench.nextFrame(within: .seconds(1))
                let isAnswer: Bool = if case .scanRsp = try next.advertisingPDU() { true } else { false }
                let scansFromList = filter == .scansFromList || filter == .onlyFromList
                let expectsScan = Self.isAccepted(
                    appearance,
                    isResolving: isResolving,
                    mode: mode,
                    onlyPeer: scansFromList
                )
                #expect(isAnswer == expectsScan, comment)

                (pdu, sent) = try bench.nextAdvertisement()
                own = try #require(pdu.advertiser)
                _ = try bench.takeEvents()
                try bench.enableEvents(except: [])
                bench.answer(sent, with: try Bench.request(from: appearance.address, to: own))
                let connectsFromList = filter == .connectionsFromList || filter == .onlyFromList
                let expectsConnection = Self.isAccepted(
                    appearance,
                    isResolving: isResolving,
                    mode: mode,
                    onlyPeer: connectsFromList
                )
                let complete = try bench.takeEvents().compactMap { event -> LEEnhancedConnectionComplete? in
                    if case .leEnhancedConnectionComplete(let complete) = event { complete } else { nil }
                }.first
                #expect((complete != nil) == expectsConnection, comment)
                guard let complete else { continue }
                let none = DeviceAddress(value: 0, kind: .random)
                let isResolved = isResolving && appearance == .privately
                #expect(complete.status == .success)
                #expect(complete.role == .peripheral)
                #expect(complete.localPrivateAddress == own, comment)
                #expect(complete.peerPrivateAddress == (isResolved ? appearance.address : none), comment)
                let peer = isResolved ? PeerAddress(identity: Someone.peer) : PeerAddress(appearance.address)
                #expect(complete.peer == peer, comment)
            }
        }
    }

    @Test(
        "Directed advertising is for its peer, by whatever address that may use",
        arguments: [LESetPrivacyMode.Mode.network, .device]
    )
    func directed(mode: LESetPrivacyMode.Mode) throws {
        for appearance in Appearance.allCases {
            let bench = try Bench()
            try bench.enableEvents(except: [])
            try bench.know(mode: mode)
            try bench.know(Someone.other, peerKey: Someone.otherKey)
            try bench.resolve()
            try bench.advertising(.directedLowDutyCycle)
            for (address, isAccepted) in [
                (Someone.address(of: Someone.otherKey), false), (Someone.other, false),
                (appearance.address, appearance == .privately || appearance == .asIdentity && mode == .device),
            ] {
                let (pdu, sent) = try bench.nextAdvertisement()
                bench.answer(sent, with: try Bench.request(from: address, to: try #require(pdu.advertiser)))
                #expect(try bench.takeEvents().isEmpty != isAccepted, "\(appearance) \(address)")
            }
        }
    }

    @Test("Another peer's privacy is nobody else's: an unknown private address connects where everybody may")
    func unknownConnects() throws {
        let bench = try Bench()
        try bench.know()
        try bench.resolve()
        try bench.advertising(.connectable, as: .public)
        let (_, sent) = try bench.nextAdvertisement()
        let stranger = Someone.address(of: Someone.strangeKey)
        bench.answer(sent, with: try Bench.request(from: stranger, to: Bench.address))
        guard case .leConnectionComplete(let complete) = try bench.nextEvent() else { throw Unexpected("no event") }
        #expect(complete.peer == PeerAddress(stranger))
    }

    @Test("A host that does not know the enhanced event is told the address on the air")
    func withoutEnhancedEvent() throws {
        let bench = try Bench()
        try bench.know()
        try bench.resolve()
        try bench.advertising()
        let (pdu, sent) = try bench.nextAdvertisement()
        let peer = Someone.address(of: Someone.peerKey)
        bench.answer(sent, with: try Bench.request(from: peer, to: try #require(pdu.advertiser)))
        guard case .leConnectionComplete(let complete) = try bench.nextEvent() else { throw Unexpected("no event") }
        #expect(complete.peer == PeerAddress(peer))
    }

    @Test("A peer that is connected does not connect again under a new address")
    func connectedAlready() throws {
        let bench = try Bench()
        try bench.know()
        try bench.resolve()
        for (number, isAccepted) in [(1, true), (2, false)] as [(UInt32, Bool)] {
            try bench.advertising()
            let (pdu, sent) = try bench.nextAdvertisement()
            let peer = Someone.address(of: Someone.peerKey, number)
            bench.answer(sent, with: try Bench.request(from: peer, to: try #require(pdu.advertiser)))
            #expect(try bench.takeEvents().isEmpty != isAccepted)
        }
    }
}
