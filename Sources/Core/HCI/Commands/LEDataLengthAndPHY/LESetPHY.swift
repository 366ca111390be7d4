public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Set PHY: which PHYs a connection should use. Core 6.0, Vol 4, Part E, 7.8.49.
public struct LESetPHY: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetPHY,
            "LE Set PHY",
            supportedBit: SupportedCommandsBit(octet: 35, bit: 6),
            feature: .le2MPHY,
            answer: .commandStatus(then: [.lePHYUpdateComplete])
        )
    }

    /// Which connection.
    public var connection: ConnectionHandle
    /// Directions in which the host does not care.
    public var noPreference: PHYIndifference
    /// From here to the peer; at least one unless there is no preference.
    public var transmit: PHYSet
    /// From the peer to here; at least one unless there is no preference.
    public var receive: PHYSet
    /// Coding preferred on LE Coded: 0 none, 1 S=2, 2 S=8.
    public var options: UInt16

    public init(
        connection: ConnectionHandle,
        noPreference: PHYIndifference = [],
        transmit: PHYSet,
        receive: PHYSet,
        options: UInt16 = 0
    ) {
        self.connection = connection
        self.noPreference = noPreference
        self.transmit = transmit
        self.receive = receive
        self.options = options
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        noPreference = PHYIndifference(rawValue: try bytes.takeUInt8())
        transmit = PHYSet(rawValue: try bytes.takeUInt8())
        receive = PHYSet(rawValue: try bytes.takeUInt8())
        options = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.append(noPreference.rawValue)
        out.append(transmit.rawValue)
        out.append(receive.rawValue)
        out.appendUInt16(options)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            Field("All_PHYs", \.noPreference),
            Field("TX_PHYs", \.transmit),
            Field("RX_PHYs", \.receive),
            Field("PHY_Options", \.options),
        ]
    }
}

extension Opcode {
    /// LE Set PHY. 7.8.49.
    public static let leSetPHY = Self(rawValue: 0x2032)
}

extension Command {
    /// LE Set PHY.
    public static func leSetPHY(_ command: LESetPHY) -> Self { Self(command) }
}
