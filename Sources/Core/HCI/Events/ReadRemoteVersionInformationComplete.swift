public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Read Remote Version Information Complete: who made the peer's controller, to which version. Core 6.0, Vol 4, Part E, 7.7.12.
public struct ReadRemoteVersionInformationComplete: HCIEvent {
    public static var identifier: EventIdentifier { .readRemoteVersionInformationComplete }
    public static var name: String { "Read Remote Version Information Complete" }
    public static var maskBit: EventMaskBit? { .page1(.readRemoteVersionInformationComplete) }
    public var event: Event { .readRemoteVersionInformationComplete(self) }

    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// 0x0D is Core 5.4, by the Assigned Numbers, 2.1.
    public var version: UInt8
    /// By the Assigned Numbers, 7.
    public var companyIdentifier: UInt16
    /// The maker's own.
    public var subversion: UInt16

    public init(
        status: ControllerError = .success,
        connection: ConnectionHandle,
        version: UInt8,
        companyIdentifier: UInt16,
        subversion: UInt16
    ) {
        self.status = status
        self.connection = connection
        self.version = version
        self.companyIdentifier = companyIdentifier
        self.subversion = subversion
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        version = try bytes.takeUInt8()
        companyIdentifier = try bytes.takeUInt16()
        subversion = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.appendUInt8(version)
        out.appendUInt16(companyIdentifier)
        out.appendUInt16(subversion)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Connection_Handle", \.connection),
            Field("Version", \.version),
            Field("Company_Identifier", \.companyIdentifier),
            Field("Subversion", \.subversion),
        ]
    }
}

extension EventIdentifier {
    /// Read Remote Version Information Complete.
    public static let readRemoteVersionInformationComplete = Self(.readRemoteVersionInformationComplete)
}

extension EventCode {
    public static let readRemoteVersionInformationComplete = Self(rawValue: 0x0C)
}

extension EventMask {
    public static let readRemoteVersionInformationComplete = Self(rawValue: 1 << 11)
}
