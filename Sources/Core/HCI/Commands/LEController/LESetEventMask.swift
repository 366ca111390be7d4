public import BluethroatByteCoding

/// LE Set Event Mask: which LE Meta events the controller may send, given that the LE Meta event is unmasked. Core 6.0, Vol 4, Part E, 7.8.1.
public struct LESetEventMask: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetEventMask,
            "LE Set Event Mask",
            supportedBit: SupportedCommandsBit(octet: 25, bit: 0)
        )
    }

    /// A bit an event; 1 lets it through.
    public var mask: LEEventMask

    public init(mask: LEEventMask) {
        self.mask = mask
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        mask = LEEventMask(rawValue: try bytes.takeUInt64())
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt64(mask.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("LE_Event_Mask", \.mask)
        ]
    }
}

extension Opcode {
    /// LE Set Event Mask. 7.8.1.
    public static let leSetEventMask = Self(rawValue: 0x2001)
}

extension Command {
    /// LE Set Event Mask.
    public static func leSetEventMask(_ command: LESetEventMask) -> Self { Self(command) }
}
