public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Read Local Extended Features: one page of the LMP features. Core 6.0, Vol 4, Part E, 7.4.4.
public struct ReadLocalExtendedFeatures: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .readLocalExtendedFeatures,
            "Read Local Extended Features",
            supportedBit: SupportedCommandsBit(octet: 14, bit: 6)
        )
    }
    public typealias Return = ReadLocalExtendedFeaturesReturn

    /// 0 to what the answer calls `maximumPage`.
    public var page: UInt8

    public init(page: UInt8) {
        self.page = page
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        page = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(page)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Page_Number", \.page)
        ]
    }
}

/// What Read Local Extended Features returns: one page of the LMP features. Core 6.0, Vol 4, Part E, 7.4.4.
public struct ReadLocalExtendedFeaturesReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// The page this is.
    public var page: UInt8
    /// The last page there is.
    public var maximumPage: UInt8
    /// Bit n of the page.
    public var features: UInt64

    public init(status: ControllerError = .success, page: UInt8 = 0, maximumPage: UInt8 = 0, features: UInt64 = 0) {
        self.status = status
        self.page = page
        self.maximumPage = maximumPage
        self.features = features
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        page = try bytes.takeUInt8()
        maximumPage = try bytes.takeUInt8()
        features = try bytes.takeUInt64()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt8(page)
        out.appendUInt8(maximumPage)
        out.appendUInt64(features)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Page_Number", \.page),
            Field("Max_Page_Number", \.maximumPage),
            Field("Extended_LMP_Features", \.features),
        ]
    }
}

extension Opcode {
    /// Read Local Extended Features. 7.4.4.
    public static let readLocalExtendedFeatures = Self(rawValue: 0x1004)
}

extension Command {
    /// Read Local Extended Features.
    public static func readLocalExtendedFeatures(_ command: ReadLocalExtendedFeatures) -> Self { Self(command) }
}
