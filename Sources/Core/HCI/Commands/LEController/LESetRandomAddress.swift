public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Set Random Address: the random address for advertising, scanning and initiating. Core 6.0, Vol 4, Part E, 7.8.4.
public struct LESetRandomAddress: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetRandomAddress,
            "LE Set Random Address",
            supportedBit: SupportedCommandsBit(octet: 25, bit: 4)
        )
    }

    /// A random address of any kind.
    public var address: DeviceAddress

    public init(address: DeviceAddress) {
        self.address = address
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        address = try DeviceAddress(parsing: &bytes, kind: .random)
    }

    public func write(to out: inout [UInt8]) {
        address.write(to: &out)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Random_Address", \.address)
        ]
    }
}

extension Opcode {
    /// LE Set Random Address. 7.8.4.
    public static let leSetRandomAddress = Self(rawValue: 0x2005)
}

extension Command {
    /// LE Set Random Address.
    public static func leSetRandomAddress(_ command: LESetRandomAddress) -> Self { Self(command) }
}
