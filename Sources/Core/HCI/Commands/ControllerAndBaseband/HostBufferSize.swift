public import BluethroatByteCoding

/// Host Buffer Size: how much the host can receive. Core 6.0, Vol 4, Part E, 7.3.39.
public struct HostBufferSize: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .hostBufferSize,
            "Host Buffer Size",
            supportedBit: SupportedCommandsBit(octet: 10, bit: 6)
        )
    }

    /// The longest ACL data the host takes, in bytes without the header.
    public var aclDataLength: UInt16
    /// The same for synchronous data, which LE has not.
    public var synchronousDataLength: UInt8
    /// How many such packets the host has room for.
    public var aclPacketCount: UInt16
    /// How many synchronous packets; LE has none.
    public var synchronousPacketCount: UInt16

    public init(
        aclDataLength: UInt16,
        synchronousDataLength: UInt8 = 0,
        aclPacketCount: UInt16,
        synchronousPacketCount: UInt16 = 0
    ) {
        self.aclDataLength = aclDataLength
        self.synchronousDataLength = synchronousDataLength
        self.aclPacketCount = aclPacketCount
        self.synchronousPacketCount = synchronousPacketCount
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        aclDataLength = try bytes.takeUInt16()
        synchronousDataLength = try bytes.takeUInt8()
        aclPacketCount = try bytes.takeUInt16()
        synchronousPacketCount = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(aclDataLength)
        out.appendUInt8(synchronousDataLength)
        out.appendUInt16(aclPacketCount)
        out.appendUInt16(synchronousPacketCount)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Host_ACL_Data_Packet_Length", unit: .octets, \.aclDataLength),
            Field("Host_Synchronous_Data_Packet_Length", unit: .octets, \.synchronousDataLength),
            Field("Host_Total_Num_ACL_Data_Packets", \.aclPacketCount),
            Field("Host_Total_Num_Synchronous_Data_Packets", \.synchronousPacketCount),
        ]
    }
}

extension Opcode {
    /// Host Buffer Size. 7.3.39.
    public static let hostBufferSize = Self(rawValue: 0x0C33)
}

extension Command {
    /// Host Buffer Size.
    public static func hostBufferSize(_ command: HostBufferSize) -> Self { Self(command) }
}
