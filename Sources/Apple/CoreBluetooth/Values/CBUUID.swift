internal import BluethroatBluetoothValues

/// A universally unique identifier of 16, 32 or 128 bits, as Bluetooth uses them.
///
/// The short forms stand for 128 bits (Core 6.0, Vol 3, Part B, 2.5.1): a short UUID equals its long spelling.
open class CBUUID: NSObject, NSCopying, @unchecked Sendable {
    let value: BluetoothUUID

    init(_ value: BluetoothUUID) { self.value = value }

    /// 128 bits that are all 0, which no service has. Apple's class has this initialiser from `NSObject`, and code that is
    /// about to replace the value calls it.
    public override init() { value = BluetoothUUID(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))) }

    /// 4 or 8 hexadecimal digits, with or without `0x` in front, or 36 characters with hyphens. Anything else stops the
    /// process, as an exception does on Apple's systems.
    public init(string theString: String) {
        // Many a heart rate monitor looks for `0x180D`.
        let hasPrefix = theString.count <= 10 && theString.lowercased().hasPrefix("0x")
        guard let value = BluetoothUUID(hasPrefix ? theString.dropFirst(2) : theString[...]) else {
            raise("String \(theString) does not represent a valid UUID")
        }
        self.value = value
    }

    /// 2, 4 or 16 bytes, the most significant first. Any other number stops the process, as an exception does on
    /// Apple's systems.
    public init(data theData: Data) {
        guard let value = BluetoothUUID(mostSignificantFirst: theData) else {
            raise("Data \(hexadecimal(theData)) does not represent a valid UUID")
        }
        self.value = value
    }

    /// All 128 bits of a UUID.
    public init(nsuuid theUUID: UUID) { value = BluetoothUUID(theUUID) }

    /// All 128 bits of a UUID.
    public init(NSUUID theUUID: UUID) { value = BluetoothUUID(theUUID) }

    /// All 128 bits of a UUID of CoreFoundation.
    @available(*, deprecated, message: "Use init(nsuuid:) instead")
    public init(cfuuid theUUID: CFUUID) { value = BluetoothUUID(theUUID) }

    /// All 128 bits of a UUID of CoreFoundation.
    @available(*, deprecated, message: "Use init(nsuuid:) instead")
    public init(CFUUID theUUID: CFUUID) { value = BluetoothUUID(theUUID) }

    /// 2, 4 or 16 bytes, the most significant first: as many as it was made from.
    open var data: Data { value.mostSignificantFirst }

    /// 4 or 8 hexadecimal digits in upper case, or 36 characters with hyphens, by the length that it was made with.
    open var uuidString: String { value.description }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? CBUUID)?.value == value }

    open override var hash: Int { value.hashValue }

    /// The name, if the UUID is one that the Bluetooth SIG has given a name or one of Apple's; else the digits.
    open override var description: String { value.knownName ?? uuidString }

    open override var debugDescription: String { description }
}
