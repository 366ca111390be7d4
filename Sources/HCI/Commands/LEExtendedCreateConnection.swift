import BluetoothValues
public import ByteCoding

/// LE Extended Create Connection [v1]: connects to an advertiser, as central, with the parameters of each PHY.
/// Core 6.0, Vol 4, Part E, 7.8.66.
public struct LEExtendedCreateConnection: CommandParameters {
    /// How to look for the peer on one PHY, and what the connection should be like if it is found there.
    public struct PHYParameters: Hashable, Sendable {
        /// Steps of 0.625 ms, from 4; without meaning on LE 2M.
        public var scanInterval: UInt16
        /// Steps of 0.625 ms, not more than the interval; without meaning on LE 2M.
        public var scanWindow: UInt16
        /// Steps of 1.25 ms, 6 to 3200.
        public var minimumInterval: UInt16
        /// Steps of 1.25 ms, not less than the minimum.
        public var maximumInterval: UInt16
        /// Events the peripheral may sleep through, 0 to 499.
        public var maximumLatency: UInt16
        /// Steps of 10 ms, 10 to 3200.
        public var supervisionTimeout: UInt16
        /// What the host thinks an event needs: steps of 0.625 ms.
        public var minimumEventLength: UInt16
        /// Steps of 0.625 ms.
        public var maximumEventLength: UInt16

        public init(
            scanInterval: UInt16 = 0x0010,
            scanWindow: UInt16 = 0x0010,
            minimumInterval: UInt16,
            maximumInterval: UInt16,
            maximumLatency: UInt16,
            supervisionTimeout: UInt16,
            minimumEventLength: UInt16 = 0,
            maximumEventLength: UInt16 = 0
        ) {
            self.scanInterval = scanInterval
            self.scanWindow = scanWindow
            self.minimumInterval = minimumInterval
            self.maximumInterval = maximumInterval
            self.maximumLatency = maximumLatency
            self.supervisionTimeout = supervisionTimeout
            self.minimumEventLength = minimumEventLength
            self.maximumEventLength = maximumEventLength
        }

        public init(parsing bytes: inout RawSpan) throws(DecodeError) {
            scanInterval = try bytes.takeUInt16()
            scanWindow = try bytes.takeUInt16()
            minimumInterval = try bytes.takeUInt16()
            maximumInterval = try bytes.takeUInt16()
            maximumLatency = try bytes.takeUInt16()
            supervisionTimeout = try bytes.takeUInt16()
            minimumEventLength = try bytes.takeUInt16()
            maximumEventLength = try bytes.takeUInt16()
        }

        public func write(to out: inout [UInt8]) {
            out.appendUInt16(scanInterval)
            out.appendUInt16(scanWindow)
            out.appendUInt16(minimumInterval)
            out.appendUInt16(maximumInterval)
            out.appendUInt16(maximumLatency)
            out.appendUInt16(supervisionTimeout)
            out.appendUInt16(minimumEventLength)
            out.appendUInt16(maximumEventLength)
        }
    }

    public static var opcode: Opcode { .leExtendedCreateConnection }

    /// Whether the peer or the filter accept list decides.
    public var filterPolicy: InitiatorFilterPolicy
    /// Under which address the controller appears.
    public var ownAddressType: OwnAddressType
    /// Without meaning where the filter accept list decides.
    public var peer: PeerAddress
    /// Nil to leave a PHY out; at least LE 1M or LE Coded must be in.
    public var le1M: PHYParameters?
    /// Nil to leave LE 2M out.
    public var le2M: PHYParameters?
    /// Nil to leave LE Coded out.
    public var leCoded: PHYParameters?

    public init(
        filterPolicy: InitiatorFilterPolicy = .peer,
        ownAddressType: OwnAddressType = .public,
        peer: PeerAddress,
        le1M: PHYParameters? = nil,
        le2M: PHYParameters? = nil,
        leCoded: PHYParameters? = nil
    ) {
        self.filterPolicy = filterPolicy
        self.ownAddressType = ownAddressType
        self.peer = peer
        self.le1M = le1M
        self.le2M = le2M
        self.leCoded = leCoded
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        filterPolicy = try bytes.takeEnum("filter policy")
        ownAddressType = try bytes.takeEnum("own address type")
        peer = try PeerAddress(parsing: &bytes)
        let phys = PHYSet(rawValue: try bytes.takeUInt8())
        guard phys.isSubset(of: [.le1M, .le2M, .leCoded]) else {
            throw .invalidValue(field: "initiating PHYs", value: Int(phys.rawValue))
        }
        if phys.contains(.le1M) { le1M = try PHYParameters(parsing: &bytes) }
        if phys.contains(.le2M) { le2M = try PHYParameters(parsing: &bytes) }
        if phys.contains(.leCoded) { leCoded = try PHYParameters(parsing: &bytes) }
    }

    public func write(to out: inout [UInt8]) {
        out.append(filterPolicy.rawValue)
        out.append(ownAddressType.rawValue)
        peer.write(to: &out)
        let phys: PHYSet = [le1M == nil ? [] : .le1M, le2M == nil ? [] : .le2M, leCoded == nil ? [] : .leCoded]
        out.append(phys.rawValue)
        le1M?.write(to: &out)
        le2M?.write(to: &out)
        leCoded?.write(to: &out)
    }
}
