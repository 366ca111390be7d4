public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Local Supported Features: what the controller's Link Layer can do. Core 6.0, Vol 4, Part E, 7.8.3.
public struct LEReadLocalSupportedFeatures: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadLocalSupportedFeatures,
            "LE Read Local Supported Features",
            supportedBit: SupportedCommandsBit(octet: 25, bit: 2)
        )
    }
    public typealias Return = LEReadLocalSupportedFeaturesReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What LE Read Local Supported Features returns. Core 6.0, Vol 4, Part E, 7.8.3.
public struct LEReadLocalSupportedFeaturesReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// A bit a feature.
    public var features: LEFeatures

    public init(status: ControllerError = .success, features: LEFeatures = []) {
        self.status = status
        self.features = features
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        features = LEFeatures(rawValue: try bytes.takeUInt64())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt64(features.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("LE_Features", \.features),
        ]
    }
}

extension Opcode {
    /// LE Read Local Supported Features. 7.8.3.
    public static let leReadLocalSupportedFeatures = Self(rawValue: 0x2003)
}

extension Command {
    /// LE Read Local Supported Features.
    public static var leReadLocalSupportedFeatures: Self { Self(LEReadLocalSupportedFeatures()) }
}
