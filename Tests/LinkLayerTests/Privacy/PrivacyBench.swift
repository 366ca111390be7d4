import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// Whom the tests of privacy know, and what they say to a controller about them.
enum Someone {
    /// The other side of most tests, with its key.
    static let peer = DeviceAddress(value: 0xB20E_0000_00AA, kind: .public)
    static let peerKey = Block128(high: 0x0123_4567_89AB_CDEF, low: 0x0011_2233_4455_6677)
    /// Another peer, known by a static random address.
    static let other = DeviceAddress(value: 0xC0FF_EE00_00BB, kind: .random)
    static let otherKey = Block128(high: 0xFEDC_BA98_7654_3210, low: 0x8899_AABB_CCDD_EEFF)
    /// Our own key, and a key that nobody has told anybody.
    static let ownKey = Block128(high: 0x1111_2222_3333_4444, low: 0x5555_6666_7777_8888)
    static let strangeKey = Block128(high: 9, low: 9)
    static let stranger = DeviceAddress(value: 0xD00D_0000_00CC, kind: .random)
    /// The random address of the controller under test.
    static let ownRandom = DeviceAddress(value: 0xC0DE_0000_00DD, kind: .random)

    /// A resolvable private address of a key; different numbers make different ones.
    static func address(of key: Block128, _ number: UInt32 = 1) -> DeviceAddress {
        guard let address = AddressHash.resolvableAddress(key: key, random: number) else {
            preconditionFailure("not all zeros, not all ones")
        }
        return address
    }
}

extension Bench {
    /// Adds a peer to the resolving list; a key of zeros is none.
    func know(
        _ identity: DeviceAddress = Someone.peer,
        peerKey: Block128 = Someone.peerKey,
        ownKey: Block128 = Someone.ownKey,
        mode: LESetPrivacyMode.Mode = .network
    ) throws {
        try succeed(.know(identity, peerKey: peerKey, ownKey: ownKey))
        guard mode == .device else { return }
        try succeed(.leSetPrivacyMode(LESetPrivacyMode(identity: PeerAddress(identity), mode: mode)))
    }

    func resolve(_ isEnabled: Bool = true) throws {
        try succeed(.leSetAddressResolutionEnable(LESetAddressResolutionEnable(isEnabled: isEnabled)))
    }

    func keepAddresses(_ seconds: UInt16) throws {
        try succeed(.leSetResolvablePrivateAddressTimeout(LESetResolvablePrivateAddressTimeout(seconds: seconds)))
    }

    func setRandomAddress() throws {
        try succeed(.leSetRandomAddress(LESetRandomAddress(address: Someone.ownRandom)))
    }

    func accept(_ device: DeviceAddress) throws {
        try succeed(.leAddDeviceToFilterAcceptList(LEAddDeviceToFilterAcceptList(device: PeerAddress(device))))
    }

    func advertising(
        _ type: AdvertisingType = .connectable,
        as own: OwnAddressType = .resolvableOrPublic,
        to peer: DeviceAddress = Someone.peer,
        filter: AdvertisingFilterPolicy = .everybody
    ) throws {
        let parameters = LESetAdvertisingParameters(
            minimumInterval: 0x40,
            maximumInterval: 0x40,
            type: type,
            ownAddressType: own,
            peer: PeerAddress(peer),
            filterPolicy: filter
        )
        try succeed(.leSetAdvertisingParameters(parameters))
        try succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
    }

    func scanning(
        isActive: Bool = false,
        as own: OwnAddressType = .resolvableOrPublic,
        filter: ScanFilterPolicy = .basicUnfiltered,
        filtersDuplicates: Bool = false
    ) throws {
        let parameters = LESetScanParameters(
            isActive: isActive,
            interval: 0x10,
            window: 0x10,
            ownAddressType: own,
            filterPolicy: filter
        )
        try succeed(.leSetScanParameters(parameters))
        let enable = LESetScanEnable(isEnabled: true, filtersDuplicates: filtersDuplicates)
        try succeed(.leSetScanEnable(enable))
    }

    func connecting(
        to peer: PeerAddress = PeerAddress(Someone.peer),
        as own: OwnAddressType = .resolvableOrPublic,
        filter: InitiatorFilterPolicy = .peer
    ) -> Command {
        .leCreateConnection(
            LECreateConnection(
                scanInterval: 0x10,
                scanWindow: 0x10,
                filterPolicy: filter,
                peer: peer,
                ownAddressType: own,
                minimumInterval: 24,
                maximumInterval: 24,
                maximumLatency: 0,
                supervisionTimeout: 300
            )
        )
    }

    /// The private address by which a peer was heard last, or by which we appear to it.
    func privateAddress(of peer: DeviceAddress) throws -> DeviceAddress? {
        let command = LEReadPeerResolvableAddress(identity: PeerAddress(peer))
        guard case .commandComplete(let complete) = try self.command(.leReadPeerResolvableAddress(command)) else {
            throw Unexpected("no answer")
        }
        let answer = try complete.returned(LEReadPeerResolvableAddressReturn.self)
        #expect(answer.status == .success || answer.status == .unknownConnectionIdentifier)
        return answer.status == .success ? answer.address : nil
    }

    func privateAddress(towards peer: DeviceAddress) throws -> DeviceAddress? {
        let command = LEReadLocalResolvableAddress(identity: PeerAddress(peer))
        guard case .commandComplete(let complete) = try self.command(.leReadLocalResolvableAddress(command)) else {
            throw Unexpected("no answer")
        }
        let answer = try complete.returned(LEReadLocalResolvableAddressReturn.self)
        #expect(answer.status == .success || answer.status == .unknownConnectionIdentifier)
        return answer.status == .success ? answer.address : nil
    }

    /// Runs until the controller has sent an advertisement.
    func nextAdvertisement(within span: TimeSpan = .seconds(2)) throws -> (pdu: AdvertisingPDU, sent: SentFrame) {
        _ = takeFrames()
        let sent = try nextFrame(within: span)
        return (try sent.advertisingPDU(), sent)
    }

    /// Sends an answer at the end of the inter frame space after a frame of the controller.
    func answer(_ sent: SentFrame, with pdu: AdvertisingPDU) {
        let frame = AirFrame.make(advertising: pdu)
        let start = sent.end + AirTime.interFrameSpace
        transmit(frame, on: sent.channel, at: start)
        run(until: start + AirTime.span(ofFrame: frame, phy: .le1M))
    }

    /// A connection request of the tester's.
    static func request(from initiator: DeviceAddress, to advertiser: DeviceAddress) throws -> AdvertisingPDU {
        .connectInd(try .sample(from: initiator, to: advertiser))
    }
}

extension Command {
    static func know(_ identity: DeviceAddress, peerKey: Block128, ownKey: Block128) -> Command {
        .leAddDeviceToResolvingList(
            LEAddDeviceToResolvingList(
                identity: PeerAddress(identity),
                peerResolvingKey: peerKey.littleEndianBytes,
                localResolvingKey: ownKey.littleEndianBytes
            )
        )
    }
}

extension AdvertisingPDU {
    /// Who says that it advertises.
    var advertiser: DeviceAddress? {
        switch self {
        case .advInd(let address, _, _), .advNonconnInd(let address, _), .advScanInd(let address, _),
            .scanRsp(let address, _), .advDirectInd(let address, _, _):
            address
        default: nil
        }
    }
}
