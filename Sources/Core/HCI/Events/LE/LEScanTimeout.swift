public import BluethroatByteCoding

/// LE Scan Timeout: a scan of limited duration has ended. Core 6.0, Vol 4, Part E, 7.7.65.17.
public struct LEScanTimeout: HCIEvent {
    public static var identifier: EventIdentifier { .leScanTimeout }
    public static var name: String { "LE Scan Timeout" }
    public var event: Event { .leScanTimeout }

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

extension EventIdentifier {
    /// LE Scan Timeout.
    public static let leScanTimeout = Self(le: .scanTimeout)
}

extension LESubeventCode {
    public static let scanTimeout = Self(rawValue: 0x11)
}

extension LEEventMask {
    public static let scanTimeout = Self(.scanTimeout)
}
