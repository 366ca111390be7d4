internal import BluethroatBluetoothValues
internal import BluethroatPhoneService
private import Synchronization

/// A service of a peripheral: characteristics that belong together.
open class CBService: CBAttribute, @unchecked Sendable {
    private struct Contents {
        var characteristics: [CBCharacteristic]?
        var includedServices: [CBService]?
    }

    private let contents = Mutex(Contents())

    /// The peripheral that has the service; nil for a service that is published here.
    open internal(set) weak var peripheral: CBPeripheral!

    /// Whether the service stands for itself, or is only included by others.
    open var isPrimary: Bool { isPrimaryService }

    private let isPrimaryService: Bool

    /// The services found so far that this one includes; nil before any were looked for.
    open var includedServices: [CBService]? { keptIncludedServices }

    /// The characteristics found so far; nil before any were looked for.
    open var characteristics: [CBCharacteristic]? { keptCharacteristics }

    init(type: CBUUID, isPrimary: Bool, place: AttributePlace? = nil, peripheral: CBPeripheral? = nil) {
        isPrimaryService = isPrimary
        super.init(type: type, place: place)
        self.peripheral = peripheral
    }

    var keptCharacteristics: [CBCharacteristic]? {
        get { contents.withLock(\.characteristics) }
        set {
            contents.withLock { $0.characteristics = newValue }
            observation.look()
        }
    }

    var keptIncludedServices: [CBService]? {
        get { contents.withLock(\.includedServices) }
        set {
            contents.withLock { $0.includedServices = newValue }
            observation.look()
        }
    }

    open override var description: String {
        objectDescription(self, "isPrimary = \(isPrimary ? "YES" : "NO")", "UUID = \(uuid)")
    }
}
