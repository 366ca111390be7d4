public import CoreBluetooth

extension AsyncTwins where Base == Peripheral {
    /// Connects. Each connection from now on is an element, and each that ends an error: `forcedDisconnect`,
    /// `connectionTimeout` or `disconnected` of `PeripheralError`, or the system's. `events` goes on after them.
    ///
    /// The connection is not ended with the loop: `disconnect` does that.
    ///
    /// - Parameters:
    ///   - connectionTimeout: after how many seconds an attempt is given up.
    ///   - capacity: how many events wait while the loop is busy; then the oldest give way.
    public func connect(
        connectionTimeout: TimeInterval = TimeInterval.infinity,
        capacity: Int = 100
    ) -> AsyncSubscription<Void> {
        AsyncSubscription(base.connect(connectionTimeout: connectionTimeout, capacity: capacity))
    }

    /// Connects, and tries again by itself when an attempt takes too long or a connection ends, so many times.
    ///
    /// The connection is not ended with the loop: `disconnect` does that.
    public func connect(
        timeoutRetries: UInt,
        disconnectRetries: UInt,
        connectionTimeout: TimeInterval = TimeInterval.infinity,
        capacity: Int = 100
    ) -> AsyncSubscription<Void> {
        AsyncSubscription(
            base.connect(
                timeoutRetries: timeoutRetries,
                disconnectRetries: disconnectRetries,
                connectionTimeout: connectionTimeout,
                capacity: capacity
            )
        )
    }

    /// Finds all services.
    ///
    /// - Parameter timeout: in seconds.
    /// - Throws: as `discoverServices`.
    public func discoverAllServices(timeout: TimeInterval = TimeInterval.infinity) async throws {
        try await answer { base.discoverAllServices(timeout: timeout) }
    }

    /// Finds services: those listed, or all.
    ///
    /// - Parameter timeout: in seconds.
    /// - Throws: `PeripheralError.disconnected`; `.serviceDiscoveryTimeout`, after which the connection is ended;
    ///   `CancellationError`.
    public func discoverServices(_ services: [CBUUID]?, timeout: TimeInterval = TimeInterval.infinity) async throws {
        try await answer { base.discoverServices(services, timeout: timeout) }
    }

    /// The connection's signal strength, in dBm.
    ///
    /// - Throws: `PeripheralError.disconnected`; `CancellationError`.
    public func readRSSI() async throws -> Int { try await answer { base.readRSSI() } }

    /// Asks for the signal strength, in dBm, now, and each so many seconds, until the loop is left. While there is no
    /// connection each time is an error, `PeripheralError.disconnected`.
    ///
    /// - Parameters:
    ///   - period: in seconds.
    ///   - capacity: how many events wait while the loop is busy; then the oldest give way.
    public func startPollingRSSI(period: Double = 10.0, capacity: Int = 100) -> AsyncSubscription<Int> {
        base.loops.loop(base.pollStrength(period, capacity)) { [base] in
            base.details.withLock(\.polling)?.stream
        } stop: { [base] in
            base.stopPollingRSSI()
        }
    }
}

extension AsyncTwins where Base == Service {
    /// Finds all characteristics.
    ///
    /// - Parameter timeout: in seconds.
    /// - Throws: as `discoverCharacteristics`.
    public func discoverAllCharacteristics(timeout: TimeInterval = TimeInterval.infinity) async throws {
        try await answer { base.discoverAllCharacteristics(timeout: timeout) }
    }

    /// Finds characteristics.
    ///
    /// - Parameter timeout: in seconds.
    /// - Throws: `ServiceError`; `PeripheralError.disconnected`; `CancellationError`.
    public func discoverCharacteristics(
        _ characteristics: [CBUUID],
        timeout: TimeInterval = TimeInterval.infinity
    ) async throws {
        try await answer { base.discoverCharacteristics(characteristics, timeout: timeout) }
    }
}
