internal import CoreBluetooth

extension CentralManager {
    /// What the system kept for the app is there again: peripherals with their services and characteristics. Fails with
    /// `restoreFailed` if there were no peripherals.
    public func whenStateRestored() -> Future<Void> {
        let (promise, result): (Promise<Void>, Try<Void>?) = details.withLock { state in
            if let waiting = state.restoration, !waiting.completed { return (waiting, nil) }
            let promise = Promise<Void>()
            state.restoration = promise
            defer { state.restored = nil }
            return (promise, state.restored)
        }
        if let result { promise.complete(result) }
        return promise.future
    }

    /// CoreBluetooth gives back what it kept, before anything else.
    func restore(_ peripherals: [CBPeripheral]?) {
        for peripheral in peripherals ?? [] {
            let restored = Peripheral(peripheral, of: self, advertisements: [:], strength: 0)
            restored.restore()
            register(restored)
        }
        let result: Try<Void> = peripherals == nil ? .failure(CentralManagerError.restoreFailed) : .success(())
        let promise: Promise<Void>? = details.withLock { state in
            guard let waiting = state.restoration, !waiting.completed else {
                state.restored = result
                return nil
            }
            return waiting
        }
        promise?.complete(result)
    }
}
