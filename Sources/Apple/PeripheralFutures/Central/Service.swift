public import CoreBluetooth

/// A service of a peripheral.
public final class Service: @unchecked Sendable {
    private struct State {
        var characteristics: [Characteristic] = []
        var discovery: Promise<Void>?
        var discoveryCount = 0
    }

    public let uuid: CBUUID
    public private(set) weak var peripheral: Peripheral?

    let cbService: CBService
    let profile: ServiceProfile?
    private let details = Guarded(State())

    init(_ service: CBService, of peripheral: Peripheral, profile: ServiceProfile?) {
        uuid = service.uuid
        cbService = service
        self.peripheral = peripheral
        self.profile = profile
    }

    /// What its profile calls it; "Unknown" without one.
    public var name: String { profile?.name ?? "Unknown" }

    // MARK: Characteristics

    /// The characteristics found so far.
    public var characteristics: [Characteristic] { details.withLock(\.characteristics) }

    public func characteristics(withUUID uuid: CBUUID) -> [Characteristic]? {
        let characteristics = characteristics.filter { $0.uuid == uuid }
        return characteristics.isEmpty ? nil : characteristics
    }

    /// Finds all characteristics; see `discoverCharacteristics`.
    public func discoverAllCharacteristics(timeout: TimeInterval = TimeInterval.infinity) -> Future<Void> {
        discover(nil, timeout)
    }

    /// Finds characteristics.
    ///
    /// If that is being done already, its future is returned. Fails with `unconfigured` if the peripheral is gone or the
    /// service was found over an earlier connection, with `disconnected`, or with `characteristicDiscoveryTimeout`, after
    /// which the connection stays.
    public func discoverCharacteristics(
        _ characteristics: [CBUUID],
        timeout: TimeInterval = TimeInterval.infinity
    ) -> Future<Void> {
        discover(characteristics, timeout)
    }

    private func discover(_ uuids: [CBUUID]?, _ timeout: TimeInterval) -> Future<Void> {
        let peripheral = peripheral
        let isConnected = peripheral?.isConnected ?? false
        let isKnown = peripheral?.knows(self) ?? false
        let (future, begun): (Future<Void>, Int?) = details.withLock { state in
            if let running = state.discovery, !running.completed { return (running.future, nil) }
            guard peripheral != nil else { return (Future(error: ServiceError.unconfigured), nil) }
            guard isConnected else { return (Future(error: PeripheralError.disconnected), nil) }
            guard isKnown else { return (Future(error: ServiceError.unconfigured), nil) }
            let promise = Promise<Void>()
            state.discovery = promise
            state.discoveryCount += 1
            return (promise.future, state.discoveryCount)
        }
        if let begun, let peripheral {
            peripheral.cbPeripheral.discoverCharacteristics(uuids, for: cbService)
            peripheral.later(timeout) { [weak self] in self?.discoveryTimedOut(begun) }
        }
        return future
    }

    private func discoveryTimedOut(_ number: Int) {
        guard details.withLock({ $0.discoveryCount == number }) else { return }
        takeDiscovery()?.failure(ServiceError.characteristicDiscoveryTimeout)
    }

    private func takeDiscovery() -> Promise<Void>? {
        details.withLock { state in
            defer { state.discovery = nil }
            return state.discovery
        }
    }

    // MARK: What CoreBluetooth says

    func discoveredCharacteristics(_ error: (any Error)?) {
        if error == nil { listCharacteristics() }
        takeDiscovery()?.complete(error.map { .failure($0) } ?? .success(()))
    }

    /// Lists what CoreBluetooth knows, each with the object that there is for it.
    func listCharacteristics() {
        let found = cbService.characteristics ?? []
        let characteristics = found.map { known($0) ?? Characteristic($0, of: self) }
        details.withLock { $0.characteristics = characteristics }
    }

    func known(_ characteristic: CBCharacteristic) -> Characteristic? {
        details.withLock { $0.characteristics.first { $0.cbCharacteristic === characteristic } }
    }

    /// The connection is gone.
    func disconnected() { fail(PeripheralError.disconnected, PeripheralError.disconnected) }

    /// The peripheral has it no longer.
    func invalidated() { fail(ServiceError.unconfigured, CharacteristicError.unconfigured) }

    private func fail(_ error: any Error, _ characteristicError: any Error) {
        takeDiscovery()?.failure(error)
        for characteristic in characteristics { characteristic.fail(characteristicError) }
    }
}
