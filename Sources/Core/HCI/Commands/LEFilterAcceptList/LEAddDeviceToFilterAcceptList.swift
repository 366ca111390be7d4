public import BluethroatByteCoding

/// LE Add Device To Filter Accept List: lets a device through the filter policies. Core 6.0, Vol 4, Part E, 7.8.16.
public struct LEAddDeviceToFilterAcceptList: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leAddDeviceToFilterAcceptList,
            "LE Add Device To Filter Accept List",
            supportedBit: SupportedCommandsBit(octet: 27, bit: 0)
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
    /// LE Add Device To Filter Accept List. 7.8.16.
    public static let leAddDeviceToFilterAcceptList = Self(rawValue: 0x2011)
}

extension Command {
    /// LE Add Device To Filter Accept List.
    public static func leAddDeviceToFilterAcceptList(_ command: LEAddDeviceToFilterAcceptList) -> Self { Self(command) }
}
