public import CoreBluetooth

/// Writing a value.
///
/// With a response, writes are asked one at a time, in their order. Without, a value is sent as soon as there is room for
/// it, and the future has succeeded already. Fails with `writeNotSupported`, `notSerializable`, `disconnected`, the
/// peripheral's error, or `writeTimeout`, which is counted from when it was asked.
extension Characteristic {
    public func write(
        data value: Data,
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) -> Future<Void> {
        guard canWrite else { return Future(error: CharacteristicError.writeNotSupported) }
        if let hindrance { return Future(error: hindrance) }
        guard type == .withResponse else {
            peripheral?.send(value, to: cbCharacteristic)
            return Future(value: ())
        }
        let request = RequestLine<(Data, CBCharacteristicWriteType)>.Request(content: (value, type), timeout: timeout)
        details.withLock { $0.writes.add(request) }
        writeNext()
        return request.promise.future
    }

    /// Writes what the profile makes of the parts of a value.
    public func write(
        string stringValue: [String: String],
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) -> Future<Void> {
        guard let value = data(fromString: stringValue) else {
            return Future(error: CharacteristicError.notSerializable)
        }
        return write(data: value, timeout: timeout, type: type)
    }

    public func write<T: Deserializable>(
        _ value: T,
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) -> Future<Void> {
        write(data: SerDe.serialize(value), timeout: timeout, type: type)
    }

    public func write<T: RawDeserializable>(
        _ value: T,
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) -> Future<Void> {
        write(data: SerDe.serialize(value), timeout: timeout, type: type)
    }

    public func write<T: RawArrayDeserializable>(
        _ value: T,
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) -> Future<Void> {
        write(data: SerDe.serialize(value), timeout: timeout, type: type)
    }

    public func write<T: RawPairDeserializable>(
        _ value: T,
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) -> Future<Void> {
        write(data: SerDe.serialize(value), timeout: timeout, type: type)
    }

    public func write<T: RawArrayPairDeserializable>(
        _ value: T,
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) -> Future<Void> {
        write(data: SerDe.serialize(value), timeout: timeout, type: type)
    }

    private func writeNext() {
        let (request, number) = details.withLock { ($0.writes.next(), $0.writes.number) }
        guard let request, let peripheral else { return }
        let (value, type) = request.content
        peripheral.cbPeripheral.writeValue(value, for: cbCharacteristic, type: type)
        peripheral.later(request.timeout) { [weak self] in self?.writeTimedOut(number) }
    }

    private func writeTimedOut(_ number: Int) {
        guard let promise = details.withLock({ $0.writes.timedOut(number) }) else { return }
        writeNext()
        promise.failure(CharacteristicError.writeTimeout)
    }

    /// The peripheral has answered.
    func wrote(_ error: (any Error)?) {
        let promise = details.withLock { $0.writes.answered() }
        writeNext()
        promise?.complete(error.map { .failure($0) } ?? .success(()))
    }
}
