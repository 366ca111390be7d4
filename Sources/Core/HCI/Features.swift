/// What a controller's Link Layer can do; exchanged with peers too. Core 6.0, Vol 6, Part B, 4.6.
public struct LEFeatures: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let encryption = Self(rawValue: 1 << 0)
    public static let connectionParametersRequest = Self(rawValue: 1 << 1)
    public static let extendedRejectIndication = Self(rawValue: 1 << 2)
    public static let peripheralInitiatedFeaturesExchange = Self(rawValue: 1 << 3)
    public static let ping = Self(rawValue: 1 << 4)
    public static let dataPacketLengthExtension = Self(rawValue: 1 << 5)
    /// LL Privacy: address resolution in the controller.
    public static let privacy = Self(rawValue: 1 << 6)
    public static let extendedScanningFilterPolicies = Self(rawValue: 1 << 7)
    public static let le2MPHY = Self(rawValue: 1 << 8)
    public static let stableModulationIndexTransmitter = Self(rawValue: 1 << 9)
    public static let stableModulationIndexReceiver = Self(rawValue: 1 << 10)
    public static let leCodedPHY = Self(rawValue: 1 << 11)
    public static let extendedAdvertising = Self(rawValue: 1 << 12)
    public static let periodicAdvertising = Self(rawValue: 1 << 13)
    public static let channelSelectionAlgorithm2 = Self(rawValue: 1 << 14)
    public static let powerClass1 = Self(rawValue: 1 << 15)
    public static let minimumNumberOfUsedChannels = Self(rawValue: 1 << 16)
    public static let connectionCTERequest = Self(rawValue: 1 << 17)
    public static let connectionCTEResponse = Self(rawValue: 1 << 18)
    public static let periodicAdvertisingSyncTransferSender = Self(rawValue: 1 << 24)
    public static let periodicAdvertisingSyncTransferRecipient = Self(rawValue: 1 << 25)
    public static let sleepClockAccuracyUpdates = Self(rawValue: 1 << 26)
    public static let remotePublicKeyValidation = Self(rawValue: 1 << 27)
    public static let connectedIsochronousStreamCentral = Self(rawValue: 1 << 28)
    public static let connectedIsochronousStreamPeripheral = Self(rawValue: 1 << 29)
    public static let isochronousBroadcaster = Self(rawValue: 1 << 30)
    public static let synchronizedReceiver = Self(rawValue: 1 << 31)
    public static let connectedIsochronousStreamHostSupport = Self(rawValue: 1 << 32)
    public static let powerControlRequest = Self(rawValue: 1 << 33)
    public static let pathLossMonitoring = Self(rawValue: 1 << 35)
    public static let connectionSubrating = Self(rawValue: 1 << 37)
    public static let connectionSubratingHostSupport = Self(rawValue: 1 << 38)
    public static let channelClassification = Self(rawValue: 1 << 39)
}

/// What a controller can do by page 0 of the Link Manager's features; LE-only controllers set two bits.
/// Core 6.0, Vol 2, Part C, 3.3.
public struct LMPFeatures: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let brEDRNotSupported = Self(rawValue: 1 << 37)
    public static let leSupported = Self(rawValue: 1 << 38)
    public static let extendedFeatures = Self(rawValue: 1 << 63)
}
