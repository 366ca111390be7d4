public import BluethroatByteCoding

/// LE Set Extended Scan Response Data: what one advertising set answers to scanners who ask. Core 6.0, Vol 4, Part E, 7.8.55.
public struct LESetExtendedScanResponseData: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetExtendedScanResponseData,
            "LE Set Extended Scan Response Data",
            supportedBit: SupportedCommandsBit(octet: 36, bit: 4)
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
            Field("Scan_Response_Data_Length") { UInt8(truncatingIfNeeded: $0.data.count) },
            .bytes("Scan_Response_Data", .counted(by: "Scan_Response_Data_Length"), \.data),
        ]
    }
}

extension Opcode {
    /// LE Set Extended Scan Response Data. 7.8.55.
    public static let leSetExtendedScanResponseData = Self(rawValue: 0x2038)
}

extension Command {
    /// LE Set Extended Scan Response Data.
    public static func leSetExtendedScanResponseData(_ command: LESetExtendedScanResponseData) -> Self { Self(command) }
}
