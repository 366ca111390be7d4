internal import BluethroatBluetoothValues
internal import BluethroatHost
internal import BluethroatPhoneService
internal import Synchronization

extension CBPeripheral {
    /// Changes what the app sees, and notifies its observers.
    func change(_ body: (inout PeripheralView) -> Void) {
        view.withLock { body(&$0) }
        observation.look()
    }

    func beginConnection(_ link: LinkID, _ limits: LinkLimits) {
        writeWindow.reset()
        writeWindow.resize(to: limits.writeWindow)
        writeWindow.beStrict(limits.writeReadiness == .afterRefusal)
        change { $0.connect(link, limits) }
    }

    func endConnection(isReconnecting: Bool) {
        writeWindow.resize(to: 0)
        writeWindow.reset()
        change { $0.disconnect(isReconnecting: isReconnecting) }
    }

    /// Changes what the app sees, and calls its delegate at once. Late events, of another connection, are dropped.
    func receive(_ event: PeerEvent, on link: LinkID) {
        guard view.withLock({ $0.link == link }) else { return }
        switch event {
        case .nameChanged(let name):
            change { $0.name = name }
            delegate?.peripheralDidUpdateName(self)
        case .limitsChanged(let limits):
            view.withLock { $0.limits = limits }
            writeWindow.resize(to: limits.writeWindow)
        case .writesSent(let count):
            let isReady = writeWindow.giveBack(count)
            observation.look()
            if isReady { delegate?.peripheralIsReady(toSendWriteWithoutResponse: self) }
        case .servicesDiscovered(let result):
            discovered(result, on: link)
        case .includedServicesDiscovered(let handle, let result):
            discovered(result, includedBy: handle, on: link)
        case .characteristicsDiscovered(let handle, let result):
            discovered(result, of: handle, on: link)
        case .descriptorsDiscovered(let handle, let result):
            discovered(result, about: handle, on: link)
        case .servicesInvalidated(let handles):
            invalidated(handles)
        case .value(let handle, let result):
            guard let characteristic = characteristic(at: handle) else { return }
            if let value = try? result.get() { characteristic.keptValue = Data(value) }
            delegate?.peripheral(self, didUpdateValueFor: characteristic, error: result.fault?.error)
        case .descriptorValue(let handle, let result):
            guard let descriptor = descriptor(at: handle) else { return }
            if let value = try? result.get() { descriptor.keep(value) }
            delegate?.peripheral(self, didUpdateValueFor: descriptor, error: result.fault?.error)
        case .written(let handle, let fault):
            guard let characteristic = characteristic(at: handle) else { return }
            delegate?.peripheral(self, didWriteValueFor: characteristic, error: fault?.error)
        case .descriptorWritten(let handle, let fault):
            guard let descriptor = descriptor(at: handle) else { return }
            delegate?.peripheral(self, didWriteValueFor: descriptor, error: fault?.error)
        case .notifying(let handle, let result):
            guard let characteristic = characteristic(at: handle) else { return }
            if let isNotifying = try? result.get() { characteristic.keptNotifying = isNotifying }
            delegate?.peripheral(self, didUpdateNotificationStateFor: characteristic, error: result.fault?.error)
        case .signalStrength(let result):
            let strength = try? result.get()
            change { $0.signalStrength = strength ?? $0.signalStrength }
            delegate?.peripheral(
                self,
                didReadRSSI: .strength(strength),
                error: result.fault?.error
            )
        case .channelOpened: break  // The manager delivers it, with its streams.
        case .channelRefused(let fault):
            delegate?.peripheral(self, didOpen: nil, error: fault.error)
        case .channelSoundingEnded(let fault):
            delegate?.peripheral(self, didCompleteChannelSoundingSession: fault.error)
        }
    }

    /// A channel is open, unless the connection that it belongs to is over.
    func opened(_ pipe: ChannelPipe, on link: LinkID) {
        guard view.withLock({ $0.link == link }) else { return pipe.close() }
        delegate?.peripheral(self, didOpen: CBL2CAPChannel(peer: self, pipe: pipe), error: nil)
    }

    private func characteristic(at handle: AttributeHandle) -> CBCharacteristic? {
        view.withLock { $0.places.characteristics[handle] }
    }

    private func descriptor(at handle: AttributeHandle) -> CBDescriptor? {
        view.withLock { $0.places.descriptors[handle] }
    }
}

extension Result where Failure == ServiceFault {
    var fault: ServiceFault? {
        guard case .failure(let fault) = self else { return nil }
        return fault
    }
}

extension CBUUID {
    /// A descriptor's value in the type in which apps expect it.
    func typed(_ bytes: [UInt8]) -> Any {
        switch value.short {
        case 0x2900, 0x2902, 0x2903:
            NSNumber(value: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        case 0x2901: String(decoding: bytes, as: UTF8.self)
        default: Data(bytes)
        }
    }
}
