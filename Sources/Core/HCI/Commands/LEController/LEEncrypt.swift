public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Encrypt: one block of AES-128. Core 6.0, Vol 4, Part E, 7.8.22.
public struct LEEncrypt: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leEncrypt,
            "LE Encrypt",
            supportedBit: SupportedCommandsBit(octet: 27, bit: 6),
            feature: .encryption
        )
    }
    public typealias Return = LEEncryptReturn

    /// Least significant byte first.
    public var key: [UInt8]
    /// Least significant byte first.
    public var plaintext: [UInt8]

    public init(key: [UInt8], plaintext: [UInt8]) {
        self.key = key
        self.plaintext = plaintext
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        key = try bytes.takeBytes(16)
        plaintext = try bytes.takeBytes(16)
    }

    public func write(to out: inout [UInt8]) {
        out.appendExactly(16, key)
        out.appendExactly(16, plaintext)
    }

    public static var fields: [Field<Self>] {
        [
            .bytes("Key", .fixed(16), \.key),
            .bytes("Plaintext_Data", .fixed(16), \.plaintext),
        ]
    }
}

/// What LE Encrypt returns. Core 6.0, Vol 4, Part E, 7.8.22.
public struct LEEncryptReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Least significant byte first.
    public var ciphertext: [UInt8]

    public init(status: ControllerError = .success, ciphertext: [UInt8] = [UInt8](repeating: 0, count: 16)) {
        self.status = status
        self.ciphertext = ciphertext
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        ciphertext = try bytes.takeBytes(16)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendExactly(16, ciphertext)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            .bytes("Encrypted_Data", .fixed(16), \.ciphertext),
        ]
    }
}

extension Opcode {
    /// LE Encrypt. 7.8.22.
    public static let leEncrypt = Self(rawValue: 0x2017)
}

extension Command {
    /// LE Encrypt.
    public static func leEncrypt(_ command: LEEncrypt) -> Self { Self(command) }
}
