public import CoreBluetooth

/// Reading, writing and hearing a value. A write with a response returns when it is answered; one without as soon as it is
/// handed over.
extension AsyncTwins where Base == Characteristic {
    /// Reads the value, which is in `dataValue` then.
    ///
    /// - Parameter timeout: how many seconds after it was asked.
    /// - Throws: `CharacteristicError`; `PeripheralError.disconnected`; the peripheral's error; `CancellationError`.
    public func read(timeout: TimeInterval = TimeInterval.infinity) async throws {
        try await answer { base.read(timeout: timeout) }
    }

    /// Has the peripheral send the value by itself.
    ///
    /// - Throws: as `read`.
    public func startNotifying() async throws { try await answer { base.startNotifying() } }

    /// Has the peripheral send the value no longer.
    ///
    /// - Throws: as `read`.
    public func stopNotifying() async throws { try await answer { base.stopNotifying() } }

    /// The values that the peripheral sends by itself, and those that are read meanwhile, until the loop is left. Whether
    /// the peripheral sends is another matter: `startNotifying` and `stopNotifying`.
    ///
    /// Its error is `CharacteristicError.notifyNotSupported`, or the peripheral's.
    ///
    /// - Parameter capacity: how many values wait while the loop is busy; then the oldest give way.
    public func receiveNotificationUpdates(capacity: Int = 100) -> AsyncSubscription<Data?> {
        base.loops.loop(base.receiveUpdates(capacity)) { [base] in
            base.details.withLock(\.updates)?.stream
        } stop: { [base] in
            base.stopNotificationUpdates()
        }
    }

    /// Writes bytes.
    ///
    /// - Parameter timeout: how many seconds after it was asked.
    /// - Throws: as `read`.
    public func write(
        data value: Data,
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) async throws {
        try await answer { base.write(data: value, timeout: timeout, type: type) }
    }

    /// Writes what the profile makes of the parts of a value.
    ///
    /// - Throws: as `read`; `CharacteristicError.notSerializable`, if the profile cannot.
    public func write(
        string stringValue: [String: String],
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) async throws {
        try await answer { base.write(string: stringValue, timeout: timeout, type: type) }
    }

    /// Writes a number.
    ///
    /// - Throws: as `read`.
    public func write<T: Deserializable>(
        _ value: T,
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) async throws {
        try await answer { base.write(value, timeout: timeout, type: type) }
    }

    /// Writes what is made of a number.
    ///
    /// - Throws: as `read`.
    public func write<T: RawDeserializable>(
        _ value: T,
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) async throws {
        try await answer { base.write(value, timeout: timeout, type: type) }
    }

    /// Writes what is made of several numbers.
    ///
    /// - Throws: as `read`.
    public func write<T: RawArrayDeserializable>(
        _ value: T,
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) async throws {
        try await answer { base.write(value, timeout: timeout, type: type) }
    }

    /// Writes what is made of two numbers.
    ///
    /// - Throws: as `read`.
    public func write<T: RawPairDeserializable>(
        _ value: T,
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) async throws {
        try await answer { base.write(value, timeout: timeout, type: type) }
    }

    /// Writes what is made of numbers of two types.
    ///
    /// - Throws: as `read`.
    public func write<T: RawArrayPairDeserializable>(
        _ value: T,
        timeout: TimeInterval = TimeInterval.infinity,
        type: CBCharacteristicWriteType = .withResponse
    ) async throws {
        try await answer { base.write(value, timeout: timeout, type: type) }
    }
}
