public import CoreBluetooth

/// A descriptor of a characteristic.
open class CBMDescriptor: CBMAttribute, @unchecked Sendable {
    private struct Contents {
        weak var characteristic: CBMCharacteristic?
        var value: Any?
    }

    private let contents = Locked(Contents())

    open override var uuid: CBMUUID { super.uuid }

    /// The characteristic that has the descriptor.
    open internal(set) var characteristic: CBMCharacteristic? {
        get { contents.withLock(\.characteristic) }
        set { contents.withLock { $0.characteristic = newValue } }
    }

    /// The value as it was last read; nil before. Of a specification whose delegate answers it is the delegate's `Data`; else
    /// a user description is a `String`, configurations and extended properties are numbers, all others `Data`.
    open internal(set) var value: Any? {
        get { contents.withLock(\.value) }
        set { contents.withLock { $0.value = newValue } }
    }

    override init(type uuid: CBMUUID) { super.init(type: uuid) }
}

/// A descriptor in the specification of a peripheral.
open class CBMDescriptorMock: CBMDescriptor, @unchecked Sendable {
    /// How the device answers by itself; nil where the delegate of the specification is asked.
    let stored: StoredDescriptor?

    /// A descriptor about which the delegate of the specification is asked.
    public override init(type uuid: CBMUUID) {
        stored = nil
        super.init(type: uuid)
    }

    /// A descriptor that has its value itself: the device answers reads and writes of it, and the delegate is not asked.
    ///
    /// - Parameters:
    ///   - uuid: what kind of descriptor it is.
    ///   - value: what is read until something else is written, at most 512 bytes. `value` is what was written last.
    ///   - isWritable: whether centrals may write it.
    public convenience init(type uuid: CBMUUID, value: Data, isWritable: Bool = false) {
        self.init(type: uuid, value: value, stored: .other(value, isWritable: isWritable))
    }

    init(type uuid: CBMUUID, value: Any, stored: StoredDescriptor) {
        self.stored = stored
        super.init(type: uuid)
        self.value = value
    }

    /// Only the same object of a specification is equal.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CBMDescriptorMock) === self }

    open override var hash: Int { ObjectIdentifier(self).hashValue }
}

/// Client Characteristic Configuration: where a central subscribes. The device's host answers reads and writes of it.
open class CBMClientCharacteristicConfigurationDescriptorMock: CBMDescriptorMock, @unchecked Sendable {
    public init() { super.init(type: CBMUUID(string: "2902")) }
}

public typealias CBMCCCDescriptorMock = CBMClientCharacteristicConfigurationDescriptorMock
