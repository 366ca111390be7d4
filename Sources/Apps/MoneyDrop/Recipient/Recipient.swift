import BluethroatAppEnvironment
import CoreBluetooth
import Foundation

/// The part of MoneyDrop that others find: publishes who this is, takes receipts, and gives the photo.
final class Recipient: NSObject {
    static let restoreIdentifier = "MoneyDrop recipient"

    /// What any phone may read; nil while the bank has given nothing.
    var details: Data? { didSet { advertise() } }
    /// Whether the air is left to a photo.
    var isQuiet = false { didSet { if isQuiet != oldValue { advertise() } } }
    /// A receipt was written. Nil if it is taken.
    var take: (Data) -> MessageError? = { _ in .busy }
    var changed: () -> Void = {}

    let photos: PhotoService
    private let settings: MoneyDropSettings
    private var manager: CBPeripheralManager!
    private var isPublished = false
    private var psm: CBL2CAPPSM?
    private var psmCharacteristic: CBMutableCharacteristic?
    /// What each central is reading, so that the parts of a long read are of one value.
    private var reading: [UUID: Data] = [:]

    init(photos: PhotoService, settings: MoneyDropSettings, queue: DispatchQueue?) {
        self.photos = photos
        self.settings = settings
        super.init()
        photos.served = { [weak self] in self?.adaptLatency(for: $0, isLong: false) }
        // What comes on a channel wakes no app that has ended meanwhile; an indication does.
        photos.brokeOff = { [weak self] in self?.tellPSM($0) }
        let options: [String: Any]? =
            settings.isRestored ? [CBPeripheralManagerOptionRestoreIdentifierKey: Self.restoreIdentifier] : nil
        manager = CBPeripheralManager(delegate: self, queue: queue, options: options)
    }

    var state: CBManagerState { manager.state }
    var isAdvertising: Bool { manager.isAdvertising }

    /// No more is heard from it.
    func end() {
        photos.endAll()
        manager.delegate = nil
    }

    private var service: CBMutableService {
        let service = CBMutableService(type: MoneyDropUUIDs.service, primary: true)
        let details = CBMutableCharacteristic(
            type: MoneyDropUUIDs.details,
            properties: .read,
            value: nil,
            permissions: .readable
        )
        let message = CBMutableCharacteristic(
            type: MoneyDropUUIDs.message,
            properties: .write,
            value: nil,
            permissions: settings.encryptsMessages ? .writeEncryptionRequired : .writeable
        )
        service.characteristics = [details, message]
        if settings.version != .first {
            let psm = CBMutableCharacteristic(
                type: MoneyDropUUIDs.psm,
                properties: [.read, .indicate],
                value: nil,
                permissions: .readable
            )
            psmCharacteristic = psm
            service.characteristics?.append(psm)
        }
        return service
    }

    private func publish() {
        if !isPublished {
            manager.add(service)
            isPublished = true
        }
        if settings.version != .first, psm == nil {
            manager.publishL2CAPChannel(withEncryption: settings.encryptsChannel)
        }
        advertise()
    }

    /// Advertises while there is something to be read.
    private func advertise() {
        guard manager.state == .poweredOn, isPublished else { return }
        if details == nil || isQuiet {
            manager.stopAdvertising()
        } else if !manager.isAdvertising {
            manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [MoneyDropUUIDs.service]])
        }
    }

    /// A photo fills longer connection events better; whatever comes after it is to be answered quickly.
    private func adaptLatency(for peer: CBPeer?, isLong: Bool) {
        guard photos.isLong, manager.state == .poweredOn, let central = peer as? CBCentral else { return }
        manager.setDesiredConnectionLatency(isLong ? .medium : .low, for: central)
    }

    private var psmValue: Data {
        var value = Data()
        let psm = psm ?? 0
        value.append(contentsOf: [UInt8(truncatingIfNeeded: psm), UInt8(truncatingIfNeeded: psm >> 8)])
        return value
    }

    private func tellPSM(_ peer: CBPeer? = nil) {
        guard let psmCharacteristic, manager.state == .poweredOn else { return }
        // Where there is no room the manager says when there is.
        manager.updateValue(
            psmValue,
            for: psmCharacteristic,
            onSubscribedCentrals: (peer as? CBCentral).map { [$0] }
        )
    }
}

extension Recipient: CBPeripheralManagerDelegate {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        if peripheral.state.rawValue < CBManagerState.poweredOff.rawValue {
            isPublished = false
            psm = nil
        }
        if peripheral.state == .poweredOn { publish() } else { photos.endAll() }
        changed()
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
        guard let service = services.first(where: { $0.uuid == MoneyDropUUIDs.service }) else { return }
        isPublished = true
        psmCharacteristic = service.characteristics?.first { $0.uuid == MoneyDropUUIDs.psm } as? CBMutableCharacteristic
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        didPublishL2CAPChannel PSM: CBL2CAPPSM,
        error: (any Error)?
    ) {
        guard error == nil else { return }
        psm = PSM
        tellPSM()
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) { changed() }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { tellPSM() }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        let value: Data?
        switch request.characteristic.uuid {
        case MoneyDropUUIDs.details:
            if request.offset == 0 {
                // Strangers come under any number of names.
                if reading.count >= 64 { reading = [:] }
                reading[request.central.identifier] = details
            }
            value = reading[request.central.identifier]
        case MoneyDropUUIDs.psm: value = psmValue
        default: value = nil
        }
        guard let value else { return peripheral.respond(to: request, withResult: .unlikelyError) }
        guard request.offset <= value.count else { return peripheral.respond(to: request, withResult: .invalidOffset) }
        request.value = Data(value.dropFirst(request.offset))
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        guard let first = requests.first else { return }
        var receipt = Data()
        for request in requests {
            guard request.characteristic.uuid == MoneyDropUUIDs.message else {
                return peripheral.respond(to: first, withResult: .writeNotPermitted)
            }
            // The parts of a long write, one after the other.
            guard request.offset == receipt.count else {
                return peripheral.respond(to: first, withResult: .invalidOffset)
            }
            receipt += request.value ?? Data()
        }
        let error = take(receipt)
        peripheral.respond(
            to: first,
            withResult: error.flatMap { CBATTError.Code(rawValue: Int($0.rawValue)) } ?? .success
        )
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        guard let channel else { return }
        adaptLatency(for: channel.peer, isLong: photos.isLong)
        photos.serve(channel)
    }
}
