public import BluethroatByteCoding

/// LE Remove Advertising Set: forgets an advertising set. Core 6.0, Vol 4, Part E, 7.8.59.
public struct LERemoveAdvertisingSet: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leRemoveAdvertisingSet,
            "LE Remove Advertising Set",
            supportedBit: SupportedCommandsBit(octet: 37, bit: 0)
        )
    }

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8

    public init(advertisingHandle: UInt8) {
        self.advertisingHandle = advertisingHandle
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        advertisingHandle = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(advertisingHandle)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Advertising_Handle", \.advertisingHandle)
        ]
    }
}

extension Opcode {
    /// LE Remove Advertising Set. 7.8.59.
    public static let leRemoveAdvertisingSet = Self(rawValue: 0x203C)
}

extension Command {
    /// LE Remove Advertising Set.
    public static func leRemoveAdvertisingSet(_ command: LERemoveAdvertisingSet) -> Self { Self(command) }
}
