internal import BluethroatBluetoothValues
internal import BluethroatHost
internal import BluethroatPhoneService
internal import Synchronization

extension CBPeripheralManager {
    /// Changes what the app sees, and calls its delegate at once.
    func receive(_ event: PeripheralEvent) {
        switch event {
        case .serviceAdded(let id, let fault):
            guard let service = view.withLock({ $0.services[id] }) else { return }
            if fault != nil { _ = view.withLock { $0.withdraw(service) } }
            delegate?.peripheralManager(self, didAdd: service, error: fault?.error)
        case .advertisingStarted(let fault):
            if fault == nil, view.withLock(\.isToAdvertise) { setAdvertising(true) }
            delegate?.peripheralManagerDidStartAdvertising(self, error: fault?.error)
        case .subscribed(let described, let id):
            subscribed(described, to: id)
        case .unsubscribed(let id, let characteristic):
            unsubscribed(id, from: characteristic)
        case .limitsChanged(let described):
            view.withLock { $0.limit(described) }
        case .readRequested(let request, let described, let id, let offset):
            guard let characteristic = view.withLock({ $0.characteristics[id] }) else { return refuse(request) }
            let central = view.withLock { $0.central(described) }
            delegate?.peripheralManager(
                self,
                didReceiveRead: CBATTRequest(
                    id: request,
                    central: central,
                    characteristic: characteristic,
                    offset: offset,
                    value: nil
                )
            )
        case .writesRequested(let request, let described, let writes):
            let requests = requests(request, described, writes)
            // Of a write that is answered as a whole, all of it has to be there; of the others the app gets what is.
            guard !requests.isEmpty, !request.isAwaited || requests.count == writes.count else {
                return refuse(request)
            }
            delegate?.peripheralManager(self, didReceiveWrite: requests)
        case .updateWindow(let size):
            updateWindow.resize(to: size)
        case .updatesSent(let count):
            if updateWindow.giveBack(count) { delegate?.peripheralManagerIsReady(toUpdateSubscribers: self) }
        case .channelPublished(let psm, let fault):
            delegate?.peripheralManager(self, didPublishL2CAPChannel: psm, error: fault?.error)
        case .channelUnpublished(let psm, let fault):
            delegate?.peripheralManager(self, didUnpublishL2CAPChannel: psm, error: fault?.error)
        case .channelOpened(let channel, let described):
            guard let pipe = channels.arrival(channel) else { return }
            let central = view.withLock { $0.central(described) }
            delegate?.peripheralManager(self, didOpen: CBL2CAPChannel(peer: central, pipe: pipe), error: nil)
        case .restored(let restoration):
            restored(restoration)
        }
    }

    /// What was asked for is no longer published.
    private func refuse(_ request: LocalRequestID) {
        if request.isAwaited { submit(.peripheral(.answer(request, .refused(.unlikelyError, nil)))) }
    }

    private func restored(_ restoration: PeripheralRestoration) {
        var dictionary: [String: Any] = [:]
        let services = view.withLock { $0.restore(restoration) }
        if !services.isEmpty { dictionary[CBPeripheralManagerRestoredStateServicesKey] = services }
        if let advertisement = restoration.advertisement {
            setAdvertising(true)
            dictionary[CBPeripheralManagerRestoredStateAdvertisementDataKey] = advertisement.dictionary
        }
        guard let delegate else { return }
        let isTold = optionalCall.reaches { delegate.peripheralManager(self, willRestoreState: dictionary) }
        if !isTold { noteMissing("peripheralManager:willRestoreState:") }
    }

    private func subscribed(_ described: SubscribedCentral, to id: LocalCharacteristicID) {
        guard let characteristic = view.withLock({ $0.characteristics[id] }) else { return }
        let central = view.withLock { $0.central(described) }
        if !characteristic.subscribers.contains(where: { $0 === central }) {
            characteristic.subscribers.append(central)
        }
        delegate?.peripheralManager(self, central: central, didSubscribeTo: characteristic)
    }

    private func unsubscribed(_ id: PeerID, from characteristicID: LocalCharacteristicID) {
        let found = view.withLock { ($0.characteristics[characteristicID], $0.central(id)) }
        guard let characteristic = found.0, let central = found.1 else { return }
        characteristic.subscribers.removeAll { $0 === central }
        delegate?.peripheralManager(self, central: central, didUnsubscribeFrom: characteristic)
    }

    private func requests(
        _ id: LocalRequestID,
        _ described: SubscribedCentral,
        _ writes: [LocalWrite]
    ) -> [CBATTRequest] {
        let central = view.withLock { $0.central(described) }
        return writes.compactMap { write in
            view.withLock { $0.characteristics[write.characteristic] }.map { characteristic in
                CBATTRequest(
                    id: id,
                    central: central,
                    characteristic: characteristic,
                    offset: write.offset,
                    value: Data(write.value)
                )
            }
        }
    }
}
