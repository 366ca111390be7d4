public import CoreBluetooth

// What is published.
extension PeripheralManager {
    /// All services that were added, in that order.
    public var services: [MutableService] { details.withLock(\.services) }

    /// The services of a kind, of which there may be several; nil if there is none.
    public func service(withUUID uuid: CBUUID) -> [MutableService]? {
        let found = services.filter { $0.uuid == uuid }
        return found.isEmpty ? nil : found
    }

    /// The characteristics of all services.
    public var characteristics: [MutableCharacteristic] { services.flatMap(\.characteristics) }

    /// The characteristics of a kind; an empty array if there is none.
    public func characteristics(withUUID uuid: CBUUID) -> [MutableCharacteristic]? {
        characteristics.filter { $0.uuid == uuid }
    }

    /// Publishes a service with the characteristics that it has now. A service that is published already is published
    /// anew, with what it has become.
    ///
    /// - Returns: a future that fails with what CoreBluetooth says; the service is then forgotten.
    public func add(_ service: MutableService) -> Future<Void> {
        if let refusal { return Future(error: refusal) }
        guard let manager else { return Future(error: PeripheralManagerNotPoweredOn(state: .unknown)) }
        if services.contains(where: { $0 === service }) { withdraw(service) }
        // A service is one manager's.
        if let other = service.peripheralManager, other !== self { other.remove(service) }
        let published = service.enter(self)
        let promise = details.withLock { state in
            // Callers that have waited since before a reset go on waiting.
            let forgotten = state.additions.firstIndex { $0.service === service }
            let promise = forgotten.map { state.additions.remove(at: $0).promise } ?? Promise<Void>()
            state.services.append(service)
            state.additions.append(Addition(service: service, promise: promise))
            return promise
        }
        manager.add(published)
        return promise.future
    }

    func added(_ published: CBService, _ error: (any Error)?) {
        let addition = details.withLock { state in
            state.additions.firstIndex { $0.service.published === published }.map { state.additions.remove(at: $0) }
        }
        guard let addition else { return }
        if let error { fail(addition, error) } else { addition.promise.success(()) }
    }

    private func fail(_ addition: Addition, _ error: any Error) {
        details.withLock { state in state.services.removeAll { $0 === addition.service } }
        addition.service.leave()
        addition.promise.failure(error)
    }

    /// CoreBluetooth will not answer what it was asked to publish.
    func failAdditions(_ error: any Error) {
        let additions = details.withLock { state in
            defer { state.additions = [] }
            return state.additions
        }
        for addition in additions { fail(addition, error) }
    }

    /// Withdraws a service; nothing happens if it was not added here. If it is just being added, that fails with
    /// `MutableServiceError.unconfigured`.
    public func remove(_ service: MutableService) {
        guard services.contains(where: { $0 === service }) else { return }
        withdraw(service)
        service.leave()
        endAdditions { $0 === service }
    }

    private func endAdditions(of isMeant: (MutableService) -> Bool) {
        let ended = details.withLock { state in
            let ended = state.additions.filter { isMeant($0.service) }
            state.additions.removeAll { isMeant($0.service) }
            return ended
        }
        for addition in ended { addition.promise.failure(MutableServiceError.unconfigured) }
    }

    private func withdraw(_ service: MutableService) {
        details.withLock { state in state.services.removeAll { $0 === service } }
        withdraw([service.published]) { $0.remove(service.published) }
    }

    /// Has CoreBluetooth withdraw what is published, now or when Bluetooth is on: it takes no orders before.
    private func withdraw(_ published: [CBMutableService], _ order: (CBPeripheralManager) -> Void) {
        guard let manager else { return }
        if manager.state == .poweredOn {
            order(manager)
        } else {
            details.withLock { $0.withdrawn += published }
        }
    }

    /// What can be removed from CoreBluetooth now.
    func takeWithdrawn() -> [CBMutableService] {
        details.withLock { state in
            defer { state.withdrawn = [] }
            return state.withdrawn
        }
    }

    /// Withdraws all services.
    public func removeAllServices() {
        let services = details.withLock { state in
            defer { state.services = [] }
            return state.services
        }
        withdraw(services.map(\.published)) { $0.removeAllServices() }
        for service in services { service.leave() }
        endAdditions { _ in true }
    }

    /// The characteristic behind one of CoreBluetooth's.
    func characteristic(of published: CBCharacteristic) -> MutableCharacteristic? {
        characteristics.first { $0.published === published }
    }

    // MARK: Updates

    /// Hands a value to CoreBluetooth for all that have subscribed, past the queue of the characteristic.
    ///
    /// - Returns: false if there is no room.
    public func updateValue(_ value: Data, forCharacteristic characteristic: MutableCharacteristic) -> Bool {
        update(value, of: characteristic.published)
    }

    func update(_ value: Data, of published: CBMutableCharacteristic) -> Bool {
        manager?.updateValue(value, for: published, onSubscribedCentrals: nil) ?? false
    }
}
