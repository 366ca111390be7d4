public import CoreBluetooth

extension Peripheral {
    /// Connects. The stream that is returned, a new one each time, has an event for each connection from now on and a
    /// failure for each that ends: `forcedDisconnect`, `connectionTimeout`, the system's error, or `disconnected` when
    /// the system gave none. If it is connected already nothing happens, and the stream is empty.
    ///
    /// - Parameter connectionTimeout: after how many seconds an attempt is given up.
    public func connect(
        connectionTimeout: TimeInterval = TimeInterval.infinity,
        capacity: Int = Int.max
    ) -> FutureStream<Void> {
        connect(ConnectionRetries(), connectionTimeout, capacity)
    }

    /// Connects, and tries again by itself when an attempt takes too long or a connection ends. The stream has a failure
    /// only when that has happened so many times; then it counts anew.
    public func connect(
        timeoutRetries: UInt,
        disconnectRetries: UInt,
        connectionTimeout: TimeInterval = TimeInterval.infinity,
        capacity: Int = Int.max
    ) -> FutureStream<Void> {
        connect(ConnectionRetries(timeoutRetries, disconnectRetries), connectionTimeout, capacity)
    }

    private func connect(
        _ retries: ConnectionRetries,
        _ timeout: TimeInterval,
        _ capacity: Int
    ) -> FutureStream<Void> {
        let promise = StreamPromise<Void>(capacity: capacity)
        let isEnding = details.withLock { state in
            if state.isEnding, state.endingConnection == nil { state.endingConnection = state.connection }
            state.connection = promise
            state.connectionTimeout = timeout
            state.retries = retries
            return state.isEnding
        }
        if !isEnding, !canConnect {
            promise.failure(CentralManagerError.isPoweredOff)
        } else {
            connectNow()
        }
        return promise.stream
    }

    /// Connects again, unless it is connected or connecting by then; the stream that `connect` has returned reports it.
    /// While Bluetooth is off it waits until it is on.
    public func reconnect(withDelay delay: TimeInterval = 0.0) {
        guard delay > 0 else { return connectAgain() }
        let attempt = details.withLock(\.attempt)
        later(delay) { [weak self] in
            guard let self, details.withLock({ $0.attempt == attempt }) else { return }
            connectAgain()
        }
    }

    /// Ends the connection, or an attempt. The stream fails with `forcedDisconnect`.
    public func disconnect() { end(.forced) }

    /// Disconnects, and has the manager forget the peripheral.
    public func terminate() {
        centralManager?.removePeripheral(withIdentifier: identifier)
        disconnect()
    }

    /// Connects now if it was to be connected as soon as that is possible.
    func connectIfWanted() { if details.withLock(\.isWanted) { connectAgain() } }

    private func connectAgain() {
        let isUnderWay = details.withLock { $0.status == .connecting && !$0.isEnding }
        if !isUnderWay { connectNow() }
    }

    private var canConnect: Bool { centralManager?.poweredOn ?? false }

    private func connectNow() {
        // An end that is under way would be that of the new connection, too.
        let isEnding = details.withLock { state in
            state.isWanted = state.isEnding
            return state.isEnding
        }
        guard !isEnding, state != .connected else { return }
        guard canConnect, let central = centralManager, let manager = central.manager else {
            return details.withLock { $0.isWanted = true }
        }
        // A peripheral that the system does not know has to be discovered first.
        if isForgotten, !central.renew(self) { return details.withLock { $0.isWanted = true } }
        let (attempt, timeout) = details.withLock { state in
            state.attempt += 1
            state.status = .connecting
            state.ending = .byPeer
            state.statistics.attempts += 1
            return (state.attempt, state.connectionTimeout)
        }
        manager.connect(cbPeripheral)
        later(timeout) { [weak self] in self?.connectingTimedOut(attempt) }
    }

    private func connectingTimedOut(_ attempt: Int) {
        guard details.withLock({ $0.attempt == attempt && $0.status == .connecting && !$0.isEnding }) else { return }
        end(.timedOut)
    }

    /// Cancels the connection, or an attempt; what follows comes when CoreBluetooth says that it is gone.
    func end(_ ending: Ending) {
        var calledOff: StreamPromise<Void>?
        let (isWanted, poll): (Bool, StreamPromise<Int>?) = details.withLock { state in
            // A reconnection that waits is off, too.
            state.attempt += 1
            if state.isWanted, state.status == .idle || state.endingConnection != nil { calledOff = state.connection }
            state.isWanted = false
            guard state.status != .idle else { return (false, nil) }
            state.ending = ending
            state.isEnding = true
            guard ending == .forced else { return (true, nil) }
            state.pollingCount += 1
            defer { state.polling = nil }
            return (true, state.polling)
        }
        calledOff?.failure(PeripheralError.forcedDisconnect)
        guard isWanted, let central = centralManager else { return }
        poll?.failure(PeripheralError.disconnected)
        central.keep(self)
        central.manager?.cancelPeripheralConnection(cbPeripheral)
    }

    // MARK: What CoreBluetooth says

    func connected() {
        let now = appContext.now
        let promise = details.withLock { state in
            state.status = .connected
            state.statistics.connected(at: now)
            return state.connection
        }
        promise?.success(())
    }

    /// The connection has ended, or there will be none.
    func disconnected(_ error: (any Error)?) {
        let now = appContext.now
        let (promise, reason, open, isWanted) = details.withLock { state in
            let reason: any Error
            var isRetried = false
            switch state.ending {
            case .byPeer:
                state.statistics.disconnections += 1
                reason = error ?? PeripheralError.disconnected
                isRetried = state.retries.isRetriedAfterDisconnection()
            case .forced: reason = PeripheralError.forcedDisconnect
            case .timedOut:
                state.statistics.timeouts += 1
                reason = PeripheralError.connectionTimeout
                isRetried = state.retries.isRetriedAfterTimeout()
            }
            if state.status == .connected { state.statistics.disconnected(at: now) }
            let isWanted = state.isWanted || isRetried
            state.status = .idle
            state.ending = .byPeer
            state.isEnding = false
            state.isWanted = false
            state.unsent = []
            let promise = isRetried ? nil : state.endingConnection ?? state.connection
            state.endingConnection = nil
            return (promise, reason, OpenPromises(of: &state), isWanted)
        }
        // First, all open requests fail.
        open.fail()
        promise?.failure(reason)
        centralManager?.keepNoLonger(self)
        if isWanted { connectNow() }
    }

    /// Bluetooth cannot be used any more, which ends connections without another word.
    func connectionLost() {
        guard details.withLock({ $0.status != .idle }) else { return }
        disconnected(nil)
    }

    /// What was kept for the app while it did not run.
    func restore() {
        let now = appContext.now
        let state = state
        details.withLock { details in
            switch state {
            case .connected:
                details.status = .connected
                details.statistics.connected(at: now)
            case .connecting: details.status = .connecting
            default: break
            }
        }
        listServices()
        for service in services { service.listCharacteristics() }
    }
}

/// What waits for an answer over a connection.
private struct OpenPromises {
    private let discovery: Promise<Void>?
    private let strengthReading: Promise<Int>?
    private let services: [Service]

    /// Takes them.
    init(of state: inout Peripheral.State) {
        discovery = state.discovery
        strengthReading = state.strengthReading
        services = state.knownServices
        state.discovery = nil
        state.strengthReading = nil
        // Nothing of it is known on another connection.
        state.knownServices = []
    }

    func fail() {
        discovery?.failure(PeripheralError.disconnected)
        strengthReading?.failure(PeripheralError.disconnected)
        for service in services { service.disconnected() }
    }
}
