internal import BluethroatBluetoothValues
internal import BluethroatPhoneService
internal import Synchronization

extension CBCentralManager {
    /// Changes what the app sees, and calls its delegate at once.
    func receive(_ event: CentralEvent) {
        switch event {
        case .peerForgotten(let id):
            view.withLock { $0.forget(id) }
        case .peerKnown(let summary):
            view.withLock { $0.learn(summary) }
        case .discovered(let sighting):
            discovered(sighting)
        case .connected(let id, let link, let limits):
            let peripheral = knownPeripheral(id)
            peripheral.beginConnection(link, limits)
            delegate?.centralManager(self, didConnect: peripheral)
        case .connectFailed(let id, let fault):
            let peripheral = knownPeripheral(id)
            peripheral.endConnection(isReconnecting: false)
            delegate?.centralManager(self, didFailToConnect: peripheral, error: fault?.error)
        case .disconnected(let id, let disconnection):
            disconnected(knownPeripheral(id), disconnection)
        case .connectionEvent(let id, let isConnected):
            delegate?.centralManager(
                self,
                connectionEventDidOccur: isConnected ? .peerConnected : .peerDisconnected,
                for: knownPeripheral(id)
            )
        case .ancsAuthorization(let id, let isAuthorized):
            let peripheral = knownPeripheral(id)
            peripheral.change { $0.ancsAuthorized = isAuthorized }
            delegate?.centralManager(self, didUpdateANCSAuthorizationFor: peripheral)
        case .peer(let id, let link, .channelOpened(let channel)):
            guard let pipe = channels.arrival(channel) else { return }
            guard let peripheral = view.withLock({ $0.object(for: id) }) else { return pipe.close() }
            peripheral.opened(pipe, on: link)
        case .peer(let id, let link, let event):
            guard let peripheral = view.withLock({ $0.object(for: id) }) else { return }
            peripheral.receive(event, on: link)
        case .restored(let restoration):
            restored(restoration)
        }
    }

    func knownPeripheral(_ id: PeerID) -> CBPeripheral {
        peripheral(for: view.withLock { $0.summary(of: id) } ?? PeerSummary(id: id))
    }

    private func discovered(_ sighting: Sighting) {
        let (peripheral, name, dictionary) = view.withLock { view in
            view.see(sighting) { CBPeripheral($0, manager: self) }
        }
        if peripheral.name != name { peripheral.change { $0.name = name } }
        delegate?.centralManager(
            self,
            didDiscover: peripheral,
            advertisementData: dictionary,
            rssi: .strength(sighting.signalStrength)
        )
    }

    /// A delegate that has both methods is called by the older one only.
    private func disconnected(_ peripheral: CBPeripheral, _ disconnection: Disconnection) {
        // Where the app has asked for the next one already, that is being made.
        let isFollowed = peripheral.state == .connecting
        peripheral.endConnection(isReconnecting: disconnection.isReconnecting)
        if isFollowed { peripheral.change { $0.state = .connecting } }
        guard let delegate else { return }
        let error = disconnection.fault?.error
        let isTold = optionalCall.reaches {
            delegate.centralManager(self, didDisconnectPeripheral: peripheral, error: error)
        }
        guard !isTold else { return }
        delegate.centralManager(
            self,
            didDisconnectPeripheral: peripheral,
            timestamp: disconnection.time,
            isReconnecting: disconnection.isReconnecting,
            error: error
        )
    }

    private func restored(_ restoration: CentralRestoration) {
        var dictionary: [String: Any] = [:]
        let peripherals = restoration.peers.map { peer in
            view.withLock { $0.learn(peer.summary) }
            let peripheral = peripheral(for: peer.summary)
            peripheral.restore(peer)
            return peripheral
        }
        if !peripherals.isEmpty { dictionary[CBCentralManagerRestoredStatePeripheralsKey] = peripherals }
        if let scan = restoration.scan {
            setScanning(true)
            dictionary[CBCentralManagerRestoredStateScanServicesKey] = scan.services?.map(CBUUID.init)
            dictionary[CBCentralManagerRestoredStateScanOptionsKey] = scan.options
        }
        guard let delegate else { return }
        let isTold = optionalCall.reaches { delegate.centralManager(self, willRestoreState: dictionary) }
        if !isTold { noteMissing("centralManager:willRestoreState:") }
    }
}
