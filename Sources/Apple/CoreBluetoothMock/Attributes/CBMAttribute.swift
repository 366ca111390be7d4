public import CoreBluetooth

/// A service, a characteristic or a descriptor: of a peripheral that an app has found, or of a specification.
open class CBMAttribute: NSObject, @unchecked Sendable {
    /// What kind of service, characteristic or descriptor it is.
    open var uuid: CBMUUID { type }

    private let type: CBMUUID

    init(type: CBMUUID) {
        self.type = type
        super.init()
    }
}
