public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Set Default PHY: which PHYs new connections should use. Core 6.0, Vol 4, Part E, 7.8.48.
public struct LESetDefaultPHY: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetDefaultPHY,
            "LE Set Default PHY",
            supportedBit: SupportedCommandsBit(octet: 35, bit: 5),
            feature: .le2MPHY
        )
    }

    /// Directions in which the host does not care.
    public var noPreference: PHYIndifference
    /// From here to the peer; at least one unless there is no preference.
    public var transmit: PHYSet
    /// From the peer to here; at least one unless there is no preference.
    public var receive: PHYSet

    public init(noPreference: PHYIndifference = [], transmit: PHYSet, receive: PHYSet) {
        self.noPreference = noPreference
        self.transmit = transmit
        self.receive = receive
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        noPreference = PHYIndifference(rawValue: try bytes.takeUInt8())
        transmit = PHYSet(rawValue: try bytes.takeUInt8())
        receive = PHYSet(rawValue: try bytes.takeUInt8())
    }

    public func write(to out: inout [UInt8]) {
        out.append(noPreference.rawValue)
        out.append(transmit.rawValue)
        out.append(receive.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("All_PHYs", \.noPreference),
            Field("TX_PHYs", \.transmit),
            Field("RX_PHYs", \.receive),
        ]
    }
}

extension Opcode {
    /// LE Set Default PHY. 7.8.48.
    public static let leSetDefaultPHY = Self(rawValue: 0x2031)
}

extension Command {
    /// LE Set Default PHY.
    public static func leSetDefaultPHY(_ command: LESetDefaultPHY) -> Self { Self(command) }
}
