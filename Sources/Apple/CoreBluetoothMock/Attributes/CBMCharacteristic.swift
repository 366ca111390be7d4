public import CoreBluetooth

/// A characteristic of a service.
open class CBMCharacteristic: CBMAttribute, @unchecked Sendable {
    struct Contents {
        weak var service: CBMService?
        var value: Data?
        var isNotifying = false
        var descriptors: [CBMDescriptor]?
    }

    let contents = Locked(Contents())

    open override var uuid: CBMUUID { super.uuid }

    /// The service that has the characteristic.
    open internal(set) var service: CBMService? {
        get { contents.withLock(\.service) }
        set { contents.withLock { $0.service = newValue } }
    }

    /// What can be done with the value.
    public let properties: CBMCharacteristicProperties

    /// The value as it was last read or sent; nil before. In a specification, what was sent last.
    open internal(set) var value: Data? {
        get { contents.withLock(\.value) }
        set { contents.withLock { $0.value = newValue } }
    }

    /// The descriptors found so far; nil before any were looked for.
    open var descriptors: [CBMDescriptor]? { contents.withLock(\.descriptors) }

    /// Whether the peripheral sends the value by itself. In a specification, whether somebody has subscribed.
    open internal(set) var isNotifying: Bool {
        get { contents.withLock(\.isNotifying) }
        set { contents.withLock { $0.isNotifying = newValue } }
    }

    init(type uuid: CBMUUID, properties: CBMCharacteristicProperties) {
        self.properties = properties
        super.init(type: uuid)
    }
}

/// A characteristic in the specification of a peripheral.
open class CBMCharacteristicMock: CBMCharacteristic, @unchecked Sendable {
    /// What the link must be like before the value may be read, written or subscribed to.
    public let security: CBMSecurity

    open override var descriptors: [CBMDescriptor]? {
        get { contents.withLock(\.descriptors) }
        set {
            contents.withLock { $0.descriptors = newValue }
            for descriptor in newValue ?? [] { descriptor.characteristic = self }
        }
    }

    /// - Parameters:
    ///   - uuid: what kind of characteristic it is.
    ///   - properties: what can be done with the value.
    ///   - descriptors: in the order of their handles. One that notifies or indicates has a client configuration also
    ///     where none is named.
    public init(type uuid: CBMUUID, properties: CBMCharacteristicProperties, descriptors: CBMDescriptorMock...) {
        security = .none
        super.init(type: uuid, properties: properties)
        self.descriptors = descriptors
    }

    /// The same, with a value that not everybody gets.
    ///
    /// - Parameter security: what the link must be like.
    public init(
        type uuid: CBMUUID,
        properties: CBMCharacteristicProperties,
        security: CBMSecurity,
        descriptors: CBMDescriptorMock...
    ) {
        self.security = security
        super.init(type: uuid, properties: properties)
        self.descriptors = descriptors
    }

    /// Only the same object of a specification is equal.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CBMCharacteristicMock) === self }

    open override var hash: Int { ObjectIdentifier(self).hashValue }
}

extension CBMCharacteristicMock {
    /// As they are in the specification.
    var mockDescriptors: [CBMDescriptorMock] {
        contents.withLock(\.descriptors)?.compactMap { $0 as? CBMDescriptorMock } ?? []
    }
}
