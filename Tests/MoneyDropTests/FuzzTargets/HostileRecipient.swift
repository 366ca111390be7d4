import CoreBluetooth
import Foundation

@testable import BluethroatMoneyDrop

/// A peripheral that shows itself as a MoneyDrop with any details, any number of a channel, and any answer to messages.
final class HostileRecipient: NSObject, CBPeripheralManagerDelegate {
    var details = Data()
    /// What the number of the channel is said to be; nil for the right one.
    var shownPSM: Data?
    /// What a message is answered with; nil for nothing.
    var answer: CBATTError.Code? = .success
    /// What is sent on a channel when it opens.
    var greeting = Data()
    private var manager: CBPeripheralManager!
    private var psm: CBL2CAPPSM = 0
    private var channel: ChannelEnd?
    private let psmCharacteristic = CBMutableCharacteristic(
        type: MoneyDropUUIDs.psm,
        properties: [.read, .indicate],
        value: nil,
        permissions: .readable
    )

    override init() {
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: nil)
    }

    private var psmValue: Data { shownPSM ?? Data([UInt8(truncatingIfNeeded: psm), UInt8(psm >> 8)]) }

    /// Indicates the number of the channel.
    func tellPSM() { _ = manager.updateValue(psmValue, for: psmCharacteristic, onSubscribedCentrals: nil) }

    /// Sends on the channel, where there is one.
    func say(_ bytes: Data) { channel?.send(bytes) }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        peripheral.add(.moneyDrop(others: [psmCharacteristic]))
        peripheral.publishL2CAPChannel(withEncryption: false)
        peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [MoneyDropUUIDs.service]])
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        didPublishL2CAPChannel PSM: CBL2CAPPSM,
        error: (any Error)?
    ) { psm = PSM }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        let value = request.characteristic.uuid == MoneyDropUUIDs.details ? details : psmValue
        request.value = value.dropFirst(request.offset)
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        if let answer { peripheral.respond(to: requests[0], withResult: answer) }
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        guard let channel else { return }
        let end = ChannelEnd(channel, runLoop: .main)
        end.open()
        end.send(greeting)
        self.channel = end
    }
}
