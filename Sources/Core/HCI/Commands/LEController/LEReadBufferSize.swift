public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Buffer Size [v1]: how much LE data the controller takes at once. Core 6.0, Vol 4, Part E, 7.8.2.
public struct LEReadBufferSize: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadBufferSize,
            "LE Read Buffer Size [v1]",
            supportedBit: SupportedCommandsBit(octet: 25, bit: 1)
        )
    }
    public typealias Return = LEReadBufferSizeReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What LE Read Buffer Size [v1] returns: how much LE data the controller takes at once. Core 6.0, Vol 4, Part E, 7.8.2.
public struct LEReadBufferSizeReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Bytes, without the header, 27 or more; 0 says that Read Buffer Size counts for LE too.
    public var aclDataLength: UInt16
    /// How many such packets the controller has room for.
    public var aclPacketCount: UInt8

    public init(status: ControllerError = .success, aclDataLength: UInt16 = 0, aclPacketCount: UInt8 = 0) {
        self.status = status
        self.aclDataLength = aclDataLength
        self.aclPacketCount = aclPacketCount
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        aclDataLength = try bytes.takeUInt16()
        aclPacketCount = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt16(aclDataLength)
        out.appendUInt8(aclPacketCount)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("LE_ACL_Data_Packet_Length", unit: .octets, \.aclDataLength),
            Field("Total_Num_LE_ACL_Data_Packets", \.aclPacketCount),
        ]
    }
}

extension Opcode {
    /// LE Read Buffer Size [v1]. 7.8.2.
    public static let leReadBufferSize = Self(rawValue: 0x2002)
}

extension Command {
    /// LE Read Buffer Size [v1].
    public static var leReadBufferSize: Self { Self(LEReadBufferSize()) }
}
