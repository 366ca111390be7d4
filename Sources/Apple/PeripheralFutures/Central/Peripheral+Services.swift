public import CoreBluetooth

extension Peripheral {
    /// The services found so far.
    public var services: [Service] { details.withLock(\.services) }

    public func services(withUUID uuid: CBUUID) -> [Service]? {
        let services = services.filter { $0.uuid == uuid }
        return services.isEmpty ? nil : services
    }

    /// Finds all services; see `discoverServices`.
    public func discoverAllServices(timeout: TimeInterval = TimeInterval.infinity) -> Future<Void> {
        discoverServices(nil, timeout: timeout)
    }

    /// Finds services: those listed, or all. Those that were found before are listed no longer.
    ///
    /// If that is being done already, its future is returned. Fails with `disconnected`, or with
    /// `serviceDiscoveryTimeout`, after which the connection is ended.
    public func discoverServices(
        _ services: [CBUUID]?,
        timeout: TimeInterval = TimeInterval.infinity
    ) -> Future<Void> {
        let (future, begun): (Future<Void>, Int?) = details.withLock { state in
            if let running = state.discovery, !running.completed { return (running.future, nil) }
            guard state.status == .connected else { return (Future(error: PeripheralError.disconnected), nil) }
            let promise = Promise<Void>()
            state.discovery = promise
            state.discoveryCount += 1
            state.services = []
            return (promise.future, state.discoveryCount)
        }
        if let begun {
            cbPeripheral.discoverServices(services)
            later(timeout) { [weak self] in self?.discoveryTimedOut(begun) }
        }
        return future
    }

    private func discoveryTimedOut(_ number: Int) {
        let promise = details.withLock { state in
            guard state.discoveryCount == number, let running = state.discovery, !running.completed else {
                return nil as Promise<Void>?
            }
            defer { state.discovery = nil }
            return running
        }
        guard let promise else { return }
        end(.byPeer)
        promise.failure(PeripheralError.serviceDiscoveryTimeout)
    }

    func discoveredServices(_ error: (any Error)?) {
        if error == nil { listServices() }
        takeDiscovery()?.complete(error.map { .failure($0) } ?? .success(()))
    }

    /// Services have gone, or others have come.
    func modifiedServices(_ gone: [CBService]) {
        let services = details.withLock { state in
            let services = state.knownServices.filter { known in gone.contains { $0 === known.cbService } }
            state.knownServices.removeAll { known in services.contains { $0 === known } }
            state.services.removeAll { known in services.contains { $0 === known } }
            return services
        }
        for service in services { service.invalidated() }
    }

    /// Lists what CoreBluetooth knows, each with the object that there is for it.
    func listServices() {
        let found = cbPeripheral.services ?? []
        let known = details.withLock(\.knownServices)
        let services = found.map { service in
            known.first { $0.cbService === service }
                ?? Service(service, of: self, profile: profileManager?.services[service.uuid])
        }
        details.withLock { state in
            state.services = services
            state.knownServices = services
        }
    }

    private func takeDiscovery() -> Promise<Void>? {
        details.withLock { state in
            defer { state.discovery = nil }
            return state.discovery
        }
    }

    /// The object for one of CoreBluetooth's services.
    func service(for service: CBService) -> Service? {
        details.withLock { $0.knownServices.first { $0.cbService === service } }
    }

    /// Whether the system knows a service that was found, which it does until the connection ends.
    func knows(_ service: Service) -> Bool {
        details.withLock { $0.knownServices.contains { $0 === service } }
    }

    /// The object for one of CoreBluetooth's characteristics.
    func characteristic(for characteristic: CBCharacteristic) -> Characteristic? {
        guard let service: CBService = characteristic.service else { return nil }
        return self.service(for: service)?.known(characteristic)
    }
}
