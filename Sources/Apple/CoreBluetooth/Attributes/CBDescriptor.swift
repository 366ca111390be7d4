internal import BluethroatBluetoothValues
internal import BluethroatPhoneService
private import Synchronization

/// A descriptor of a characteristic: something about its value.
open class CBDescriptor: CBAttribute, @unchecked Sendable {
    /// Whatever is in it is one of `NSNumber`, `String` and `Data`, which threads can share.
    private struct Kept: @unchecked Sendable {
        var value: Any?
        var bytes: [UInt8]?
    }

    private let kept: Mutex<Kept>

    /// The characteristic that has the descriptor.
    open internal(set) weak var characteristic: CBCharacteristic!

    /// The value as it was last read; nil before. Its type follows from the descriptor's: a number for configurations
    /// and extended properties, a `String` for a user description, `Data` for all others.
    open var value: Any? { keptValue }

    init(
        type: CBUUID,
        value: Any? = nil,
        place: AttributePlace? = nil,
        characteristic: CBCharacteristic? = nil
    ) {
        kept = Mutex(Kept(value: value))
        super.init(type: type, place: place)
        self.characteristic = characteristic
    }

    var keptValue: Any? { kept.withLock { $0 }.value }

    /// The value as it was read, without a type; nil before.
    package var readBytes: [UInt8]? { kept.withLock { $0 }.bytes }

    func keep(_ bytes: [UInt8]) {
        let new = Kept(value: uuid.typed(bytes), bytes: bytes)
        kept.withLock { $0 = new }
        observation.look()
    }

    open override var description: String {
        let text = (value as? Data).map(valueDescription) ?? value.map { "\($0)" } ?? "(null)"
        return objectDescription(self, "UUID = \(uuid)", "value = \(text)")
    }
}
