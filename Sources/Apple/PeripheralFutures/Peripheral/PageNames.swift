public import CoreBluetooth

// The names of BlueCap's page about the peripheral manager, where they are not those of its code: what is pasted from the
// page compiles. New code uses the names on the right, which say more, or throw.

/// The services of a SensorTag, as the page calls them.
public typealias TISensorTag = TiSensorTag

/// Values to data and back, as the page calls it.
public typealias Serde = SerDe

extension MutableCharacteristic {
    /// Takes no more writes: `stopRespondingToWriteRequests`.
    public func stopProcessingWriteRequests() { stopRespondingToWriteRequests() }

    /// `update(withData:)`, for those who do not want to know why it was not done.
    ///
    /// - Returns: whether the value was taken; then it is sent as soon as there are subscribers and room. False if the
    ///   service was not added to a manager, or if the characteristic does not notify.
    @discardableResult
    public func updateValue(withData value: Data) -> Bool { isDone { try update(withData: value) } }

    /// `update(withString:)`, for those who do not want to know why it was not done.
    ///
    /// - Returns: whether the value was taken, as for data; false, too, if it cannot be made of such text.
    @discardableResult
    public func updateValue(withString value: [String: String]) -> Bool { isDone { try update(withString: value) } }

    /// `update`, for those who do not want to know why it was not done.
    ///
    /// - Returns: whether the value was taken, as for data.
    @discardableResult
    public func updateValue<T: Deserializable>(_ value: T) -> Bool { isDone { try update(value) } }

    /// `update`, for those who do not want to know why it was not done.
    ///
    /// - Returns: whether the value was taken, as for data.
    @discardableResult
    public func updateValue<T: RawDeserializable>(_ value: T) -> Bool { isDone { try update(value) } }

    /// `update`, for those who do not want to know why it was not done.
    ///
    /// - Returns: whether the value was taken, as for data.
    @discardableResult
    public func updateValue<T: RawArrayDeserializable>(_ value: T) -> Bool { isDone { try update(value) } }

    /// `update`, for those who do not want to know why it was not done.
    ///
    /// - Returns: whether the value was taken, as for data.
    @discardableResult
    public func updateValue<T: RawPairDeserializable>(_ value: T) -> Bool { isDone { try update(value) } }

    /// `update`, for those who do not want to know why it was not done.
    ///
    /// - Returns: whether the value was taken, as for data.
    @discardableResult
    public func updateValue<T: RawArrayPairDeserializable>(_ value: T) -> Bool { isDone { try update(value) } }

    private func isDone(_ order: () throws -> Void) -> Bool {
        do { try order() } catch { return false }
        return true
    }
}

extension CBATTError {
    /// `success`, as the page spells it.
    public static var Success: Code { .success }

    /// `invalidAttributeValueLength`, as the page spells it.
    public static var InvalidAttributeValueLength: Code { .invalidAttributeValueLength }
}
