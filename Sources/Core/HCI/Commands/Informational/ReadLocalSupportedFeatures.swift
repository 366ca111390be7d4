public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Read Local Supported Features: page 0 of the LMP features. Core 6.0, Vol 4, Part E, 7.4.3.
public struct ReadLocalSupportedFeatures: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .readLocalSupportedFeatures,
            "Read Local Supported Features",
            supportedBit: SupportedCommandsBit(octet: 14, bit: 5)
        )
    }
    public typealias Return = ReadLocalSupportedFeaturesReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What Read Local Supported Features returns: page 0 of the LMP features. Core 6.0, Vol 4, Part E, 7.4.3.
public struct ReadLocalSupportedFeaturesReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// A bit a feature.
    public var features: LMPFeatures

    public init(status: ControllerError = .success, features: LMPFeatures = []) {
        self.status = status
        self.features = features
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        features = LMPFeatures(rawValue: try bytes.takeUInt64())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt64(features.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("LMP_Features", \.features),
        ]
    }
}

extension Opcode {
    /// Read Local Supported Features. 7.4.3.
    public static let readLocalSupportedFeatures = Self(rawValue: 0x1003)
}

extension Command {
    /// Read Local Supported Features.
    public static var readLocalSupportedFeatures: Self { Self(ReadLocalSupportedFeatures()) }
}
