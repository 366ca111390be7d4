import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Extended Create Connection [v1]: connects to an advertiser, as central, with the parameters of each PHY.
/// Core 6.0, Vol 4, Part E, 7.8.66.
public struct LEExtendedCreateConnection: HCICommand {
    /// How to look for the peer on one PHY, and what the connection should be like if it is found there.
    public struct PHYParameters: FieldDescribed, Hashable, Sendable {
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

        public static var fields: [Field<Self>] {
            [
                Field("Scan_Interval", unit: .slots, \.scanInterval),
                Field("Scan_Window", unit: .slots, \.scanWindow),
                Field("Connection_Interval_Min", unit: .intervals, \.minimumInterval),
                Field("Connection_Interval_Max", unit: .intervals, \.maximumInterval),
                Field("Max_Latency", \.maximumLatency),
                Field("Supervision_Timeout", unit: .centiseconds, \.supervisionTimeout),
                Field("Min_CE_Length", unit: .slots, \.minimumEventLength),
                Field("Max_CE_Length", unit: .slots, \.maximumEventLength),
            ]
        }
    }

    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leExtendedCreateConnection,
            "LE Extended Create Connection [v1]",
            supportedBit: SupportedCommandsBit(octet: 37, bit: 7),
            answer: .commandStatus(then: [.leEnhancedConnectionComplete])
        )
    }

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
        out.append(phys.rawValue)
        le1M?.write(to: &out)
        le2M?.write(to: &out)
        leCoded?.write(to: &out)
    }

    /// A bit for each PHY that is in.
    private var phys: PHYSet {
        [le1M == nil ? [] : .le1M, le2M == nil ? [] : .le2M, leCoded == nil ? [] : .leCoded]
    }

    public static var fields: [Field<Self>] {
        [
            Field("Initiator_Filter_Policy", \.filterPolicy),
            Field("Own_Address_Type", \.ownAddressType),
            Field("Peer_Address_Type", \.peer.type),
            Field("Peer_Address", \.peer.address),
            Field("Initiating_PHYs", \.phys),
            .group("LE 1M", .when("Initiating_PHYs", bit: 0), of: PHYParameters.fields) {
                [$0.le1M].compactMap(\.self)
            },
            .group("LE 2M", .when("Initiating_PHYs", bit: 1), of: PHYParameters.fields) {
                [$0.le2M].compactMap(\.self)
            },
            .group("LE Coded", .when("Initiating_PHYs", bit: 2), of: PHYParameters.fields) {
                [$0.leCoded].compactMap(\.self)
            },
        ]
    }
}

extension Opcode {
    /// LE Extended Create Connection [v1]. 7.8.66.
    public static let leExtendedCreateConnection = Self(rawValue: 0x2043)
}

extension Command {
    /// LE Extended Create Connection [v1].
    public static func leExtendedCreateConnection(_ command: LEExtendedCreateConnection) -> Self { Self(command) }
}
