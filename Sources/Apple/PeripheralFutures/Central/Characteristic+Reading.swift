public import CoreBluetooth

extension Characteristic {
    /// Reads the value, which is in `dataValue` then. Reads are asked one at a time, in their order.
    ///
    /// Fails with `readNotSupported`, `disconnected`, the peripheral's error, or `readTimeout`.
    ///
    /// - Parameter timeout: how many seconds after it was asked.
    public func read(timeout: TimeInterval = TimeInterval.infinity) -> Future<Void> {
        guard canRead else { return Future(error: CharacteristicError.readNotSupported) }
        if let hindrance { return Future(error: hindrance) }
        let request = RequestLine<Void>.Request(content: (), timeout: timeout)
        details.withLock { $0.reads.add(request) }
        readNext()
        return request.promise.future
    }

    private func readNext() {
        let (request, number) = details.withLock { ($0.reads.next(), $0.reads.number) }
        guard let request, let peripheral else { return }
        peripheral.cbPeripheral.readValue(for: cbCharacteristic)
        peripheral.later(request.timeout) { [weak self] in self?.readTimedOut(number) }
    }

    private func readTimedOut(_ number: Int) {
        guard let promise = details.withLock({ $0.reads.timedOut(number) }) else { return }
        readNext()
        promise.failure(CharacteristicError.readTimeout)
    }

    /// A value has come, because it was asked for or by itself: CoreBluetooth does not say which.
    func updated(_ error: (any Error)?) {
        let isNotifying = isNotifying
        let (updates, promise) = details.withLock { state in
            (isNotifying ? state.updates : nil, state.reads.answered())
        }
        readNext()
        updates?.complete(error.map { .failure($0) } ?? .success(dataValue))
        promise?.complete(error.map { .failure($0) } ?? .success(()))
    }
}
