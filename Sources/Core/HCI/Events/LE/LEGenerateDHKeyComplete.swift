public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Generate DHKey Complete: the shared secret. Core 6.0, Vol 4, Part E, 7.7.65.9.
public struct LEGenerateDHKeyComplete: HCIEvent {
    public static var identifier: EventIdentifier { .leGenerateDHKeyComplete }
    public static var name: String { "LE Generate DHKey Complete" }
    public var event: Event { .leGenerateDHKeyComplete(self) }

    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Least significant byte first.
    public var key: [UInt8]

    public init(status: ControllerError = .success, key: [UInt8]) {
        self.status = status
        self.key = key
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        key = try bytes.takeBytes(32)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendExactly(32, key)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            .bytes("DH_Key", .fixed(32), \.key),
        ]
    }
}

extension EventIdentifier {
    /// LE Generate DHKey Complete.
    public static let leGenerateDHKeyComplete = Self(le: .generateDHKeyComplete)
}

extension LESubeventCode {
    public static let generateDHKeyComplete = Self(rawValue: 0x09)
}

extension LEEventMask {
    public static let generateDHKeyComplete = Self(.generateDHKeyComplete)
}
