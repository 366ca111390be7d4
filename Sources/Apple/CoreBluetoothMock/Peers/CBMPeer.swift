public import Foundation

/// Another device.
open class CBMPeer: NSObject, @unchecked Sendable {
    /// Under which identifier apps know the device.
    open var identifier: UUID { kept }

    private let kept: UUID

    init(identifier: UUID) {
        kept = identifier
        super.init()
    }
}
