internal import BluethroatBluetoothValues
internal import BluethroatHost
internal import BluethroatPhoneService
internal import Synchronization

extension CBPeripheral {
    /// What the phone kept for an app that it had terminated. The delegate is not called; the app asks.
    func restore(_ kept: CentralRestoration.Peer) {
        guard let link = kept.link else { return change { $0.state = .connecting } }
        beginConnection(link, kept.limits)
        guard !kept.services.isEmpty else { return }
        let services = kept.services.map { found in
            let service = service(for: found, on: link)
            guard !found.characteristics.isEmpty else { return service }
            service.keptCharacteristics = found.characteristics.map { found in
                let characteristic = characteristic(for: found, in: service, on: link)
                characteristic.keptNotifying = kept.notifying.contains(found.valueHandle)
                guard !found.descriptors.isEmpty else { return characteristic }
                characteristic.keptDescriptors = found.descriptors.map {
                    descriptor(for: $0, of: characteristic, on: link)
                }
                return characteristic
            }
            return service
        }
        change { $0.services = services }
    }
}

// What was discovered is added to what was known: an attribute found again is the same object as before.
extension CBPeripheral {
    func discovered(_ result: Result<[RemoteService], ServiceFault>, on link: LinkID) {
        if let found = try? result.get() {
            let services = found.map { service(for: $0, on: link) }
            change { view in
                let known = view.services ?? []
                view.services = (known + services.filter { new in !known.contains { $0 === new } }).inOrder
            }
        } else {
            change { $0.services = nil }
        }
        delegate?.peripheral(self, didDiscoverServices: result.fault?.error)
    }

    func discovered(
        _ result: Result<[RemoteService], ServiceFault>,
        includedBy handle: AttributeHandle,
        on link: LinkID
    ) {
        guard let service = view.withLock({ $0.places.services[handle] }) else { return }
        if let found = try? result.get() {
            let known = service.keptIncludedServices ?? []
            let services = found.map { self.service(for: $0, on: link) }
            service.keptIncludedServices = (known + services.filter { new in !known.contains { $0 === new } }).inOrder
        }
        delegate?.peripheral(self, didDiscoverIncludedServicesFor: service, error: result.fault?.error)
    }

    func discovered(
        _ result: Result<[RemoteCharacteristic], ServiceFault>,
        of handle: AttributeHandle,
        on link: LinkID
    ) {
        guard let service = view.withLock({ $0.places.services[handle] }) else { return }
        if let found = try? result.get() {
            let known = service.keptCharacteristics ?? []
            let characteristics = found.map { characteristic(for: $0, in: service, on: link) }
            service.keptCharacteristics =
                (known + characteristics.filter { new in !known.contains { $0 === new } }).inOrder
        }
        delegate?.peripheral(self, didDiscoverCharacteristicsFor: service, error: result.fault?.error)
    }

    func discovered(
        _ result: Result<[RemoteDescriptor], ServiceFault>,
        about handle: AttributeHandle,
        on link: LinkID
    ) {
        guard let characteristic = view.withLock({ $0.places.characteristics[handle] }) else { return }
        if let found = try? result.get() {
            characteristic.keptDescriptors = found.map { descriptor(for: $0, of: characteristic, on: link) }
        }
        delegate?.peripheral(self, didDiscoverDescriptorsFor: characteristic, error: result.fault?.error)
    }

    /// The peripheral's table has changed; the app is notified of the services that it knew.
    func invalidated(_ handles: [AttributeHandle]) {
        let gone = view.withLock { view in
            let gone = handles.compactMap { view.places.services.removeValue(forKey: $0) }
            view.services?.removeAll { service in gone.contains { $0 === service } }
            for service in gone {
                for characteristic in service.keptCharacteristics ?? [] {
                    if let place = characteristic.place { view.places.characteristics[place.handle] = nil }
                    for descriptor in characteristic.keptDescriptors ?? [] {
                        if let place = descriptor.place { view.places.descriptors[place.handle] = nil }
                    }
                }
            }
            return gone
        }
        // Where nothing is gone, something has been added.
        guard !gone.isEmpty || handles.isEmpty else { return }
        observation.look()
        delegate?.peripheral(self, didModifyServices: gone)
    }

    private func service(for found: RemoteService, on link: LinkID) -> CBService {
        let handle = found.handles.lowerBound
        if let known = view.withLock({ $0.places.services[handle] }), known.uuid.value == found.uuid { return known }
        let new = CBService(
            type: CBUUID(found.uuid),
            isPrimary: found.isPrimary,
            place: AttributePlace(handle: handle, link: link),
            peripheral: self
        )
        view.withLock { $0.places.services[handle] = new }
        return new
    }

    private func characteristic(
        for found: RemoteCharacteristic,
        in service: CBService,
        on link: LinkID
    ) -> CBCharacteristic {
        let handle = found.valueHandle
        if let known = view.withLock({ $0.places.characteristics[handle] }), known.uuid.value == found.uuid {
            return known
        }
        let new = CBCharacteristic(
            type: CBUUID(found.uuid),
            properties: CBCharacteristicProperties(rawValue: UInt(found.properties.rawValue)),
            place: AttributePlace(handle: handle, link: link),
            service: service
        )
        view.withLock { $0.places.characteristics[handle] = new }
        return new
    }

    private func descriptor(
        for found: RemoteDescriptor,
        of characteristic: CBCharacteristic,
        on link: LinkID
    ) -> CBDescriptor {
        if let known = view.withLock({ $0.places.descriptors[found.handle] }), known.uuid.value == found.uuid {
            return known
        }
        let new = CBDescriptor(
            type: CBUUID(found.uuid),
            place: AttributePlace(handle: found.handle, link: link),
            characteristic: characteristic
        )
        view.withLock { $0.places.descriptors[found.handle] = new }
        return new
    }
}

extension Array where Element: CBAttribute {
    /// As they stand in the server's table.
    fileprivate var inOrder: [Element] {
        sorted { left, right in
            guard let left = left.place, let right = right.place else { return false }
            return left.handle < right.handle
        }
    }
}
