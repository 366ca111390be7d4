public import BluethroatByteCoding

/// Set Controller To Host Flow Control: whether the controller counts the host's free buffers. Core 6.0, Vol 4, Part E, 7.3.38.
public struct SetControllerToHostFlowControl: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .setControllerToHostFlowControl,
            "Set Controller To Host Flow Control",
            supportedBit: SupportedCommandsBit(octet: 10, bit: 5)
        )
    }

    /// Off after Reset.
    public var control: Control

    public init(control: Control) {
        self.control = control
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        control = try bytes.takeEnum("control")
    }

    public func write(to out: inout [UInt8]) {
        out.append(control.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Flow_Control_Enable", \.control)
        ]
    }

    /// What the host counts.
    public enum Control: UInt8, Sendable {
        case off = 0
        case acl = 1
        case synchronous = 2
        case both = 3
    }
}

extension Opcode {
    /// Set Controller To Host Flow Control. 7.3.38.
    public static let setControllerToHostFlowControl = Self(rawValue: 0x0C31)
}

extension Command {
    /// Set Controller To Host Flow Control.
    public static func setControllerToHostFlowControl(_ command: SetControllerToHostFlowControl) -> Self {
        Self(command)
    }
}
