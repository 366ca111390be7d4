internal import CoreBluetooth

extension Peripheral {
    /// Asks for the connection's signal strength in dBm. If that is being done already, its future is returned. Fails
    /// with `disconnected`.
    public func readRSSI() -> Future<Int> {
        let (future, isNew): (Future<Int>, Bool) = details.withLock { state in
            if let running = state.strengthReading, !running.completed { return (running.future, false) }
            guard state.status == .connected else { return (Future(error: PeripheralError.disconnected), false) }
            let promise = Promise<Int>()
            state.strengthReading = promise
            return (promise.future, true)
        }
        if isNew { cbPeripheral.readRSSI() }
        return future
    }

    /// Asks for the signal strength now, and each so many seconds, until `stopPollingRSSI` or `disconnect`. If that is
    /// being done already, its stream is returned. While there is no connection each time is a failure, `disconnected`.
    public func startPollingRSSI(period: Double = 10.0, capacity: Int = Int.max) -> FutureStream<Int> {
        pollStrength(period, capacity).stream
    }

    /// Whether the stream is a new one is said, too.
    func pollStrength(_ period: Double, _ capacity: Int) -> (stream: FutureStream<Int>, isNew: Bool) {
        let (promise, begun): (StreamPromise<Int>, Int?) = details.withLock { state in
            if let running = state.polling { return (running, nil) }
            let promise = StreamPromise<Int>(capacity: capacity)
            state.polling = promise
            state.pollingCount += 1
            return (promise, state.pollingCount)
        }
        if let begun { poll(begun, period) }
        return (promise.stream, begun != nil)
    }

    public func stopPollingRSSI() {
        details.withLock { state in
            state.polling = nil
            state.pollingCount += 1
        }
    }

    private func poll(_ number: Int, _ period: Double) {
        let (promise, isConnected) = details.withLock { state in
            (state.pollingCount == number ? state.polling : nil, state.status == .connected)
        }
        guard let promise else { return }
        if isConnected { cbPeripheral.readRSSI() } else { promise.failure(PeripheralError.disconnected) }
        // A period of nothing would leave no time for anything else.
        later(max(period, 0.001)) { [weak self] in self?.poll(number, period) }
    }

    func readStrength(_ strength: Int, _ error: (any Error)?) {
        let (reading, polling) = details.withLock { state in
            if error == nil { state.strength = strength }
            defer { state.strengthReading = nil }
            return (state.strengthReading, state.polling)
        }
        let result: Try<Int> = error.map { .failure($0) } ?? .success(strength)
        reading?.complete(result)
        polling?.complete(result)
    }
}
