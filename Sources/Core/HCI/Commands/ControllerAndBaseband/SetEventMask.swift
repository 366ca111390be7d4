public import BluethroatByteCoding

/// Set Event Mask: which events the controller may send. Core 6.0, Vol 4, Part E, 7.3.1.
public struct SetEventMask: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .setEventMask,
            "Set Event Mask",
            supportedBit: SupportedCommandsBit(octet: 5, bit: 6)
        )
    }

    /// A bit an event; 1 lets it through.
    public var mask: EventMask

    public init(mask: EventMask) {
        self.mask = mask
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        mask = EventMask(rawValue: try bytes.takeUInt64())
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt64(mask.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Event_Mask", \.mask)
        ]
    }
}

extension Opcode {
    /// Set Event Mask. 7.3.1.
    public static let setEventMask = Self(rawValue: 0x0C01)
}

extension Command {
    /// Set Event Mask.
    public static func setEventMask(_ command: SetEventMask) -> Self { Self(command) }
}
