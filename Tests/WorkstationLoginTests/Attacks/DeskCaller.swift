import BluethroatPhones
import CoreBluetooth
import Foundation

@testable import BluethroatWorkstationLogin

/// A central that connects to the first desk it finds and subscribes there: what those begin with who are no login app.
final class DeskCaller: NSObject {
    /// A packet has come from the desk.
    var heard: (Data) -> Void = { _ in }
    /// There is room for packets to the desk, perhaps for the first time.
    var ready: () -> Void = {}
    /// Why it was not let in.
    private(set) var failure: (any Error)?
    /// Whether the desk sends what it has to say.
    private(set) var isThrough = false
    /// How many packets have come.
    private(set) var count = 0

    private var manager: CBCentralManager!
    private var desk: CBPeripheral?
    private var exchange: CBCharacteristic?

    init(on phone: Phone) {
        super.init()
        manager = phone.addApp().run { CBCentralManager(delegate: self, queue: nil) }
    }

    var capacity: Int { desk?.maximumWriteValueLength(for: .withoutResponse) ?? 20 }

    /// False while there is no room, or nobody listens yet.
    func send(_ packet: Data) -> Bool {
        guard isThrough, let desk, let exchange, desk.canSendWriteWithoutResponse else { return false }
        desk.writeValue(packet, for: exchange, type: .withoutResponse)
        return true
    }

    /// Begins or ceases to listen.
    func listen(_ listens: Bool) { if let exchange { desk?.setNotifyValue(listens, for: exchange) } }

    /// Sends all the same, whether or not anybody wants it.
    func throwIn(_ packet: Data) {
        if let exchange { desk?.writeValue(packet, for: exchange, type: .withoutResponse) }
    }
}

extension DeskCaller: CBCentralManagerDelegate, CBPeripheralDelegate {
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
        isThrough = characteristic.isNotifying
        ready()
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        guard let value = characteristic.value else { return }
        count += 1
        heard(value)
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { ready() }
}
