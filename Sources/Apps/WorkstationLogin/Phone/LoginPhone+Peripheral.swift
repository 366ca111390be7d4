import BluethroatAppEnvironment
public import CoreBluetooth
import Foundation

// What CoreBluetooth says of the desk that the phone is connected to.
extension LoginPhone: CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let visit, visit.peripheral === peripheral else { return }
        guard let service = peripheral.services?.first(where: { $0.uuid == LoginProfile.service }) else {
            return connectNext(visit.identifier)
        }
        peripheral.discoverCharacteristics([LoginProfile.identity, LoginProfile.exchange], for: service)
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        guard let visit, visit.peripheral === peripheral else { return }
        let found = service.characteristics ?? []
        guard let identity = found.first(where: { $0.uuid == LoginProfile.identity }),
            found.contains(where: { $0.uuid == LoginProfile.exchange })
        else { return connectNext(visit.identifier) }
        peripheral.readValue(for: identity)
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard let visit, visit.peripheral === peripheral else { return }
        if characteristic.uuid == LoginProfile.exchange {
            if let packet = characteristic.value { visit.pipe?.receive(packet) }
            return
        }
        let expected = Data([LoginProfile.version]) + Data(visit.identifier.digits.utf8)
        guard error == nil, characteristic.value == expected,
            let exchange = characteristic.service?.characteristics?.first(where: { $0.uuid == LoginProfile.exchange })
        else { return connectNext(visit.identifier) }
        // The desk wants an encrypted link for this, and so the phone pairs.
        peripheral.setNotifyValue(true, for: exchange)
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard let visit, visit.peripheral === peripheral, visit.pipe == nil else { return }
        guard error == nil, characteristic.isNotifying else { return connectNext(visit.identifier) }
        // A desk that is one has demanded it by now. A device that has not hears nothing.
        guard isLinkEncrypted?(peripheral.identifier) ?? true else {
            suspicion = suspicion ?? .unencrypted
            return connectNext(visit.identifier)
        }
        let outlet = FramedPipe.Outlet(writingTo: peripheral, characteristic)
        let pipe = FramedPipe(outlet, maximumLength: LoginProfile.maximumMessageLength, clock: clock, random: random)
        pipe.received = { [weak self, weak visit] message in
            if let self, let visit { receive(message, visit) }
        }
        visit.pipe = pipe
        pipe.send(visit.conversation.hello)
    }

    public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { visit?.pipe?.isReady() }

    public func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        guard let visit, visit.peripheral === peripheral else { return }
        if hasComeNear, visit.conversation.phase == .trusted {
            return measured(visit, error == nil ? RSSI.intValue : nil)
        }
        guard error == nil, case .connected(let connected) = screen.page else { return }
        switch (visit.nearness?.take(RSSI.intValue, at: clock.now), screen.settings.walkingAway) {
        case (.wentAway, .end): end(walkedAway: true)
        case (.wentAway, .lock):
            guard !connected.isLocked else { return }
            visit.isLockedByAbsence = true
            visit.send(visit.conversation.lock(true))
        case (.cameNear, .lock) where screen.settings.loginByNearness:
            // What a person has locked stays locked until a person unlocks it.
            if connected.isLocked, visit.isLockedByAbsence { visit.send(visit.conversation.lock(false)) }
        default: break
        }
    }
}
