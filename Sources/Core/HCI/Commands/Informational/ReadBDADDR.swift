public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Read BD_ADDR: the controller's public address. Core 6.0, Vol 4, Part E, 7.4.6.
public struct ReadBDADDR: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .readBDADDR,
            "Read BD_ADDR",
            supportedBit: SupportedCommandsBit(octet: 15, bit: 1)
        )
    }
    public typealias Return = ReadBDADDRReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What Read BD_ADDR returns: the controller's public address. Core 6.0, Vol 4, Part E, 7.4.6.
public struct ReadBDADDRReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// All zero where the controller has none.
    public var address: DeviceAddress

    public init(status: ControllerError = .success, address: DeviceAddress = DeviceAddress(value: 0, kind: .public)) {
        self.status = status
        self.address = address
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        address = try DeviceAddress(parsing: &bytes, kind: .public)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        address.write(to: &out)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("BD_ADDR", \.address),
        ]
    }
}

extension Opcode {
    /// Read BD_ADDR. 7.4.6.
    public static let readBDADDR = Self(rawValue: 0x1009)
}

extension Command {
    /// Read BD_ADDR.
    public static var readBDADDR: Self { Self(ReadBDADDR()) }
}
