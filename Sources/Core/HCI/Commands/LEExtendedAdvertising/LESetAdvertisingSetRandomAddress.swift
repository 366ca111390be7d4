public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Set Advertising Set Random Address: the random address of one advertising set. Core 6.0, Vol 4, Part E, 7.8.52.
public struct LESetAdvertisingSetRandomAddress: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetAdvertisingSetRandomAddress,
            "LE Set Advertising Set Random Address",
            supportedBit: SupportedCommandsBit(octet: 36, bit: 1)
        )
    }

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8
    /// A random address of any kind.
    public var address: DeviceAddress

    public init(advertisingHandle: UInt8, address: DeviceAddress) {
        self.advertisingHandle = advertisingHandle
        self.address = address
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        advertisingHandle = try bytes.takeUInt8()
        address = try DeviceAddress(parsing: &bytes, kind: .random)
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(advertisingHandle)
        address.write(to: &out)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Advertising_Handle", \.advertisingHandle),
            Field("Random_Address", \.address),
        ]
    }
}

extension Opcode {
    /// LE Set Advertising Set Random Address. 7.8.52.
    public static let leSetAdvertisingSetRandomAddress = Self(rawValue: 0x2035)
}

extension Command {
    /// LE Set Advertising Set Random Address.
    public static func leSetAdvertisingSetRandomAddress(_ command: LESetAdvertisingSetRandomAddress) -> Self {
        Self(command)
    }
}
