internal import BluethroatPhoneService
private import Synchronization

/// A service that an app puts together to publish it. What is published is a copy: later changes have no effect.
open class CBMutableService: CBService, @unchecked Sendable {
    /// The name of the published copy; nil if there is none.
    private let publication = Mutex<LocalServiceID?>(nil)

    /// A service without characteristics.
    public init(type UUID: CBUUID, primary isPrimary: Bool) {
        super.init(type: UUID, isPrimary: isPrimary)
    }

    /// The services that it includes; they are published first.
    open override var includedServices: [CBService]? {
        get { keptIncludedServices }
        set { keptIncludedServices = newValue }
    }

    /// Its characteristics, as `CBMutableCharacteristic`s.
    open override var characteristics: [CBCharacteristic]? {
        get { keptCharacteristics }
        set {
            keptCharacteristics = newValue
            for characteristic in newValue ?? [] { characteristic.service = self }
        }
    }

    var publishedAs: LocalServiceID? {
        get { publication.withLock { $0 } }
        set { publication.withLock { $0 = newValue } }
    }
}
