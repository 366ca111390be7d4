import BluethroatAppEnvironment
public import CoreBluetooth
import Foundation

// What the server that it is connected to says, and what goes there.
extension TextClient: CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let service = peripheral.services?.first(where: { $0.uuid == TextProfile.service }) else { return }
        pad.log("Discovered service: \(service.uuid.uuidString)")
        peripheral.discoverCharacteristics(nil, for: service)
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        for characteristic in service.characteristics ?? [] {
            let (id, properties) = (characteristic.uuid.uuidString, characteristic.properties.rawValue)
            pad.log(
                "Discovered characteristic: \(id) properties: \(properties) "
                    + "descriptors: \(characteristic.descriptors?.count ?? 0)"
            )
            switch characteristic.uuid {
            case TextProfile.identification: peripheral.readValue(for: characteristic)
            case TextProfile.transfer: transfer = characteristic
            case TextProfile.framed: if usesFramedMode { framed = characteristic }
            default: break
            }
        }
        if let framed {
            // Which version it has decides.
            peripheral.readValue(for: framed)
        } else if let transfer {
            peripheral.setNotifyValue(true, for: transfer)
        }
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard characteristic.uuid == TextProfile.framed else {
            guard error == nil, let value = characteristic.value else { return }
            let isPiece = characteristic.uuid == TextProfile.transfer
            return pad.log("READ: \(isPiece ? pieces.take(value) : String(decoding: value, as: UTF8.self))")
        }
        if let pipe {
            if let value = characteristic.value { pipe.receive(value) }
        } else if let transfer, error != nil || (characteristic.value?.first ?? 0) < TextProfile.framedVersion {
            framed = nil
            peripheral.setNotifyValue(true, for: transfer)
        } else {
            openPipe(to: peripheral, characteristic)
            peripheral.setNotifyValue(true, for: characteristic)
        }
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let error { return pad.log("Not subscribed: \(error.localizedDescription)") }
        guard characteristic.isNotifying else { return }
        pad.log("Subscribed: \(characteristic.uuid.uuidString)")
        settle(characteristic.uuid == TextProfile.framed ? .framed : .raw)
    }

    public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { drain() }
}

extension TextClient {
    private func openPipe(to peripheral: CBPeripheral, _ characteristic: CBCharacteristic) {
        let outlet = FramedPipe.Outlet(writingTo: peripheral, characteristic)
        let pipe = FramedPipe(outlet, maximumLength: TextProfile.maximumTextLength, clock: clock, random: random)
        pipe.received = { [weak self] text in self?.pad.log("READ: \(String(decoding: text, as: UTF8.self))") }
        self.pipe = pipe
    }

    /// It is known how text goes from now on, or that none does.
    func settle(_ mode: Mode?) {
        self.mode = mode
        if mode == nil {
            if let rest = pieces.end() { pad.log("READ: \(rest)") }
            let lost = outbox.clear() + early.count
            if lost > 0 {
                pad.log("NOT SENT: the connection has ended before \(lost == 1 ? "a text" : "\(lost) texts")")
            }
            early = []
            pipe?.close()
            (pipe, transfer, framed) = (nil, nil, nil)
        } else {
            let texts = early
            early = []
            for text in texts { send(text) }
        }
        showProgress()
    }

    func drain() {
        pipe?.isReady()
        if mode == .raw, let found, let transfer {
            outbox.drain {
                found.maximumWriteValueLength(for: .withoutResponse)
            } send: { packet in
                guard found.canSendWriteWithoutResponse else { return false }
                found.writeValue(packet, for: transfer, type: .withoutResponse)
                return true
            }
        }
        showProgress()
    }

    func showProgress() {
        let waiting = outbox.waitingCount + early.count + max((pipe?.waitingCount ?? 0) - 1, 0)
        let sending = outbox.progress ?? pipe?.progress.map(TextPad.Progress.init)
        // Only changes are reported.
        if pad.waitingCount != waiting { pad.waitingCount = waiting }
        if pad.sending != sending { pad.sending = sending }
    }
}
