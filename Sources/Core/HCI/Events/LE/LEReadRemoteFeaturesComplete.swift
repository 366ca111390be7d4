public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Remote Features Complete: which LE features the peer has. Core 6.0, Vol 4, Part E, 7.7.65.4.
public struct LEReadRemoteFeaturesComplete: HCIEvent {
    public static var identifier: EventIdentifier { .leReadRemoteFeaturesComplete }
    public static var name: String { "LE Read Remote Features Complete" }
    public var event: Event { .leReadRemoteFeaturesComplete(self) }

    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// A bit a feature.
    public var features: LEFeatures

    public init(status: ControllerError = .success, connection: ConnectionHandle, features: LEFeatures) {
        self.status = status
        self.connection = connection
        self.features = features
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        features = LEFeatures(rawValue: try bytes.takeUInt64())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.appendUInt64(features.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Connection_Handle", \.connection),
            Field("LE_Features", \.features),
        ]
    }
}

extension EventIdentifier {
    /// LE Read Remote Features Complete.
    public static let leReadRemoteFeaturesComplete = Self(le: .readRemoteFeaturesComplete)
}

extension LESubeventCode {
    public static let readRemoteFeaturesComplete = Self(rawValue: 0x04)
}

extension LEEventMask {
    public static let readRemoteFeaturesComplete = Self(.readRemoteFeaturesComplete)
}
