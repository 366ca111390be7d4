/// An event's number. Core 6.0, Vol 4, Part E, 7.7.
public struct EventCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let disconnectionComplete = Self(rawValue: 0x05)
    public static let encryptionChange = Self(rawValue: 0x08)
    public static let readRemoteVersionInformationComplete = Self(rawValue: 0x0C)
    public static let commandComplete = Self(rawValue: 0x0E)
    public static let commandStatus = Self(rawValue: 0x0F)
    public static let hardwareError = Self(rawValue: 0x10)
    public static let numberOfCompletedPackets = Self(rawValue: 0x13)
    public static let dataBufferOverflow = Self(rawValue: 0x1A)
    public static let encryptionKeyRefreshComplete = Self(rawValue: 0x30)
    public static let leMeta = Self(rawValue: 0x3E)
    public static let authenticatedPayloadTimeoutExpired = Self(rawValue: 0x57)
}

/// The number of an event within the LE Meta events. Core 6.0, Vol 4, Part E, 7.7.65.
public struct LESubeventCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let connectionComplete = Self(rawValue: 0x01)
    public static let advertisingReport = Self(rawValue: 0x02)
    public static let connectionUpdateComplete = Self(rawValue: 0x03)
    public static let readRemoteFeaturesComplete = Self(rawValue: 0x04)
    public static let longTermKeyRequest = Self(rawValue: 0x05)
    public static let remoteConnectionParameterRequest = Self(rawValue: 0x06)
    public static let dataLengthChange = Self(rawValue: 0x07)
    public static let readLocalP256PublicKeyComplete = Self(rawValue: 0x08)
    public static let generateDHKeyComplete = Self(rawValue: 0x09)
    public static let enhancedConnectionComplete = Self(rawValue: 0x0A)
    public static let directedAdvertisingReport = Self(rawValue: 0x0B)
    public static let phyUpdateComplete = Self(rawValue: 0x0C)
    public static let extendedAdvertisingReport = Self(rawValue: 0x0D)
    public static let scanTimeout = Self(rawValue: 0x11)
    public static let advertisingSetTerminated = Self(rawValue: 0x12)
    public static let scanRequestReceived = Self(rawValue: 0x13)
    public static let channelSelectionAlgorithm = Self(rawValue: 0x14)
}
