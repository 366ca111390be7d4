internal import BluethroatBluetoothValues

/// A descriptor that an app puts together to publish it. The system makes those that clients configure by itself.
open class CBMutableDescriptor: CBDescriptor, @unchecked Sendable {
    /// A user description takes a `String`, a presentation format and all others `Data`; anything else stops the
    /// process, as an exception does on Apple's systems.
    public init(type UUID: CBUUID, value: Any?) {
        switch UUID.value.short {
        case 0x2904 where !(value is Data || value is NSData):
            raise("Expecting NSData value type for Format descriptor")
        case 0x2901 where !(value is String || value is NSString):
            raise("Expecting NSString value type for User Description descriptor")
        default: break
        }
        super.init(type: UUID, value: value)
    }
}
