public import BluethroatByteCoding

/// LE Remove Device From Filter Accept List: takes a device out again. Core 6.0, Vol 4, Part E, 7.8.17.
public struct LERemoveDeviceFromFilterAcceptList: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leRemoveDeviceFromFilterAcceptList,
            "LE Remove Device From Filter Accept List",
            supportedBit: SupportedCommandsBit(octet: 27, bit: 1)
        )
    }

    /// An address as it appears on air, or `.anonymous`.
    public var device: PeerAddress

    public init(device: PeerAddress) {
        self.device = device
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        device = try PeerAddress(parsing: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        device.write(to: &out)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Address_Type", \.device.type),
            Field("Address", \.device.address),
        ]
    }
}

extension Opcode {
    /// LE Remove Device From Filter Accept List. 7.8.17.
    public static let leRemoveDeviceFromFilterAcceptList = Self(rawValue: 0x2012)
}

extension Command {
    /// LE Remove Device From Filter Accept List.
    public static func leRemoveDeviceFromFilterAcceptList(_ command: LERemoveDeviceFromFilterAcceptList) -> Self {
        Self(command)
    }
}
