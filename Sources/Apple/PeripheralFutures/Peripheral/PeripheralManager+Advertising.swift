public import CoreBluetooth

// Advertising.
extension PeripheralManager {
    /// What is to be advertised, of which there is one of each kind.
    enum Advertisement {
        case name
        case beacon
    }

    /// A caller that waits for advertising to begin.
    struct Start {
        let kind: Advertisement
        let promise: Promise<Void>
        /// Whether CoreBluetooth knows of it.
        var isOrdered = true
    }

    /// Advertises a name, and services.
    ///
    /// - Returns: the future of the first call, as long as CoreBluetooth has not said anything; one that has failed with
    ///   `isAdvertising` if the manager advertises already.
    public func startAdvertising(_ name: String, uuids: [CBUUID]? = nil) -> Future<Void> {
        var data: [String: Any] = [CBAdvertisementDataLocalNameKey: name]
        data[CBAdvertisementDataServiceUUIDsKey] = uuids
        return startAdvertising(.name, data)
    }

    /// Is an iBeacon, with the device's own power, as long as the app is on the screen.
    ///
    /// - Returns: as above.
    public func startAdvertising(_ region: BeaconRegion) -> Future<Void> {
        startAdvertising(.beacon, region.peripheralDataWithMeasuredPower(nil))
    }

    /// Is an iBeacon that claims to be heard with this strength, in dBm, a metre away.
    ///
    /// - Returns: as above.
    public func startAdvertising(_ region: BeaconRegion, measuredPower: Int) -> Future<Void> {
        startAdvertising(.beacon, region.peripheralDataWithMeasuredPower(measuredPower))
    }

    private func startAdvertising(_ kind: Advertisement, _ data: [String: Any]) -> Future<Void> {
        let pending = details.withLock { state in state.starts.first { $0.kind == kind && $0.isOrdered } }
        if let pending { return pending.promise.future }
        if let refusal { return Future(error: refusal) }
        guard let manager, !manager.isAdvertising else { return Future(error: PeripheralManagerError.isAdvertising) }
        let promise = details.withLock { state in
            // Callers that have waited since before a reset go on waiting.
            let forgotten = state.starts.firstIndex { $0.kind == kind }.map { state.starts.remove(at: $0) }
            let promise = forgotten?.promise ?? Promise<Void>()
            state.starts.append(Start(kind: kind, promise: promise))
            return promise
        }
        manager.startAdvertising(data)
        return promise.future
    }

    func advertisingStarted(_ error: (any Error)?) {
        let start = details.withLock { state in
            // A controller that failed may have carried out a command all the same.
            (state.starts.firstIndex(where: \.isOrdered) ?? state.starts.indices.first).map {
                state.starts.remove(at: $0)
            }
        }
        if let error { start?.promise.failure(error) } else { start?.promise.success(()) }
    }

    // MARK: Stopping

    /// Advertises no longer. Whether it does is looked at four times a second.
    ///
    /// - Parameter timeout: how long to wait, in seconds; half a second more, with the last two looks.
    /// - Returns: a future that fails with `stopAdvertisingTimeout` if the manager still advertises then; that of an
    ///   earlier call, if that has not come to an end.
    @discardableResult
    public func stopAdvertising(timeout: TimeInterval = 10.0) -> Future<Void> {
        guard isAdvertising else { return Future(value: ()) }
        let (promise, isNew) = details.withLock { state in
            if let open = state.stop { return (open, false) }
            let promise = Promise<Void>()
            state.stop = promise
            return (promise, true)
        }
        guard isNew else { return promise.future }
        manager?.stopAdvertising()
        if isAdvertising {
            let looks = timeout > 0 ? timeout / Self.lookInterval : 0
            lookWhetherStopped(0, of: looks < 1e9 ? Int(looks) : .max)
        } else {
            stopped(.success(()))
        }
        return promise.future
    }

    private static let lookInterval = 0.25

    private func lookWhetherStopped(_ number: Int, of count: Int) {
        appContext.call(after: Self.lookInterval, on: queue) { [weak self] in
            guard let self else { return }
            if !isAdvertising {
                stopped(.success(()))
            } else if number > count {
                stopped(.failure(PeripheralManagerError.stopAdvertisingTimeout))
            } else {
                lookWhetherStopped(number + 1, of: count)
            }
        }
    }

    private func stopped(_ result: Try<Void>) {
        let promise = details.withLock { state in
            defer { state.stop = nil }
            return state.stop
        }
        promise?.complete(result)
    }
}
