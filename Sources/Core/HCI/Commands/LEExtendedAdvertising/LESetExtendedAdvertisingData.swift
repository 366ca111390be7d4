public import BluethroatByteCoding

/// LE Set Extended Advertising Data: what one advertising set says. Core 6.0, Vol 4, Part E, 7.8.54.
public struct LESetExtendedAdvertisingData: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetExtendedAdvertisingData,
            "LE Set Extended Advertising Data",
            supportedBit: SupportedCommandsBit(octet: 36, bit: 3)
        )
    }

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8
    /// Which part of the data this is.
    public var operation: AdvertisingDataOperation
    /// Whether the controller may cut the data up.
    public var fragmentPreference: FragmentPreference
    /// At most 251 bytes a command.
    public var data: [UInt8]

    public init(
        advertisingHandle: UInt8,
        operation: AdvertisingDataOperation = .complete,
        fragmentPreference: FragmentPreference = .mayFragment,
        data: [UInt8]
    ) {
        self.advertisingHandle = advertisingHandle
        self.operation = operation
        self.fragmentPreference = fragmentPreference
        self.data = data
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        advertisingHandle = try bytes.takeUInt8()
        operation = try bytes.takeEnum("operation")
        fragmentPreference = try bytes.takeEnum("fragment preference")
        data = try bytes.takeCountedBytes()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(advertisingHandle)
        out.append(operation.rawValue)
        out.append(fragmentPreference.rawValue)
        out.appendCountedBytes(data)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Advertising_Handle", \.advertisingHandle),
            Field("Operation", \.operation),
            Field("Fragment_Preference", \.fragmentPreference),
            Field("Advertising_Data_Length", unit: .octets) { UInt8(truncatingIfNeeded: $0.data.count) },
            .bytes("Advertising_Data", .counted(by: "Advertising_Data_Length"), \.data),
        ]
    }
}

extension Opcode {
    /// LE Set Extended Advertising Data. 7.8.54.
    public static let leSetExtendedAdvertisingData = Self(rawValue: 0x2037)
}

extension Command {
    /// LE Set Extended Advertising Data.
    public static func leSetExtendedAdvertisingData(_ command: LESetExtendedAdvertisingData) -> Self { Self(command) }
}
