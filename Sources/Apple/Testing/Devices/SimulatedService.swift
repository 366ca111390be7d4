import BluethroatHost
public import CoreBluetooth

/// A service of a simulated peripheral.
public struct SimulatedService {
    public var uuid: CBUUID
    public var isPrimary: Bool
    public var characteristics: [SimulatedCharacteristic]
    /// Services of the same peripheral that this one includes.
    public var includes: [CBUUID]

    public init(
        _ uuid: some UUIDConvertible,
        isPrimary: Bool = true,
        includes: [any UUIDConvertible] = [],
        characteristics: [SimulatedCharacteristic] = []
    ) {
        self.uuid = uuid.cbUUID
        self.isPrimary = isPrimary
        self.includes = includes.map(\.cbUUID)
        self.characteristics = characteristics
    }
}

/// A characteristic of a simulated peripheral.
///
///     SimulatedCharacteristic("2A19", [.read, .notify], value: [80])
///     SimulatedCharacteristic("2A39", .write, onWrite: { value in
///         guard value == Data([1]) else { throw CBATTError(.init(rawValue: 0x80)!) }
///     })
public struct SimulatedCharacteristic {
    public var uuid: CBUUID
    public var properties: CBCharacteristicProperties
    /// What is read, until it is written or set; at most 512 bytes.
    public var value: Data
    /// What the link must be like before the value may be read, written or subscribed to.
    public var security: SimulatedSecurity
    public var descriptors: [SimulatedDescriptor]
    /// Makes the value anew for each read, or refuses with a `CBATTError`.
    public var onRead: (() throws -> Data)?
    /// Hears what was written, or refuses it with a `CBATTError`; without it everything is taken.
    public var onWrite: ((Data) throws -> Void)?

    public init(
        _ uuid: some UUIDConvertible,
        _ properties: CBCharacteristicProperties,
        value: some Collection<UInt8> = [],
        security: SimulatedSecurity = .none,
        descriptors: [SimulatedDescriptor] = [],
        onRead: (() throws -> Data)? = nil,
        onWrite: ((Data) throws -> Void)? = nil
    ) {
        self.uuid = uuid.cbUUID
        self.properties = properties
        self.value = Data(value)
        self.security = security
        self.descriptors = descriptors
        self.onRead = onRead
        self.onWrite = onWrite
    }
}

/// What a link must be like.
public enum SimulatedSecurity: Hashable, Sendable {
    case none
    /// Encrypted: the phone pairs.
    case encrypted
    /// Encrypted with a key from a pairing that was safe from a man in the middle.
    case authenticated
}

/// A descriptor that can be read.
public struct SimulatedDescriptor: Sendable {
    enum Kind: Sendable {
        case userDescription(String)
        case other(String, Data)
    }

    let kind: Kind

    /// Characteristic User Description.
    public static func userDescription(_ text: String) -> Self { Self(kind: .userDescription(text)) }

    /// Any other, with a value that stays.
    public init(_ uuid: some UUIDConvertible, value: some Collection<UInt8>) {
        kind = .other(uuid.cbUUID.uuidString, Data(value))
    }

    private init(kind: Kind) { self.kind = kind }
}
