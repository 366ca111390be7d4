public import BluethroatByteCoding

/// Set Event Mask Page 2: which events of the second mask the controller may send. Core 6.0, Vol 4, Part E, 7.3.69.
public struct SetEventMaskPage2: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .setEventMaskPage2,
            "Set Event Mask Page 2",
            supportedBit: SupportedCommandsBit(octet: 22, bit: 2)
        )
    }

    /// A bit an event; 1 lets it through.
    public var mask: EventMaskPage2

    public init(mask: EventMaskPage2) {
        self.mask = mask
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        mask = EventMaskPage2(rawValue: try bytes.takeUInt64())
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt64(mask.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Event_Mask_Page_2", \.mask)
        ]
    }
}

extension Opcode {
    /// Set Event Mask Page 2. 7.3.69.
    public static let setEventMaskPage2 = Self(rawValue: 0x0C63)
}

extension Command {
    /// Set Event Mask Page 2.
    public static func setEventMaskPage2(_ command: SetEventMaskPage2) -> Self { Self(command) }
}
