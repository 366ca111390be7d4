internal import BluethroatBluetoothValues
internal import BluethroatPhoneService

/// Something in a GATT server: a service, a characteristic or a descriptor.
open class CBAttribute: NSObject, @unchecked Sendable {
    /// Where a peer has it, and on which connection that was found out; nil for what is published here.
    let place: AttributePlace?
    let observation = Observation()
    package var observers: Observers { observation.observers }

    /// What kind of service, characteristic or descriptor it is.
    open var uuid: CBUUID { type }

    /// Its handle in the table of the peer: a service's first, a characteristic value's, or a descriptor's own; nil for what
    /// is published here.
    package var peerHandle: UInt16? { place?.handle.rawValue }

    private let type: CBUUID

    init(type: CBUUID, place: AttributePlace? = nil) {
        self.type = type
        self.place = place
    }
}

/// Where a peer has an attribute.
struct AttributePlace: Hashable {
    /// A service's first handle, a characteristic value's, or a descriptor's own.
    var handle: AttributeHandle
    /// Handles do not outlive the connection on which they were learned.
    var link: LinkID
}
