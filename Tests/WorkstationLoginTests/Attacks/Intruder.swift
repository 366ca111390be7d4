import AppTime
import CoreBluetooth
import Foundation
import Phones
import Simulation

@testable import WorkstationLogin

/// A central that says to a desk what it likes.
final class Intruder: NSObject {
    private(set) var heard: [LoginMessage] = []
    private(set) var failure: (any Error)?
    private(set) var pipe: FramedPipe?
    private var manager: CBCentralManager!
    private var desk: CBPeripheral?
    private var exchange: CBCharacteristic?
    private let clock: AppClock

    init(on phone: Phone, in world: World) {
        clock = .of(world)
        super.init()
        manager = phone.addApp().run { CBCentralManager(delegate: self, queue: nil) }
    }

    func say(_ message: LoginMessage) { pipe?.send(message.bytes) }

    /// A packet as it is, of whatever protocol.
    func say(packet: Data) {
        if let exchange { desk?.writeValue(packet, for: exchange, type: .withoutResponse) }
    }
}

extension Intruder: CBCentralManagerDelegate, CBPeripheralDelegate {
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
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([LoginProfile.service])
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        if let service = peripheral.services?.first { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        exchange = service.characteristics?.first { $0.uuid == LoginProfile.exchange }
        if let exchange { peripheral.setNotifyValue(true, for: exchange) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let error { return failure = error }
        let outlet = FramedPipe.Outlet { [unowned peripheral] in
            peripheral.maximumWriteValueLength(for: .withoutResponse)
        } send: { [unowned peripheral] packet in
            guard peripheral.canSendWriteWithoutResponse else { return false }
            peripheral.writeValue(packet, for: characteristic, type: .withoutResponse)
            return true
        }
        pipe = FramedPipe(outlet, maximumLength: 10_000, clock: clock, random: .seeded(99))
        pipe?.received = { [unowned self] in if let message = LoginMessage($0) { heard.append(message) } }
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        if let value = characteristic.value { pipe?.receive(value) }
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { pipe?.isReady() }
}
