import BluethroatBluetoothValues
import BluethroatByteCoding

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

    /// What is true of an attribute or not, one bit each: a database holds an attribute in 56 bytes.
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8

        static let long = Self(rawValue: 1)
        static let fixedLength = Self(rawValue: 2)
        static let readByApplication = Self(rawValue: 4)
        static let writtenByApplication = Self(rawValue: 8)
        static let signedWrites = Self(rawValue: 16)
    }

    // The largest first, so that no room is left between them.
    var value: [UInt8]
    let type: BluetoothUUID
    var role = Role.plain
    let handle: AttributeHandle
    /// Where a service or a characteristic ends; of attributes that begin no group their own handle.
    var groupEnd: AttributeHandle
    var minimumLength: UInt16 = 0
    var maximumLength: UInt16 = 512
    /// Of a characteristic's value: its client configuration's place in a session's list; the same of the
    /// configuration itself. Negative where there is none.
    var configurationSlot: Int16 = -1
    /// Of a configuration: the handle of the value that it is about, 0 of all others.
    private var configuredHandle: UInt16 = 0
    var permissions = AttributePermissions.readOnly
    /// Of a characteristic's value: what a link must be like before it is notified or indicated over it.
    var sending = AttributeAccess.open
    private var traits = Traits.long
    /// Of a configuration: the bits that may be set.
    var configurationBits: UInt8 = 0
    /// Of a configuration: the error for other bits; nil follows the specification.
    var refusal: ATTError?

    init(_ handle: AttributeHandle, _ type: BluetoothUUID, value: [UInt8]) {
        self.handle = handle
        self.type = type
        groupEnd = handle
        self.value = value
    }

    /// Parts of the value may be read and written from an offset on.
    var isLong: Bool {
        get { traits.contains(.long) }
        set { set(.long, newValue) }
    }

    /// A shorter write changes only the beginning of the value.
    var isFixedLength: Bool {
        get { traits.contains(.fixedLength) }
        set { set(.fixedLength, newValue) }
    }

    var reads: ValueSource {
        get { traits.contains(.readByApplication) ? .application : .stored }
        set { set(.readByApplication, newValue == .application) }
    }

    var writes: ValueSource {
        get { traits.contains(.writtenByApplication) ? .application : .stored }
        set { set(.writtenByApplication, newValue == .application) }
    }

    /// Of a characteristic's value: whether it may be written with a signature instead of over an encrypted link.
    var acceptsSignedWrites: Bool {
        get { traits.contains(.signedWrites) }
        set { set(.signedWrites, newValue) }
    }

    /// Of a configuration: the value it is about.
    var configured: AttributeHandle? {
        get { AttributeHandle(rawValue: configuredHandle) }
        set { configuredHandle = newValue?.rawValue ?? 0 }
    }

    private mutating func set(_ trait: Traits, _ isSet: Bool) {
        if isSet { traits.insert(trait) } else { traits.remove(trait) }
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
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendUInt8(format)
        bytes.appendInt8(exponent)
        bytes.appendUInt16(unit)
        bytes.appendUInt8(namespace)
        bytes.appendUInt16(description)
        return bytes
    }
}
