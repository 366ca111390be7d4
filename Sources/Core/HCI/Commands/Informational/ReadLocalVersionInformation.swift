public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Read Local Version Information: who made the controller, to which version. Core 6.0, Vol 4, Part E, 7.4.1.
public struct ReadLocalVersionInformation: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .readLocalVersionInformation,
            "Read Local Version Information",
            supportedBit: SupportedCommandsBit(octet: 14, bit: 3)
        )
    }
    public typealias Return = ReadLocalVersionInformationReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What Read Local Version Information returns: who made the controller, to which version. Core 6.0, Vol 4, Part E, 7.4.1.
public struct ReadLocalVersionInformationReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// 0x0D is Core 5.4, by the Assigned Numbers, 2.1.
    public var hciVersion: UInt8
    /// The maker's own.
    public var hciSubversion: UInt16
    /// The same numbers as `hciVersion`.
    public var linkLayerVersion: UInt8
    /// By the Assigned Numbers, 7.
    public var companyIdentifier: UInt16
    /// The maker's own.
    public var linkLayerSubversion: UInt16

    public init(
        status: ControllerError = .success,
        hciVersion: UInt8 = 0,
        hciSubversion: UInt16 = 0,
        linkLayerVersion: UInt8 = 0,
        companyIdentifier: UInt16 = 0xFFFF,
        linkLayerSubversion: UInt16 = 0
    ) {
        self.status = status
        self.hciVersion = hciVersion
        self.hciSubversion = hciSubversion
        self.linkLayerVersion = linkLayerVersion
        self.companyIdentifier = companyIdentifier
        self.linkLayerSubversion = linkLayerSubversion
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        hciVersion = try bytes.takeUInt8()
        hciSubversion = try bytes.takeUInt16()
        linkLayerVersion = try bytes.takeUInt8()
        companyIdentifier = try bytes.takeUInt16()
        linkLayerSubversion = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt8(hciVersion)
        out.appendUInt16(hciSubversion)
        out.appendUInt8(linkLayerVersion)
        out.appendUInt16(companyIdentifier)
        out.appendUInt16(linkLayerSubversion)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("HCI_Version", \.hciVersion),
            Field("HCI_Subversion", \.hciSubversion),
            Field("LMP_Version", \.linkLayerVersion),
            Field("Company_Identifier", \.companyIdentifier),
            Field("LMP_Subversion", \.linkLayerSubversion),
        ]
    }
}

extension Opcode {
    /// Read Local Version Information. 7.4.1.
    public static let readLocalVersionInformation = Self(rawValue: 0x1001)
}

extension Command {
    /// Read Local Version Information.
    public static var readLocalVersionInformation: Self { Self(ReadLocalVersionInformation()) }
}
