import BluetoothValues
import ByteCoding

/// One row of a database.
struct Attribute: Sendable {
    /// What the server does with the value besides keeping it.
    enum Role: UInt8, Sendable {
        case plain
        /// A service declaration, primary or secondary: the types that group attributes.
        case service
        /// One setting per client.
        case clientConfiguration
        case serverConfiguration
        /// One set of flags per client.
        case clientFeatures
        case databaseHash
        case serviceChanged
    }

    let handle: AttributeHandle
    let type: BluetoothUUID
    var role = Role.plain
    var permissions = AttributePermissions.readOnly
    var isLong = true
    /// A shorter write changes only the beginning of the value.
    var isFixedLength = false
    var reads = ValueSource.stored
    var writes = ValueSource.stored
    var minimumLength: UInt16 = 0
    var maximumLength: UInt16 = 512
    /// Where a service or a characteristic ends; of attributes that begin no group their own handle.
    var groupEnd: AttributeHandle
    /// Of a characteristic's value: its client configuration's place in a session's list; the same of the
    /// configuration itself. Negative where there is none.
    var configurationSlot: Int32 = -1
    /// Of a characteristic's value: what a link must be like before it is notified or indicated over it.
    var sending = AttributeAccess.open
    /// Of a characteristic's value: whether it may be written with a signature instead of over an encrypted link.
    var acceptsSignedWrites = false
    /// Of a configuration: the value it is about.
    var configured: AttributeHandle?
    /// Of a configuration: the bits that may be set.
    var configurationBits: UInt8 = 0
    /// Of a configuration: the error for other bits; nil follows the specification.
    var refusal: ATTError?
    var value: [UInt8]

    init(_ handle: AttributeHandle, _ type: BluetoothUUID, value: [UInt8]) {
        self.handle = handle
        self.type = type
        groupEnd = handle
        self.value = value
    }

    func allows(length: Int) -> Bool {
        if isFixedLength, role == .plain { return length <= value.count }
        return length >= Int(minimumLength) && length <= Int(maximumLength)
    }
}

extension BluetoothUUID {
    /// The bytes as ATT carries them.
    var attBytes: [UInt8] {
        var bytes: [UInt8] = []
        writeForATT(to: &bytes)
        return bytes
    }
}

extension PresentationFormat {
    /// The seven bytes of the descriptor.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendUInt8(format)
        bytes.appendInt8(exponent)
        bytes.appendUInt16(unit)
        bytes.appendUInt8(namespace)
        bytes.appendUInt16(description)
        return bytes
    }
}
