public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Buffer Size [v2]: how much LE data the controller takes at once, ACL and isochronous. Core 6.0, Vol 4, Part E, 7.8.2.
public struct LEReadBufferSizeV2: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadBufferSizeV2,
            "LE Read Buffer Size [v2]",
            supportedBit: SupportedCommandsBit(octet: 41, bit: 5)
        )
    }
    public typealias Return = LEReadBufferSizeV2Return

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What LE Read Buffer Size [v2] returns: how much LE data the controller takes at once, ACL and isochronous. Core 6.0, Vol 4, Part E, 7.8.2.
public struct LEReadBufferSizeV2Return: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Bytes, without the header, 27 or more; 0 says that Read Buffer Size counts for LE too.
    public var aclDataLength: UInt16
    /// How many such packets the controller has room for.
    public var aclPacketCount: UInt8
    /// Bytes, without the header; 0 where there are no isochronous channels.
    public var isochronousDataLength: UInt16
    /// How many isochronous packets the controller has room for.
    public var isochronousPacketCount: UInt8

    public init(
        status: ControllerError = .success,
        aclDataLength: UInt16 = 0,
        aclPacketCount: UInt8 = 0,
        isochronousDataLength: UInt16 = 0,
        isochronousPacketCount: UInt8 = 0
    ) {
        self.status = status
        self.aclDataLength = aclDataLength
        self.aclPacketCount = aclPacketCount
        self.isochronousDataLength = isochronousDataLength
        self.isochronousPacketCount = isochronousPacketCount
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        aclDataLength = try bytes.takeUInt16()
        aclPacketCount = try bytes.takeUInt8()
        isochronousDataLength = try bytes.takeUInt16()
        isochronousPacketCount = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt16(aclDataLength)
        out.appendUInt8(aclPacketCount)
        out.appendUInt16(isochronousDataLength)
        out.appendUInt8(isochronousPacketCount)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("LE_ACL_Data_Packet_Length", unit: .octets, \.aclDataLength),
            Field("Total_Num_LE_ACL_Data_Packets", \.aclPacketCount),
            Field("ISO_Data_Packet_Length", unit: .octets, \.isochronousDataLength),
            Field("Total_Num_ISO_Data_Packets", \.isochronousPacketCount),
        ]
    }
}

extension Opcode {
    /// LE Read Buffer Size [v2]. 7.8.2.
    public static let leReadBufferSizeV2 = Self(rawValue: 0x2060)
}

extension Command {
    /// LE Read Buffer Size [v2].
    public static var leReadBufferSizeV2: Self { Self(LEReadBufferSizeV2()) }
}
