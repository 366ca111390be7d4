public import AirPackets
public import BluetoothCrypto
public import BluetoothValues

/// What a controller is: its address, its size and its clock.
public struct ControllerConfiguration: Sendable {
    /// The public device address; all zeroes for a controller without one.
    public var publicAddress: DeviceAddress
    /// ACL data packets from the host that fit in at once.
    public var aclPacketCount: UInt8 = 12
    /// Bytes of data that an ACL packet from the host may carry, 27 to 251.
    public var aclDataLength: UInt16 = 251
    /// Connections at once in both roles together, 1 to 32.
    public var connectionLimit = 32
    /// Places in the filter accept list.
    public var filterAcceptListSize: UInt8 = 32
    /// Places in the resolving list.
    public var resolvingListSize: UInt8 = 32
    /// How far the sleep clock may be off, as told to peers and used for window widening.
    public var sleepClockAccuracy: SleepClockAccuracy = .upTo50
    /// Whether Channel Selection Algorithm #2 is used where the peer can.
    public var supportsChannelSelection2 = true
    /// The power of every transmission.
    public var transmitPower = SignalStrength(dBm: 0)
    /// Core Specification version as an assigned number, 0x0D for 5.4.
    public var version: UInt8 = 0x0D
    /// 0xFFFF is no company: hosts that load firmware by the company leave such a controller alone.
    public var companyIdentifier: UInt16 = 0xFFFF
    public var subversion: UInt16 = 0x0001

    /// What everything secret is drawn from: session keys, LE Rand, private keys. Nil draws it from the seed, which is
    /// right for a world that has to be replayed; a live device brings 128 bits that nobody knows.
    public var secret: Block128?

    public init(publicAddress: DeviceAddress) {
        self.publicAddress = publicAddress
    }
}
