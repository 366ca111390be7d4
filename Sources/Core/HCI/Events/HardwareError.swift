public import BluethroatByteCoding

/// Hardware Error: the controller has failed in a way of its own. Core 6.0, Vol 4, Part E, 7.7.16.
public struct HardwareError: HCIEvent {
    public static var identifier: EventIdentifier { .hardwareError }
    public static var name: String { "Hardware Error" }
    public static var maskBit: EventMaskBit? { .page1(.hardwareError) }
    public var event: Event { .hardwareError(self) }

    /// The maker's own.
    public var code: UInt8

    public init(code: UInt8) {
        self.code = code
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        code = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(code)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Hardware_Code", \.code)
        ]
    }
}

extension EventIdentifier {
    /// Hardware Error.
    public static let hardwareError = Self(.hardwareError)
}

extension EventCode {
    public static let hardwareError = Self(rawValue: 0x10)
}

extension EventMask {
    public static let hardwareError = Self(rawValue: 1 << 15)
}
