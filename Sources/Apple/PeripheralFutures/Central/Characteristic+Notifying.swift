public import CoreBluetooth

extension Characteristic {
    /// Has the peripheral send the value by itself. If that is being changed already, the future of that is returned.
    ///
    /// Fails with `notifyNotSupported`, `unconfigured`, `disconnected`, or the peripheral's error.
    public func startNotifying() -> Future<Void> { setNotifying(true) }

    /// Has the peripheral send the value no longer. If that is being changed already, the future of that is returned.
    public func stopNotifying() -> Future<Void> { setNotifying(false) }

    /// The values that the peripheral sends by itself, and those that are read meanwhile. There is one stream, until
    /// `stopNotificationUpdates`. It has a failure, `notifyNotSupported`, where the peripheral cannot.
    public func receiveNotificationUpdates(capacity: Int = Int.max) -> FutureStream<Data?> {
        receiveUpdates(capacity).stream
    }

    /// Whether the stream is a new one is said, too.
    func receiveUpdates(_ capacity: Int) -> (stream: FutureStream<Data?>, isNew: Bool) {
        guard canNotify else { return (FutureStream(error: CharacteristicError.notifyNotSupported), false) }
        return details.withLock { state in
            if let running = state.updates { return (running.stream, false) }
            let promise = StreamPromise<Data?>(capacity: capacity)
            state.updates = promise
            return (promise.stream, true)
        }
    }

    /// The stream gets no more values. Whether the peripheral sends is another matter.
    public func stopNotificationUpdates() { details.withLock { $0.updates = nil } }

    private func setNotifying(_ isWanted: Bool) -> Future<Void> {
        let canNotify = canNotify
        let hindrance = hindrance
        let (future, isNew): (Future<Void>, Bool) = details.withLock { state in
            if let running = state.notifyingChange, !running.completed { return (running.future, false) }
            guard canNotify else { return (Future(error: CharacteristicError.notifyNotSupported), false) }
            if let hindrance { return (Future(error: hindrance), false) }
            let promise = Promise<Void>()
            state.notifyingChange = promise
            return (promise.future, true)
        }
        if isNew { peripheral?.cbPeripheral.setNotifyValue(isWanted, for: cbCharacteristic) }
        return future
    }

    /// The peripheral sends by itself, or no longer.
    func changedNotifying(_ error: (any Error)?) {
        let promise = details.withLock { state in
            defer { state.notifyingChange = nil }
            return state.notifyingChange
        }
        promise?.complete(error.map { .failure($0) } ?? .success(()))
    }
}
