/// What a characteristic says may be done with its value. Core 6.0, Vol 3, Part G, 3.3.1.1.
public struct CharacteristicProperties: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let broadcast = Self(rawValue: 0x01)
    public static let read = Self(rawValue: 0x02)
    public static let writeWithoutResponse = Self(rawValue: 0x04)
    public static let write = Self(rawValue: 0x08)
    public static let notify = Self(rawValue: 0x10)
    public static let indicate = Self(rawValue: 0x20)
    public static let authenticatedSignedWrites = Self(rawValue: 0x40)
    public static let extendedProperties = Self(rawValue: 0x80)
}

/// More of the same, in a descriptor of its own. Core 6.0, Vol 3, Part G, 3.3.3.1.
public struct ExtendedProperties: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let reliableWrite = Self(rawValue: 0x0001)
    /// The user description may be written.
    public static let writableAuxiliaries = Self(rawValue: 0x0002)
}

/// What a client asks the server to send by itself. Core 6.0, Vol 3, Part G, 3.3.3.3.
public struct Subscription: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let notifications = Self(rawValue: 0x01)
    public static let indications = Self(rawValue: 0x02)
}

/// How a value is to be understood. Core 6.0, Vol 3, Part G, 3.3.3.5.
public struct PresentationFormat: Hashable, Sendable {
    /// Type of the value, as in the Assigned Numbers, 2.4.1.
    public var format: UInt8
    /// Power of ten that an integer is multiplied with.
    public var exponent: Int8
    /// A 16-bit UUID from the Assigned Numbers, 3.5.
    public var unit: UInt16
    /// Whose `description` it is; 1 is the Bluetooth SIG.
    public var namespace: UInt8
    public var description: UInt16

    public init(format: UInt8, exponent: Int8 = 0, unit: UInt16, namespace: UInt8 = 1, description: UInt16 = 0) {
        self.format = format
        self.exponent = exponent
        self.unit = unit
        self.namespace = namespace
        self.description = description
    }
}

extension CharacteristicProperties {
    /// The names of those that are set, in the order of their bits: `read`, `writeWithoutResponse` …
    public var names: [String] {
        let all = [
            "broadcast", "read", "writeWithoutResponse", "write", "notify", "indicate", "authenticatedSignedWrites",
            "extendedProperties",
        ]
        return all.enumerated().filter { rawValue >> $0.offset & 1 == 1 }.map(\.element)
    }
}
