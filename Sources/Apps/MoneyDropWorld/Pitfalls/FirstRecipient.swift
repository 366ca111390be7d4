import BluethroatAppEnvironment
import BluethroatMoneyDrop
import CoreBluetooth
import Foundation

/// A recipient of the first days: it takes receipts without answering, or not at all while it gives its photo.
final class FirstRecipient: NSObject, CBPeripheralManagerDelegate, StreamDelegate {
    private let pitfall: Pitfall
    private let clock: AppClock
    private let story: PitfallStory
    private var manager: CBPeripheralManager!
    private var psm: CBMutableCharacteristic?
    private var channel: CBL2CAPChannel?
    private var rest = Data()
    static let photoLength = 200_000

    init(_ pitfall: Pitfall, _ clock: AppClock, _ story: PitfallStory) {
        self.pitfall = pitfall
        self.clock = clock
        self.story = story
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: nil)
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        if pitfall == .photo { return peripheral.publishL2CAPChannel(withEncryption: false) }
        publish(0)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        didPublishL2CAPChannel PSM: CBL2CAPPSM,
        error: (any Error)?
    ) { publish(PSM) }

    private func publish(_ number: CBL2CAPPSM) {
        let service = CBMutableService(type: MoneyDropUUIDs.service, primary: true)
        let details = CBMutableCharacteristic(
            type: MoneyDropUUIDs.details,
            properties: .read,
            value: Data("Anna".utf8),
            permissions: .readable
        )
        let message = CBMutableCharacteristic(
            type: MoneyDropUUIDs.message,
            properties: [.write, .writeWithoutResponse],
            value: nil,
            permissions: .writeable
        )
        let psm = CBMutableCharacteristic(
            type: MoneyDropUUIDs.psm,
            properties: .read,
            value: Data([UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]),
            permissions: .readable
        )
        service.characteristics = [details, message, psm]
        manager.add(service)
        manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [MoneyDropUUIDs.service]])
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        switch pitfall {
        case .writeType:
            story.tell("recipient: a message; ours come without a response, so none is given")
        default:
            story.tell("recipient: a message while the photo is under way; it is ignored, without an answer")
        }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        guard let channel else { return }
        story.tell("recipient: sends a photo of \(Self.photoLength) bytes")
        self.channel = channel
        rest = Data(repeating: 0x5A, count: Self.photoLength)
        for stream in [channel.inputStream, channel.outputStream] as [Stream] {
            stream.delegate = self
            stream.schedule(in: .main, forMode: .default)
            stream.open()
        }
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        guard let channel else { return }
        if event == .endEncountered || event == .errorOccurred {
            story.tell("recipient: the channel has ended, and not all has left")
            return self.channel = nil
        }
        while !rest.isEmpty, channel.outputStream.hasSpaceAvailable {
            let count = rest.withUnsafeBytes { bytes in
                guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return 0 }
                return channel.outputStream.write(start, maxLength: bytes.count)
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
