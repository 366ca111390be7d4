internal import BluethroatBluetoothValues
internal import BluethroatPhoneService
private import Synchronization

/// A characteristic of a service: a value, and what can be done with it.
open class CBCharacteristic: CBAttribute, @unchecked Sendable {
    private struct Contents {
        var properties: CBCharacteristicProperties
        var value: Data?
        var isNotifying = false
        var descriptors: [CBDescriptor]?
    }

    private let contents: Mutex<Contents>

    /// The service that has the characteristic.
    open internal(set) weak var service: CBService!

    /// What can be done with the value.
    open var properties: CBCharacteristicProperties { keptProperties }

    /// The value as it was last read or sent; nil before.
    open var value: Data? { keptValue }

    /// The descriptors found so far; nil before any were looked for.
    open var descriptors: [CBDescriptor]? { keptDescriptors }

    /// Whether the server broadcasts the value. No server here does.
    @available(*, deprecated, message: "There is no way to set it")
    open var isBroadcasted: Bool { false }

    /// Whether the peripheral sends the value by itself.
    open var isNotifying: Bool { keptNotifying }

    init(
        type: CBUUID,
        properties: CBCharacteristicProperties,
        value: Data? = nil,
        place: AttributePlace? = nil,
        service: CBService? = nil
    ) {
        contents = Mutex(Contents(properties: properties, value: value))
        super.init(type: type, place: place)
        self.service = service
    }

    var keptProperties: CBCharacteristicProperties {
        get { contents.withLock(\.properties) }
        set {
            contents.withLock { $0.properties = newValue }
            observation.look()
        }
    }

    var keptValue: Data? {
        get { contents.withLock(\.value) }
        set {
            contents.withLock { $0.value = newValue }
            observation.look()
        }
    }

    var keptNotifying: Bool {
        get { contents.withLock(\.isNotifying) }
        set {
            contents.withLock { $0.isNotifying = newValue }
            observation.look()
        }
    }

    var keptDescriptors: [CBDescriptor]? {
        get { contents.withLock(\.descriptors) }
        set {
            contents.withLock { $0.descriptors = newValue }
            observation.look()
        }
    }

    open override var description: String {
        objectDescription(
            self,
            "UUID = \(uuid)",
            "properties = 0x\(String(properties.rawValue, radix: 16, uppercase: true))",
            "value = \(valueDescription(value))",
            "notifying = \(isNotifying ? "YES" : "NO")"
        )
    }
}
