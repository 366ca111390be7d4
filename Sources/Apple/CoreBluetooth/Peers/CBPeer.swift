internal import BluethroatPhoneService

/// Another device.
open class CBPeer: NSObject, NSCopying, @unchecked Sendable {
    let id: PeerID

    /// Under which name this app knows the device: always the same on the same phone, and nothing to do with the
    /// device's address.
    open var identifier: UUID { id.uuid }

    init(id: PeerID) { self.id = id }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}
