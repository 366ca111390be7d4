import BluethroatAppEnvironment
import BluethroatMoneyDrop
import CoreBluetooth
import Foundation

/// A sender of the first days: it writes as it always does, and takes silence for failure.
final class FirstSender: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, StreamDelegate {
    private let pitfall: Pitfall
    private let clock: AppClock
    private let story: PitfallStory
    private var manager: CBCentralManager!
    private var peripheral: CBPeripheral?
    private var message: CBCharacteristic?
    private var details: CBCharacteristic?
    private var channel: CBL2CAPChannel?
    private var received = 0
    private var isWriting = false

    init(_ pitfall: Pitfall, _ clock: AppClock, _ story: PitfallStory) {
        self.pitfall = pitfall
        self.clock = clock
        self.story = story
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
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
        story.tell("sender: found a recipient")
        self.peripheral = peripheral
        peripheral.delegate = self
        central.stopScan()
        if pitfall != .background { central.connect(peripheral) }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([MoneyDropUUIDs.service])
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) { story.tell("sender: the connection is gone\(error.map { ": \($0.localizedDescription)" } ?? "")") }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        if let service = peripheral.services?.first { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        let found = service.characteristics ?? []
        message = found.first { $0.uuid == MoneyDropUUIDs.message }
        details = found.first { $0.uuid == MoneyDropUUIDs.details }
        switch pitfall {
        case .writeType:
            write()
            if let details {
                story.tell("sender: asks for the details, too, behind the message")
                peripheral.readValue(for: details)
            }
            _ = clock.once(after: 1) { [weak self] in self?.warn() }
            _ = clock.once(after: 10) { [weak self] in self?.look() }
        default: found.first { $0.uuid == MoneyDropUUIDs.psm }.map { peripheral.readValue(for: $0) }
        }
    }

    /// What the makers of MoneyDrop saw in Xcode's console, and nothing else. Apple has published no list of such numbers.
    static let warning = "CoreBluetooth [WARNING] Unknown error: 124"

    private func warn() {
        if isWriting { story.tell("sender's console: \(Self.warning)") }
    }

    private func look() {
        if isWriting { story.tell("sender: ten seconds, no answer and no delegate call; nothing else is answered") }
    }

    private func write() {
        guard let message, let peripheral else { return }
        story.tell("sender: writes the message with a response, without a look at what the characteristic takes")
        isWriting = true
        peripheral.writeValue(Data("money sent".utf8), for: message, type: .withResponse)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        isWriting = false
        story.tell(error.map { "sender: the write fails: \($0.localizedDescription)" } ?? "sender: it is answered")
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard characteristic.uuid == MoneyDropUUIDs.psm, let value = characteristic.value, value.count == 2 else {
            return
        }
        peripheral.openL2CAPChannel(CBL2CAPPSM(value[0]) | CBL2CAPPSM(value[1]) << 8)
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        guard let channel else { return }
        self.channel = channel
        for stream in [channel.inputStream, channel.outputStream] as [Stream] {
            stream.delegate = self
            stream.schedule(in: .main, forMode: .default)
            stream.open()
        }
        _ = clock.once(after: 0.3) { [weak self] in self?.write() }
        _ = clock.once(after: 0.8) { [weak self] in self?.giveUp() }
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while let input = channel?.inputStream, input.hasBytesAvailable {
            let count = input.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return }
            received += count
        }
    }

    private func giveUp() {
        guard isWriting, let channel else { return }
        story.tell("sender: the message is not answered, so something must be wrong; closes the channel")
        channel.inputStream.close()
        channel.outputStream.close()
        self.channel = nil
        story.tell("sender: has \(received) of \(FirstRecipient.photoLength) bytes, a truncated photo")
    }
}
