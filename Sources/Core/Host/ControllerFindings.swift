internal import BluethroatBluetoothValues
internal import BluethroatHCI

/// What a host has found out about its controller.
struct ControllerFindings {
    /// The static random address the host has chosen.
    let staticAddress: DeviceAddress
    /// Whether the host goes by that one even where there is a public address.
    let prefersStaticAddress: Bool
    /// Whether the controller has taken it.
    var hasStaticAddress = false
    var publicAddress: DeviceAddress?
    var version = ControllerVersion.unknown
    /// Nil where the controller does not report them, or names none at all.
    private var commands: SupportedCommands?
    var features: LEFeatures = []
    /// Whether the controller has both radios.
    var isDualMode = false
    var packetLength = 0
    var packetCount = 0
    var filterAcceptListSize = 0
    /// Peers that the controller can resolve at once; 0 where the host does it all.
    var resolvingListSize = 0
    /// Whether the host requests that the controller resolves.
    let usesResolvingList: Bool

    init(staticAddress: DeviceAddress, prefersStaticAddress: Bool = false, usesResolvingList: Bool = true) {
        self.staticAddress = staticAddress
        self.prefersStaticAddress = prefersStaticAddress
        self.usesResolvingList = usesResolvingList
    }

    /// The address that the host goes by.
    var identityAddress: DeviceAddress {
        if prefersStaticAddress, hasStaticAddress { return staticAddress }
        return publicAddress ?? staticAddress
    }

    /// Commands that the controller names and has left unanswered.
    private var unanswered: [Opcode] = []

    /// The controller has left a command unanswered; it does not get it again.
    mutating func note(unanswered opcode: Opcode) {
        if !unanswered.contains(opcode) { unanswered.append(opcode) }
    }

    mutating func note(_ commands: SupportedCommands) { self.commands = commands.namesKnownCommand ? commands : nil }

    /// Whether a command may be sent. A controller that names none at all is taken to know those of Core 4.0.
    func offers(_ opcode: Opcode) -> Bool {
        guard unanswered.isEmpty || !unanswered.contains(opcode) else { return false }
        if let commands { return commands.contains(opcode) }
        // LE Set Event Mask to LE Test End, and the commands for connections of both radios.
        return (0x2001...0x201F).contains(opcode.rawValue) || opcode == .disconnect || opcode == .readRSSI
            || opcode == .readRemoteVersionInformation
    }

    /// Whether all commands may be sent that advertising needs.
    var offersAdvertising: Bool {
        offers(.leSetAdvertisingParameters) && offers(.leSetAdvertisingData) && offers(.leSetScanResponseData)
            && offers(.leSetAdvertisingEnable)
    }

    /// Whether the controller names all that is needed to let it make and resolve private addresses.
    var offersResolvingList: Bool {
        usesResolvingList && features.contains(.privacy) && offers(.leReadResolvingListSize)
            && offers(.leAddDeviceToResolvingList) && offers(.leRemoveDeviceFromResolvingList)
            && offers(.leSetAddressResolutionEnable) && offers(.leSetResolvablePrivateAddressTimeout)
    }

    /// Whether the controller, one with both radios, expects its host to indicate that it uses the LE one.
    var offersWriteLEHostSupport: Bool { commands?[octet: 24, bit: 6] ?? false }

    /// The events that the host makes use of. Core 6.0, Vol 4, Part E, 7.3.1.
    var eventMask: EventMask {
        [
            .disconnectionComplete, .encryptionChange, .readRemoteVersionInformationComplete, .hardwareError,
            .dataBufferOverflow, .encryptionKeyRefreshComplete, .leMeta,
        ]
    }

    /// The LE events that the host makes use of, without those of features that the controller has not. Core 6.0,
    /// Vol 4, Part E, 7.8.1.
    var leEventMask: LEEventMask {
        var mask: LEEventMask = [
            .connectionComplete, .advertisingReport, .connectionUpdateComplete, .readRemoteFeaturesComplete,
            .longTermKeyRequest,
        ]
        if features.contains(.connectionParametersRequest),
            offers(.leRemoteConnectionParameterRequestReply),
            offers(.leRemoteConnectionParameterRequestNegativeReply)
        {
            mask.insert(.remoteConnectionParameterRequest)
        }
        // The only event that reports both private addresses of a connection.
        if offersResolvingList { mask.insert(.enhancedConnectionComplete) }
        if features.contains(.dataPacketLengthExtension) { mask.insert(.dataLengthChange) }
        if !features.isDisjoint(with: [.le2MPHY, .leCodedPHY]) { mask.insert(.phyUpdateComplete) }
        return mask
    }

    /// The least length of the data packets that a controller takes, in bytes. The headers of a channel's frame fit into it. Core
    /// 6.0, Vol 4, Part E, 7.8.2.
    private static let shortestPacketLength = 27

    /// Why a host cannot work with this controller; nil if it can.
    var failure: HostFailure? {
        guard packetLength >= Self.shortestPacketLength, packetCount > 0 else { return .noDataBuffers }
        guard publicAddress != nil || hasStaticAddress else { return .noAddress }
        return nil
    }

    var identity: HostIdentity {
        HostIdentity(
            address: identityAddress,
            publicAddress: publicAddress,
            staticAddress: hasStaticAddress ? staticAddress : nil,
            version: version,
            featureBits: features.rawValue,
            aclPacketLength: packetLength,
            aclPacketCount: packetCount
        )
    }
}

extension ControllerVersion {
    /// What is assumed of a controller that does not say: Core 4.0, no manufacturer.
    static let unknown = Self(
        hciVersion: 6,
        hciRevision: 0,
        linkLayerVersion: 6,
        linkLayerSubversion: 0,
        manufacturer: 0xFFFF
    )

    init(_ answer: ReadLocalVersionInformationReturn) {
        self.init(
            hciVersion: answer.hciVersion,
            hciRevision: answer.hciSubversion,
            linkLayerVersion: answer.linkLayerVersion,
            linkLayerSubversion: answer.linkLayerSubversion,
            manufacturer: answer.companyIdentifier
        )
    }
}
