internal import CoreBluetooth

// What the system kept while the app did not run.
extension PeripheralManager {
    /// What was advertised when the app was ended. The services that were published are in `services` then, with their
    /// subscribers, and can be used; what their values were is not kept.
    ///
    /// - Returns: a future that fails with `restoreFailed` if there were no services, or if nothing was advertised; that of
    ///   an earlier call, if it is not completed.
    public func whenStateRestored() -> Future<PeripheralAdvertisements> {
        let (promise, restored) = details.withLock { state in
            let promise = state.restoration ?? Promise<PeripheralAdvertisements>()
            let restored = state.restored
            state.restoration = restored == nil ? promise : nil
            state.restored = nil
            return (promise, restored)
        }
        if let restored { promise.complete(restored) }
        return promise.future
    }

    func restore(_ kept: [String: Any]) {
        let published = kept[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService]
        let services = (published ?? []).map { MutableService(restored: $0, manager: self) }
        let advertised = kept[CBPeripheralManagerRestoredStateAdvertisementDataKey] as? [String: Any]
        let result: Try<PeripheralAdvertisements>
        if published != nil, let advertised {
            result = .success(PeripheralAdvertisements(advertisements: advertised))
        } else {
            result = .failure(PeripheralManagerError.restoreFailed)
        }
        let promise = details.withLock { state in
            state.services += services
            defer { state.restoration = nil }
            // A later caller gets the result at once.
            if state.restoration == nil { state.restored = result }
            return state.restoration
        }
        promise?.complete(result)
    }
}
