public import BluethroatBluetoothValues

/// A service as it is to stand in a database. Core 6.0, Vol 3, Part G, 3.1.
public struct ServiceDefinition: Sendable {
    public var uuid: BluetoothUUID
    /// False for a service that is only there to be included by others.
    public var isPrimary: Bool
    /// The handle of the declaration; nil takes the next free one.
    public var handle: AttributeHandle?
    /// The last handle the service lays claim to; nil is that of its last attribute.
    public var endHandle: AttributeHandle?
    public var includes: [IncludeDefinition]
    public var characteristics: [CharacteristicDefinition]

    public init(
        _ uuid: BluetoothUUID,
        isPrimary: Bool = true,
        handle: AttributeHandle? = nil,
        endHandle: AttributeHandle? = nil,
        includes: [IncludeDefinition] = [],
        characteristics: [CharacteristicDefinition] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.handle = handle
        self.endHandle = endHandle
        self.includes = includes
        self.characteristics = characteristics
    }
}

/// A reference from one service to another. Core 6.0, Vol 3, Part G, 3.2.
public struct IncludeDefinition: Sendable {
    /// How the other service is found, among those in the database and those added together with this one.
    public enum Target: Hashable, Sendable {
        /// The service declared at this handle.
        case handle(AttributeHandle)
        /// The first service with this UUID.
        case uuid(BluetoothUUID)
    }

    public var target: Target
    /// The handle of the declaration; nil takes the next one.
    public var handle: AttributeHandle?

    public init(_ target: Target, handle: AttributeHandle? = nil) {
        self.target = target
        self.handle = handle
    }
}

/// Where a read is answered from, or where a write goes.
public enum ValueSource: Hashable, Sendable {
    /// The database, by itself.
    case stored
    /// The application, by a request that it answers.
    case application
}

/// A characteristic as it is to stand in a database. Core 6.0, Vol 3, Part G, 3.3.
///
/// One that notifies or indicates gets a client characteristic configuration right behind its value, unless its
/// descriptors name one.
public struct CharacteristicDefinition: Sendable {
    public var uuid: BluetoothUUID
    public var properties: CharacteristicProperties
    /// What ATT lets happen, whatever the properties say.
    public var permissions: AttributePermissions
    /// What is read until something else is written; at most 512 bytes.
    public var value: [UInt8]
    /// Lengths in bytes that a write may leave the value at; others are refused with 0x0D.
    public var lengths: ClosedRange<Int>
    /// The value keeps its length: a shorter write changes only its beginning, a longer one is refused with 0x0D
    /// (Core 6.0, Vol 3, Part F, 3.4.5.1). Otherwise a write gives the value its own length, within `lengths`.
    public var isFixedLength: Bool
    /// False refuses reads and writes of parts from an offset with 0x0B, where otherwise an offset past the end is
    /// refused with 0x07.
    public var isLong: Bool
    public var reads: ValueSource
    public var writes: ValueSource
    /// The handle of the declaration; nil takes the next one.
    public var handle: AttributeHandle?
    /// The handle of the value; nil takes the next one.
    public var valueHandle: AttributeHandle?
    public var descriptors: [DescriptorDefinition]

    /// Permissions left nil follow from the properties.
    public init(
        _ uuid: BluetoothUUID,
        properties: CharacteristicProperties,
        permissions: AttributePermissions? = nil,
        value: [UInt8] = [],
        lengths: ClosedRange<Int> = 0...512,
        isFixedLength: Bool = false,
        isLong: Bool = true,
        reads: ValueSource = .stored,
        writes: ValueSource = .stored,
        handle: AttributeHandle? = nil,
        valueHandle: AttributeHandle? = nil,
        descriptors: [DescriptorDefinition] = []
    ) {
        self.uuid = uuid
        self.properties = properties
        let writing: CharacteristicProperties = [.write, .writeWithoutResponse]
        // Without a signature it takes an encrypted link. Core 6.0, Vol 3, Part G, 4.9.2.
        let signed: AttributeAccess = properties.contains(.authenticatedSignedWrites) ? .encrypted : .denied
        self.permissions =
            permissions
            ?? AttributePermissions(
                read: properties.contains(.read) ? .open : .denied,
                write: properties.isDisjoint(with: writing) ? signed : .open
            )
        self.value = value
        self.lengths = lengths
        self.isFixedLength = isFixedLength
        self.isLong = isLong
        self.reads = reads
        self.writes = writes
        self.handle = handle
        self.valueHandle = valueHandle
        self.descriptors = descriptors
    }
}

/// A descriptor as it is to stand in a database. Core 6.0, Vol 3, Part G, 3.3.3.
public struct DescriptorDefinition: Sendable {
    public enum Kind: Sendable {
        case extendedProperties(ExtendedProperties)
        /// UTF-8 text for people.
        case userDescription(String, permissions: AttributePermissions = .readOnly)
        /// What each client has subscribed to. `refusal` is the error for bits that the characteristic's properties
        /// lack and for undefined bits; then only both bytes at once may be written, others are refused with 0x0D, and
        /// parts with 0x0B. Nil follows the specification: 0x13 for bits that the properties lack, unknown bits are
        /// ignored, and the first byte may be written alone.
        case clientConfiguration(permissions: AttributePermissions = .readWrite, refusal: ATTError? = nil)
        /// Whether the value is broadcast; one setting for all clients.
        case serverConfiguration(permissions: AttributePermissions = .readWrite)
        case presentationFormat(PresentationFormat)
        /// The presentation formats, by their handles, that together make up the value.
        case aggregateFormat([AttributeHandle])
        case other(
            BluetoothUUID,
            value: [UInt8],
            permissions: AttributePermissions = .readOnly,
            lengths: ClosedRange<Int> = 0...512,
            reads: ValueSource = .stored,
            writes: ValueSource = .stored
        )
    }

    public var kind: Kind
    /// Nil takes the next handle.
    public var handle: AttributeHandle?

    public init(_ kind: Kind, handle: AttributeHandle? = nil) {
        self.kind = kind
        self.handle = handle
    }
}
