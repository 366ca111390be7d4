public import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatVirtualTime

/// A connection of a central on the workbench, and what is known of the peer.
public struct CentralLink: Sendable {
    /// A value and when it was there.
    public struct Sample: Hashable, Sendable {
        public var time: Instant
        public var value: [UInt8]

        public init(time: Instant, value: [UInt8]) {
            self.time = time
            self.value = value
        }
    }

    /// A value that was written and when that was done; the peer may have made something else of it.
    public struct Written: Hashable, Sendable {
        public var sample: Sample
        /// Whether the peer has answered that it has the value.
        public var isConfirmed: Bool
    }

    /// How many values of one attribute are kept.
    public static let historyLength = 600

    public let id: ConnectionID
    public let peer: DeviceAddress
    public internal(set) var isBonded: Bool
    public internal(set) var since: Instant
    public internal(set) var parameters: ConnectionParameters
    public internal(set) var mtu = 23
    public internal(set) var security = LinkSecurity()
    public internal(set) var signalStrength: SignalStrength?
    /// Nil until it was asked for.
    public internal(set) var database: RemoteDatabase?
    /// Whether what describes the characteristics was read, too.
    public internal(set) var isLabelled = false
    /// Which characteristics notify or indicate, by the handles of their values.
    public internal(set) var subscriptions: [AttributeHandle: Subscription] = [:]
    /// The latest values of attributes, the newest last.
    public internal(set) var history: [AttributeHandle: [Sample]] = [:]
    /// The latest value that was written to each attribute.
    public internal(set) var written: [AttributeHandle: Written] = [:]
    /// What a person has to answer.
    public internal(set) var question: PairingQuestion?

    /// The characteristic whose value, declaration or descriptor this handle is.
    public func characteristic(at handle: AttributeHandle) -> RemoteCharacteristic? {
        for service in database?.services ?? [] {
            for characteristic in service.characteristics
            where characteristic.handle <= handle && handle <= characteristic.endHandle { return characteristic }
        }
        return nil
    }

    /// What kind of attribute this is, as far as it is known.
    public func uuid(at handle: AttributeHandle) -> BluetoothUUID? {
        guard let characteristic = characteristic(at: handle) else { return nil }
        if characteristic.valueHandle == handle { return characteristic.uuid }
        return characteristic.descriptors.first { $0.handle == handle }?.uuid
    }

    /// How the peer says that the value at this handle is written: its Characteristic Presentation Format.
    public func presentationFormat(of handle: AttributeHandle) -> [UInt8]? {
        guard let characteristic = characteristic(at: handle), characteristic.valueHandle == handle,
            let format = characteristic.descriptors.first(where: { $0.uuid == .characteristicPresentationFormat })
        else { return nil }
        return history[format.handle]?.last?.value
    }

    mutating func keepWritten(_ value: [UInt8], to handle: AttributeHandle, isConfirmed: Bool, at now: Instant) {
        written[handle] = Written(sample: Sample(time: now, value: value), isConfirmed: isConfirmed)
    }

    mutating func keep(_ value: [UInt8], of handle: AttributeHandle, at now: Instant) {
        var samples = history[handle] ?? []
        if samples.count >= Self.historyLength { samples.removeFirst(samples.count - Self.historyLength + 1) }
        samples.append(Sample(time: now, value: value))
        history[handle] = samples
    }
}

/// Something that pairing wants to know from a person, or shows them.
public enum PairingQuestion: Hashable, Sendable {
    /// Whether to pair at all: the peer wants to.
    case consent
    /// Whether the peer shows the same digits.
    case comparison(Passkey)
    /// Digits to be typed into the peer; there is nothing to answer.
    case passkeyShown(Passkey)
    /// The digits that the peer shows.
    case passkeyWanted
}
