public import BluethroatByteCoding

/// LE Set Advertising Data: what a legacy advertiser says. Core 6.0, Vol 4, Part E, 7.8.7.
public struct LESetAdvertisingData: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetAdvertisingData,
            "LE Set Advertising Data",
            supportedBit: SupportedCommandsBit(octet: 25, bit: 7)
        )
    }

    /// At most 31 bytes; the padding after them does not count.
    public var data: [UInt8]

    public init(data: [UInt8]) {
        self.data = data
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        data = try bytes.takePaddedData()
    }

    public func write(to out: inout [UInt8]) {
        out.appendPaddedData(data)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Advertising_Data_Length", unit: .octets) { UInt8(truncatingIfNeeded: $0.data.count) },
            .padded("Advertising_Data", countedBy: "Advertising_Data_Length", total: 31, \.data),
        ]
    }
}

extension Opcode {
    /// LE Set Advertising Data. 7.8.7.
    public static let leSetAdvertisingData = Self(rawValue: 0x2008)
}

extension Command {
    /// LE Set Advertising Data.
    public static func leSetAdvertisingData(_ command: LESetAdvertisingData) -> Self { Self(command) }
}
