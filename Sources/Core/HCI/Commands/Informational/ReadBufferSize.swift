public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Read Buffer Size: how much data for BR/EDR links the controller takes. Core 6.0, Vol 4, Part E, 7.4.5.
public struct ReadBufferSize: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .readBufferSize,
            "Read Buffer Size",
            supportedBit: SupportedCommandsBit(octet: 14, bit: 7)
        )
    }
    public typealias Return = ReadBufferSizeReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What Read Buffer Size returns: how much data for BR/EDR links the controller takes; nothing, if it is LE only. Core 6.0, Vol 4, Part E, 7.4.5.
public struct ReadBufferSizeReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Bytes, without the header.
    public var aclDataLength: UInt16
    /// The same for synchronous data, which LE has not.
    public var synchronousDataLength: UInt8
    /// How many such packets the controller has room for.
    public var aclPacketCount: UInt16
    /// How many synchronous packets; LE has none.
    public var synchronousPacketCount: UInt16

    public init(
        status: ControllerError = .success,
        aclDataLength: UInt16 = 0,
        synchronousDataLength: UInt8 = 0,
        aclPacketCount: UInt16 = 0,
        synchronousPacketCount: UInt16 = 0
    ) {
        self.status = status
        self.aclDataLength = aclDataLength
        self.synchronousDataLength = synchronousDataLength
        self.aclPacketCount = aclPacketCount
        self.synchronousPacketCount = synchronousPacketCount
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        aclDataLength = try bytes.takeUInt16()
        synchronousDataLength = try bytes.takeUInt8()
        aclPacketCount = try bytes.takeUInt16()
        synchronousPacketCount = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt16(aclDataLength)
        out.appendUInt8(synchronousDataLength)
        out.appendUInt16(aclPacketCount)
        out.appendUInt16(synchronousPacketCount)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("ACL_Data_Packet_Length", unit: .octets, \.aclDataLength),
            Field("Synchronous_Data_Packet_Length", unit: .octets, \.synchronousDataLength),
            Field("Total_Num_ACL_Data_Packets", \.aclPacketCount),
            Field("Total_Num_Synchronous_Data_Packets", \.synchronousPacketCount),
        ]
    }
}

extension Opcode {
    /// Read Buffer Size. 7.4.5.
    public static let readBufferSize = Self(rawValue: 0x1005)
}

extension Command {
    /// Read Buffer Size.
    public static var readBufferSize: Self { Self(ReadBufferSize()) }
}
