public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Rand: 64 random bits. Core 6.0, Vol 4, Part E, 7.8.23.
public struct LERand: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leRand,
            "LE Rand",
            supportedBit: SupportedCommandsBit(octet: 27, bit: 7),
            feature: .encryption
        )
    }
    public typealias Return = LERandReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What LE Rand returns. Core 6.0, Vol 4, Part E, 7.8.23.
public struct LERandReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// 64 random bits.
    public var number: UInt64

    public init(status: ControllerError = .success, number: UInt64 = 0) {
        self.status = status
        self.number = number
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        number = try bytes.takeUInt64()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt64(number)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Random_Number", \.number),
        ]
    }
}

extension Opcode {
    /// LE Rand. 7.8.23.
    public static let leRand = Self(rawValue: 0x2018)
}

extension Command {
    /// LE Rand.
    public static var leRand: Self { Self(LERand()) }
}
