import CoreBluetooth
import Foundation
import Phones

@testable import WorkstationLogin

/// Two phones of a thief's, far apart, joined by a line: one plays the desk in front of the victim, the other plays the
/// victim in front of the desk. What one hears the other says.
final class Relay: NSObject {
    /// A packet, and where it was going.
    struct Packet {
        let bytes: Data
        let isForDesk: Bool
    }

    private(set) var packets: [Packet] = []
    /// What becomes of a packet; nil swallows it.
    var change: (Packet) -> Data? = { $0.bytes }

    private var front: CBPeripheralManager!
    private var back: CBCentralManager!
    private let identifier: DeskIdentifier
    private let exchange = CBMutableCharacteristic(
        type: LoginProfile.exchange,
        properties: [.notifyEncryptionRequired, .writeWithoutResponse],
        value: nil,
        permissions: .writeEncryptionRequired
    )
    private var desk: CBPeripheral?
    private var deskExchange: CBCharacteristic?
    private var toVictim: [Data] = [], toDesk: [Data] = []

    init(_ identifier: DeskIdentifier, nearVictim: Phone, nearDesk: Phone) {
        self.identifier = identifier
        super.init()
        front = nearVictim.addApp().run { CBPeripheralManager(delegate: self, queue: nil) }
        back = nearDesk.addApp().run { CBCentralManager(delegate: self, queue: nil) }
    }

    var isThrough: Bool { deskExchange?.isNotifying == true }

    private func pump() {
        while let packet = toVictim.first, front.updateValue(packet, for: exchange, onSubscribedCentrals: nil) {
            toVictim.removeFirst()
        }
        guard let desk, let deskExchange, deskExchange.isNotifying else { return }
        while let packet = toDesk.first, desk.canSendWriteWithoutResponse {
            desk.writeValue(packet, for: deskExchange, type: .withoutResponse)
            toDesk.removeFirst()
        }
    }

    private func forward(_ bytes: Data, isForDesk: Bool) {
        let packet = Packet(bytes: bytes, isForDesk: isForDesk)
        packets.append(packet)
        guard let bytes = change(packet) else { return }
        if isForDesk { toDesk.append(bytes) } else { toVictim.append(bytes) }
        pump()
    }
}

extension Relay: CBPeripheralManagerDelegate {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        let identity = CBMutableCharacteristic(
            type: LoginProfile.identity,
            properties: .read,
            value: Data([LoginProfile.version]) + Data(identifier.digits.utf8),
            permissions: .readable
        )
        let service = CBMutableService(type: LoginProfile.service, primary: true)
        service.characteristics = [identity, exchange]
        peripheral.add(service)
        peripheral.startAdvertising([
            CBAdvertisementDataServiceUUIDsKey: [LoginProfile.service],
            CBAdvertisementDataLocalNameKey: identifier.advertisedName,
        ])
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        for request in requests { if let value = request.value { forward(value, isForDesk: true) } }
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { pump() }
}

extension Relay: CBCentralManagerDelegate, CBPeripheralDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [LoginProfile.service]) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        guard desk == nil else { return }
        desk = peripheral
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([LoginProfile.service])
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        if let service = peripheral.services?.first { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        deskExchange = service.characteristics?.first { $0.uuid == LoginProfile.exchange }
        if let deskExchange { peripheral.setNotifyValue(true, for: deskExchange) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { pump() }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        if let value = characteristic.value { forward(value, isForDesk: false) }
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { pump() }
}
