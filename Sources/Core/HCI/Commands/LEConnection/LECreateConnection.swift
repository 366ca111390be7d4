public import BluethroatByteCoding

/// LE Create Connection: connects to an advertiser, as central. Core 6.0, Vol 4, Part E, 7.8.12.
public struct LECreateConnection: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leCreateConnection,
            "LE Create Connection",
            supportedBit: SupportedCommandsBit(octet: 26, bit: 4),
            answer: .commandStatus(then: [.leConnectionComplete, .leEnhancedConnectionComplete])
        )
    }

    /// Steps of 0.625 ms, 0x0004 to 0x4000.
    public var scanInterval: UInt16
    /// Steps of 0.625 ms, not more than the interval.
    public var scanWindow: UInt16
    /// Whether the peer or the filter accept list decides.
    public var filterPolicy: InitiatorFilterPolicy
    /// Without meaning where the filter accept list decides.
    public var peer: PeerAddress
    /// Under which address the controller appears.
    public var ownAddressType: OwnAddressType
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
        filterPolicy: InitiatorFilterPolicy = .peer,
        peer: PeerAddress,
        ownAddressType: OwnAddressType = .public,
        minimumInterval: UInt16,
        maximumInterval: UInt16,
        maximumLatency: UInt16,
        supervisionTimeout: UInt16,
        minimumEventLength: UInt16 = 0,
        maximumEventLength: UInt16 = 0
    ) {
        self.scanInterval = scanInterval
        self.scanWindow = scanWindow
        self.filterPolicy = filterPolicy
        self.peer = peer
        self.ownAddressType = ownAddressType
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
        filterPolicy = try bytes.takeEnum("filter policy")
        peer = try PeerAddress(parsing: &bytes)
        ownAddressType = try bytes.takeEnum("own address type")
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
        out.append(filterPolicy.rawValue)
        peer.write(to: &out)
        out.append(ownAddressType.rawValue)
        out.appendUInt16(minimumInterval)
        out.appendUInt16(maximumInterval)
        out.appendUInt16(maximumLatency)
        out.appendUInt16(supervisionTimeout)
        out.appendUInt16(minimumEventLength)
        out.appendUInt16(maximumEventLength)
    }

    public static var fields: [Field<Self>] {
        [
            Field("LE_Scan_Interval", unit: .slots, \.scanInterval),
            Field("LE_Scan_Window", unit: .slots, \.scanWindow),
            Field("Initiator_Filter_Policy", \.filterPolicy),
            Field("Peer_Address_Type", \.peer.type),
            Field("Peer_Address", \.peer.address),
            Field("Own_Address_Type", \.ownAddressType),
            Field("Connection_Interval_Min", unit: .intervals, \.minimumInterval),
            Field("Connection_Interval_Max", unit: .intervals, \.maximumInterval),
            Field("Max_Latency", \.maximumLatency),
            Field("Supervision_Timeout", unit: .centiseconds, \.supervisionTimeout),
            Field("Min_CE_Length", unit: .slots, \.minimumEventLength),
            Field("Max_CE_Length", unit: .slots, \.maximumEventLength),
        ]
    }
}

extension Opcode {
    /// LE Create Connection. 7.8.12.
    public static let leCreateConnection = Self(rawValue: 0x200D)
}

extension Command {
    /// LE Create Connection.
    public static func leCreateConnection(_ command: LECreateConnection) -> Self { Self(command) }
}
