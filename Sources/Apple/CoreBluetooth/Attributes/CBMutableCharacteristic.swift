internal import BluethroatPhoneService
private import Synchronization

/// A characteristic that an app puts together to publish it.
open class CBMutableCharacteristic: CBCharacteristic, @unchecked Sendable {
    private struct Publication {
        var id: LocalCharacteristicID?
        var subscribers: [CBCentral] = []
    }

    private let permitted: Mutex<CBAttributePermissions>
    private let publication = Mutex(Publication())

    /// With a value the characteristic never changes, and the system answers reads; without one each read goes to the
    /// app.
    public init(
        type UUID: CBUUID,
        properties: CBCharacteristicProperties,
        value: Data?,
        permissions: CBAttributePermissions
    ) {
        permitted = Mutex(permissions)
        super.init(type: UUID, properties: properties, value: value)
    }

    /// What clients may do.
    open var permissions: CBAttributePermissions {
        get { permitted.withLock { $0 } }
        set { permitted.withLock { $0 = newValue } }
    }

    /// The centrals that are sent the value; empty when there are none.
    open var subscribedCentrals: [CBCentral]? { publication.withLock(\.subscribers) }

    open override var properties: CBCharacteristicProperties {
        get { keptProperties }
        set { keptProperties = newValue }
    }

    open override var value: Data? {
        get { keptValue }
        set { keptValue = newValue }
    }

    /// Its descriptors, as `CBMutableDescriptor`s.
    open override var descriptors: [CBDescriptor]? {
        get { keptDescriptors }
        set {
            keptDescriptors = newValue
            for descriptor in newValue ?? [] { descriptor.characteristic = self }
        }
    }

    var publishedAs: LocalCharacteristicID? {
        get { publication.withLock(\.id) }
        set { publication.withLock { $0.id = newValue } }
    }

    var subscribers: [CBCentral] {
        get { publication.withLock(\.subscribers) }
        set { publication.withLock { $0.subscribers = newValue } }
    }
}
