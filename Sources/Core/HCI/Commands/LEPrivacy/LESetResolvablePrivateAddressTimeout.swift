public import BluethroatByteCoding

/// LE Set Resolvable Private Address Timeout: how long the controller keeps a private address. Core 6.0, Vol 4, Part E, 7.8.45.
public struct LESetResolvablePrivateAddressTimeout: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetResolvablePrivateAddressTimeout,
            "LE Set Resolvable Private Address Timeout",
            supportedBit: SupportedCommandsBit(octet: 35, bit: 2),
            feature: .privacy
        )
    }

    /// 1 to 3600; by default 900.
    public var seconds: UInt16

    public init(seconds: UInt16) {
        self.seconds = seconds
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        seconds = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(seconds)
    }

    public static var fields: [Field<Self>] {
        [
            Field("RPA_Timeout", unit: .seconds, \.seconds)
        ]
    }
}

extension Opcode {
    /// LE Set Resolvable Private Address Timeout. 7.8.45.
    public static let leSetResolvablePrivateAddressTimeout = Self(rawValue: 0x202E)
}

extension Command {
    /// LE Set Resolvable Private Address Timeout.
    public static func leSetResolvablePrivateAddressTimeout(_ command: LESetResolvablePrivateAddressTimeout) -> Self {
        Self(command)
    }
}
