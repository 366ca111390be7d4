public import BluethroatBluetoothValues

/// What a host has learned about its controller when it has come up.
public struct HostIdentity: Hashable, Sendable {
    /// The address the host goes by: the controller's public address, or a static random one where it has none or the
    /// host is configured so.
    public var address: DeviceAddress
    /// The controller's public address; nil where it has none.
    public var publicAddress: DeviceAddress?
    /// The static random address; nil where the controller does not take one.
    public var staticAddress: DeviceAddress?
    public var version: ControllerVersion
    /// The LE features of the controller, bit by bit. Core 6.0, Vol 6, Part B, 4.6.
    public var featureBits: UInt64
    /// The longest ACL data packet the controller takes, in bytes.
    public var aclPacketLength: Int
    /// How many ACL data packets the controller holds at once.
    public var aclPacketCount: Int

    public init(
        address: DeviceAddress,
        publicAddress: DeviceAddress?,
        staticAddress: DeviceAddress?,
        version: ControllerVersion,
        featureBits: UInt64,
        aclPacketLength: Int,
        aclPacketCount: Int
    ) {
        self.address = address
        self.publicAddress = publicAddress
        self.staticAddress = staticAddress
        self.version = version
        self.featureBits = featureBits
        self.aclPacketLength = aclPacketLength
        self.aclPacketCount = aclPacketCount
    }
}

/// Who made a controller, and which edition of the specification it follows. Core 6.0, Vol 4, Part E, 7.4.1.
public struct ControllerVersion: Hashable, Sendable {
    /// The Core Specification of the HCI: 6 is 4.0, 9 is 5.0, 14 is 6.0 (Assigned Numbers, 2.1).
    public var hciVersion: UInt8
    public var hciRevision: UInt16
    /// The Core Specification of the Link Layer, in the same numbers.
    public var linkLayerVersion: UInt8
    public var linkLayerSubversion: UInt16
    /// The maker's company identifier.
    public var manufacturer: UInt16

    public init(
        hciVersion: UInt8,
        hciRevision: UInt16,
        linkLayerVersion: UInt8,
        linkLayerSubversion: UInt16,
        manufacturer: UInt16
    ) {
        self.hciVersion = hciVersion
        self.hciRevision = hciRevision
        self.linkLayerVersion = linkLayerVersion
        self.linkLayerSubversion = linkLayerSubversion
        self.manufacturer = manufacturer
    }
}
