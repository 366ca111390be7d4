public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Local P-256 Public Key Complete: the controller has made a key pair. Core 6.0, Vol 4, Part E, 7.7.65.8.
public struct LEReadLocalP256PublicKeyComplete: HCIEvent {
    public static var identifier: EventIdentifier { .leReadLocalP256PublicKeyComplete }
    public static var name: String { "LE Read Local P-256 Public Key Complete" }
    public var event: Event { .leReadLocalP256PublicKeyComplete(self) }

    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// x, then y, each least significant byte first.
    public var publicKey: [UInt8]

    public init(status: ControllerError = .success, publicKey: [UInt8]) {
        self.status = status
        self.publicKey = publicKey
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        publicKey = try bytes.takeBytes(64)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendExactly(64, publicKey)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            .bytes("Key_X_Coordinate", .fixed(32)) { Array($0.publicKey.prefix(32)) },
            .bytes("Key_Y_Coordinate", .fixed(32)) { Array($0.publicKey.suffix(32)) },
        ]
    }
}

extension EventIdentifier {
    /// LE Read Local P-256 Public Key Complete.
    public static let leReadLocalP256PublicKeyComplete = Self(le: .readLocalP256PublicKeyComplete)
}

extension LESubeventCode {
    public static let readLocalP256PublicKeyComplete = Self(rawValue: 0x08)
}

extension LEEventMask {
    public static let readLocalP256PublicKeyComplete = Self(.readLocalP256PublicKeyComplete)
}
