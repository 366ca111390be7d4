public import BluethroatByteCoding

/// Write LE Host Support: whether the host uses LE, for controllers that have BR/EDR too. Core 6.0, Vol 4, Part E, 7.3.79.
public struct WriteLEHostSupport: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .writeLEHostSupport,
            "Write LE Host Support",
            supportedBit: SupportedCommandsBit(octet: 24, bit: 6)
        )
    }

    /// On or off.
    public var isSupported: Bool
    /// Ignored by controllers of today; hosts send 0.
    public var simultaneousHost: UInt8

    public init(isSupported: Bool, simultaneousHost: UInt8 = 0) {
        self.isSupported = isSupported
        self.simultaneousHost = simultaneousHost
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        isSupported = try bytes.takeBool("LE supported host")
        simultaneousHost = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.append(isSupported ? 1 : 0)
        out.appendUInt8(simultaneousHost)
    }

    public static var fields: [Field<Self>] {
        [Field("LE_Supported_Host", \.isSupported), Field("Simultaneous_LE_Host", \.simultaneousHost)]
    }
}

extension Opcode {
    /// Write LE Host Support. 7.3.79.
    public static let writeLEHostSupport = Self(rawValue: 0x0C6D)
}

extension Command {
    /// Write LE Host Support.
    public static func writeLEHostSupport(_ command: WriteLEHostSupport) -> Self { Self(command) }
}
