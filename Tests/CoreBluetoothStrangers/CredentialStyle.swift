// In the manner of transports that carry a digital credential between two phones: messages are cut into chunks with a
// flag byte before each, the reader is the central and sends a chunk whenever it is called as ready, the holder is the
// peripheral and goes on where `updateValue` has said no.
import CoreBluetooth

enum CredentialService {
    static let uuid = CBUUID(string: "5A3C0000-6E5B-4C0B-9D0B-2D1C5F0B7E11")
    static let state = CBUUID(string: "5A3C0001-6E5B-4C0B-9D0B-2D1C5F0B7E11")
    static let toHolder = CBUUID(string: "5A3C0002-6E5B-4C0B-9D0B-2D1C5F0B7E11")
    static let toReader = CBUUID(string: "5A3C0003-6E5B-4C0B-9D0B-2D1C5F0B7E11")

    static let begin = Data([0x01])
    static let end = Data([0x02])
}

enum CredentialTransportError: Error, Equatable {
    case bluetoothUnavailable
    case wrongService
    case connectionLost
    case malformedChunk
}

protocol CredentialTransportDelegate: AnyObject {
    func transportDidOpen()
    func transport(didReceive message: Data)
    func transportDidSend()
    /// The session is over; another one may be begun.
    func transportDidEnd(_ error: (any Error)?)
}

/// A message on its way out.
struct OutgoingMessage {
    private let bytes: Data
    private var position = 0

    init(_ bytes: Data) { self.bytes = bytes }

    /// 1 before each chunk but the last one, which has 0.
    mutating func nextChunk(length: Int) -> (chunk: Data, isLast: Bool) {
        let end = min(bytes.count, position + length - 1)
        let isLast = end == bytes.count
        defer { position = end }
        return (Data([isLast ? 0 : 1]) + bytes.subdata(in: position..<end), isLast)
    }
}

/// A message on its way in.
struct IncomingMessage {
    private var bytes = Data()

    /// The message, when this was its last chunk.
    mutating func append(_ chunk: Data) throws(CredentialTransportError) -> Data? {
        guard let flag = chunk.first, flag < 2 else { throw .malformedChunk }
        bytes.append(chunk.dropFirst())
        guard flag == 0 else { return nil }
        defer { bytes = Data() }
        return bytes
    }
}

/// The side that asks: a central.
final class CredentialReader: NSObject, @unchecked Sendable {
    weak var delegate: (any CredentialTransportDelegate)?
    private var manager: CBCentralManager!
    private var peripheral: CBPeripheral?
    private var state: CBCharacteristic?
    private var toHolder: CBCharacteristic?
    private var toReader: CBCharacteristic?
    private var outgoing: OutgoingMessage?
    private var incoming = IncomingMessage()
    private var isWanted = false

    /// Everything happens on the queue; so do calls from outside.
    init(queue: DispatchQueue?) {
        super.init()
        manager = CBCentralManager(delegate: self, queue: queue)
    }

    func begin() {
        isWanted = true
        scan()
    }

    func send(_ message: Data) {
        outgoing = OutgoingMessage(message)
        sendChunk()
    }

    /// Says goodbye and leaves.
    func end() {
        guard let peripheral, let state else { return }
        peripheral.writeValue(CredentialService.end, for: state, type: .withoutResponse)
        manager.cancelPeripheralConnection(peripheral)
    }

    private func scan() {
        guard isWanted, manager.state == .poweredOn, peripheral == nil else { return }
        manager.scanForPeripherals(withServices: [CredentialService.uuid])
    }

    private func sendChunk() {
        guard let peripheral, let toHolder, var message = outgoing else { return }
        let length = peripheral.maximumWriteValueLength(for: .withoutResponse)
        let (chunk, isLast) = message.nextChunk(length: length)
        outgoing = isLast ? nil : message
        peripheral.writeValue(chunk, for: toHolder, type: .withoutResponse)
        if isLast { delegate?.transportDidSend() }
    }

    private func finish(_ error: (any Error)?) {
        guard isWanted else { return }
        isWanted = false
        peripheral = nil
        (state, toHolder, toReader) = (nil, nil, nil)
        outgoing = nil
        incoming = IncomingMessage()
        delegate?.transportDidEnd(error)
    }
}

extension CredentialReader: CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .poweredOn: scan()
        case .unknown, .resetting: break
        default: finish(CredentialTransportError.bluetoothUnavailable)
        }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard self.peripheral == nil else { return }
        self.peripheral = peripheral
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.delegate = self
        peripheral.discoverServices([CredentialService.uuid])
    }

    func centralManager(
        _ central: CBCentralManager,
        didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        finish(error ?? CredentialTransportError.connectionLost)
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        finish(error)
    }
}

extension CredentialReader: CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let service = peripheral.services?.first(where: { $0.uuid == CredentialService.uuid }) else {
            return finish(error ?? CredentialTransportError.wrongService)
        }
        peripheral.discoverCharacteristics(nil, for: service)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        for characteristic in service.characteristics ?? [] {
            switch characteristic.uuid {
            case CredentialService.state: state = characteristic
            case CredentialService.toHolder: toHolder = characteristic
            case CredentialService.toReader: toReader = characteristic
            default: break
            }
        }
        guard let state, toHolder != nil, let toReader else {
            return finish(error ?? CredentialTransportError.wrongService)
        }
        peripheral.setNotifyValue(true, for: state)
        peripheral.setNotifyValue(true, for: toReader)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let error { return finish(error) }
        guard let state, state.isNotifying, toReader?.isNotifying == true else { return }
        peripheral.writeValue(CredentialService.begin, for: state, type: .withoutResponse)
        delegate?.transportDidOpen()
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard error == nil, let value = characteristic.value else { return }
        if characteristic.uuid == CredentialService.state {
            if value == CredentialService.end { manager.cancelPeripheralConnection(peripheral) }
            return
        }
        do {
            if let message = try incoming.append(value) { delegate?.transport(didReceive: message) }
        } catch {
            finish(error)
        }
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { sendChunk() }
}

/// The side that answers: a peripheral.
final class CredentialHolder: NSObject, @unchecked Sendable {
    weak var delegate: (any CredentialTransportDelegate)?
    private var manager: CBPeripheralManager!
    private let state = CBMutableCharacteristic(
        type: CredentialService.state,
        properties: [.notify, .writeWithoutResponse],
        value: nil,
        permissions: [.writeable]
    )
    private let toHolder = CBMutableCharacteristic(
        type: CredentialService.toHolder,
        properties: [.writeWithoutResponse],
        value: nil,
        permissions: [.writeable]
    )
    private let toReader = CBMutableCharacteristic(
        type: CredentialService.toReader,
        properties: [.notify],
        value: nil,
        permissions: [.readable]
    )
    private var reader: CBCentral?
    private var outgoing: OutgoingMessage?
    /// The chunk that there was no room for.
    private var refused: (chunk: Data, isLast: Bool)?
    private var incoming = IncomingMessage()
    private var isOpen = false

    /// Everything happens on the queue; so do calls from outside.
    init(queue: DispatchQueue?) {
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: queue)
    }

    func send(_ message: Data) {
        outgoing = OutgoingMessage(message)
        sendChunks()
    }

    private func sendChunks() {
        guard let reader else { return }
        while true {
            if refused == nil, var message = outgoing {
                let next = message.nextChunk(length: reader.maximumUpdateValueLength)
                outgoing = next.isLast ? nil : message
                refused = next
            }
            guard let next = refused else { return }
            guard manager.updateValue(next.chunk, for: toReader, onSubscribedCentrals: [reader]) else { return }
            refused = nil
            if next.isLast { delegate?.transportDidSend() }
        }
    }

    private func finish(_ error: (any Error)?) {
        guard isOpen else { return }
        isOpen = false
        reader = nil
        outgoing = nil
        refused = nil
        incoming = IncomingMessage()
        delegate?.transportDidEnd(error)
    }
}

extension CredentialHolder: CBPeripheralManagerDelegate {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        switch peripheral.state {
        case .poweredOn:
            let service = CBMutableService(type: CredentialService.uuid, primary: true)
            service.characteristics = [state, toHolder, toReader]
            peripheral.removeAllServices()
            peripheral.add(service)
        case .unknown, .resetting: break
        default: finish(CredentialTransportError.bluetoothUnavailable)
        }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        if error == nil { peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [service.uuid]]) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        if characteristic.uuid == CredentialService.toReader, reader == nil { reader = central }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        if central.identifier == reader?.identifier { finish(CredentialTransportError.connectionLost) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        for request in requests {
            guard let value = request.value else { continue }
            if request.characteristic.uuid == CredentialService.state {
                if value == CredentialService.begin, !isOpen {
                    isOpen = true
                    delegate?.transportDidOpen()
                } else if value == CredentialService.end {
                    finish(nil)
                }
                continue
            }
            do {
                if let message = try incoming.append(value) { delegate?.transport(didReceive: message) }
            } catch {
                finish(error)
            }
        }
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { sendChunks() }
}
