import BluethroatPhones
import CoreBluetooth
import Foundation

@testable import BluethroatMoneyDrop

/// A central that is no MoneyDrop: writes whatever it is told to, and keeps what it is answered.
final class Stranger: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private(set) var answers: [Int?] = []
    private(set) var details: Data?
    private(set) var properties: [CBUUID: CBCharacteristicProperties] = [:]
    private var manager: CBCentralManager!
    private var peripheral: CBPeripheral?
    private var characteristics: [CBCharacteristic] = []
    private var channel: ChannelEnd?
    /// Where it never reads what comes on a channel: what it says when one opens.
    var onlyWords: Data?
    private var unread: CBL2CAPChannel?
    /// What has come on the channel.
    private(set) var heard = Data()

    override init() {
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    var isReady: Bool { details != nil }

    func write(_ bytes: Data, type: CBCharacteristicWriteType = .withResponse) {
        guard let message = characteristics.first(where: { $0.uuid == MoneyDropUUIDs.message }) else { return }
        peripheral?.writeValue(bytes, for: message, type: type)
    }

    /// Reads the number of the channel for photos, and opens it.
    func openChannel() {
        guard let psm = characteristics.first(where: { $0.uuid == MoneyDropUUIDs.psm }) else { return }
        peripheral?.readValue(for: psm)
    }

    /// Sends on the channel, where there is one.
    func say(_ bytes: Data) { channel?.send(bytes) }

    func closeChannel() {
        channel?.close()
        channel = nil
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [MoneyDropUUIDs.service]) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard self.peripheral == nil else { return }
        self.peripheral = peripheral
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([MoneyDropUUIDs.service])
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        if let service = peripheral.services?.first { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        characteristics = service.characteristics ?? []
        for characteristic in characteristics {
            properties[characteristic.uuid] = characteristic.properties
            if characteristic.uuid == MoneyDropUUIDs.details { peripheral.readValue(for: characteristic) }
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        if characteristic.uuid == MoneyDropUUIDs.details { details = characteristic.value }
        if characteristic.uuid == MoneyDropUUIDs.psm, let value = characteristic.value, value.count == 2 {
            peripheral.openL2CAPChannel(CBL2CAPPSM(value[0]) | CBL2CAPPSM(value[1]) << 8)
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        guard let channel else { return }
        closeChannel()
        if let onlyWords {
            unread = channel
            channel.outputStream.open()
            return _ = onlyWords.withUnsafeBytes {
                channel.outputStream.write($0.bindMemory(to: UInt8.self).baseAddress!, maxLength: onlyWords.count)
            }
        }
        let end = ChannelEnd(channel, runLoop: .main)
        end.received = { [unowned self] in heard = (heard + $0).suffix(10_000) }
        end.open()
        self.channel = end
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        answers.append((error as? CBATTError)?.errorCode)
    }
}

/// A peripheral that says it is a MoneyDrop: with any details, and a message of any kind that may never be answered.
final class Impostor: NSObject, CBPeripheralManagerDelegate {
    private let details: Data
    private let properties: CBCharacteristicProperties
    private let answers: Bool
    private var manager: CBPeripheralManager!
    private(set) var writes = 0

    init(details: Data, properties: CBCharacteristicProperties = .write, answers: Bool = true) {
        self.details = details
        self.properties = properties
        self.answers = answers
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: nil)
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        peripheral.add(.moneyDrop(details: details, messages: properties))
        peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [MoneyDropUUIDs.service]])
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        writes += 1
        if answers { peripheral.respond(to: requests[0], withResult: .success) }
    }
}

/// A peripheral that says it is a MoneyDrop, and shows at each reading what it wants to.
final class TwoFaces: NSObject, CBPeripheralManagerDelegate {
    var details: Data
    private var manager: CBPeripheralManager!

    init(details: Data) { self.details = details }

    func begin() { manager = CBPeripheralManager(delegate: self, queue: nil) }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        peripheral.add(.moneyDrop())
        peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [MoneyDropUUIDs.service]])
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        request.value = Data(details.dropFirst(request.offset))
        peripheral.respond(to: request, withResult: .success)
    }
}
