public import BluethroatByteCoding

/// LE Set Scan Response Data: what a legacy advertiser answers to scanners who ask. Core 6.0, Vol 4, Part E, 7.8.8.
public struct LESetScanResponseData: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetScanResponseData,
            "LE Set Scan Response Data",
            supportedBit: SupportedCommandsBit(octet: 26, bit: 0)
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
            Field("Scan_Response_Data_Length") { UInt8(truncatingIfNeeded: $0.data.count) },
            .padded("Scan_Response_Data", countedBy: "Scan_Response_Data_Length", total: 31, \.data),
        ]
    }
}

extension Opcode {
    /// LE Set Scan Response Data. 7.8.8.
    public static let leSetScanResponseData = Self(rawValue: 0x2009)
}

extension Command {
    /// LE Set Scan Response Data.
    public static func leSetScanResponseData(_ command: LESetScanResponseData) -> Self { Self(command) }
}
