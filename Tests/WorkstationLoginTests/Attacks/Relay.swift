import BluethroatAppEnvironment
import BluethroatPhones
import CoreBluetooth
import Foundation

@testable import BluethroatWorkstationLogin

/// Two phones of a thief's, far apart, joined by a line: one plays the desk in front of the victim, the other plays the
/// victim in front of the desk. What one hears the other says.
final class Relay: NSObject {
    /// A packet, and where it was going.
    struct Packet {
        let bytes: Data
        let isForDesk: Bool
    }

    private(set) var packets: [Packet] = []
    /// How long each packet is under way on the line, in seconds.
    var delay: TimeInterval = 0
    /// What becomes of a packet; nil swallows it.
    var change: (Packet) -> Data? = { $0.bytes }

    private var front: CBPeripheralManager!
    private let back: DeskCaller
    private let identifier: DeskIdentifier
    private let clock: AppClock
    private let exchange = CBMutableCharacteristic(
        type: LoginProfile.exchange,
        properties: [.notifyEncryptionRequired, .writeWithoutResponse],
        value: nil,
        permissions: .writeEncryptionRequired
    )
    private var toVictim: [Data] = [], toDesk: [Data] = []

    init(_ identifier: DeskIdentifier, nearVictim: Phone, nearDesk: Phone, clock: AppClock) {
        self.identifier = identifier
        self.clock = clock
        back = DeskCaller(on: nearDesk)
        super.init()
        front = nearVictim.addApp().run { CBPeripheralManager(delegate: self, queue: nil) }
        back.heard = { [unowned self] in forward($0, isForDesk: false) }
        back.ready = { [unowned self] in pump() }
    }

    var isThrough: Bool { back.isThrough }

    /// Says something of its own to the desk.
    func say(_ packet: Data) {
        toDesk.append(packet)
        pump()
    }

    private func pump() {
        while let packet = toVictim.first, front.updateValue(packet, for: exchange, onSubscribedCentrals: nil) {
            toVictim.removeFirst()
        }
        while let packet = toDesk.first, back.send(packet) { toDesk.removeFirst() }
    }

    private func forward(_ bytes: Data, isForDesk: Bool) {
        let packet = Packet(bytes: bytes, isForDesk: isForDesk)
        packets.append(packet)
        guard let bytes = change(packet) else { return }
        guard delay > 0 else { return arrive(bytes, isForDesk) }
        _ = clock.once(after: delay) { [weak self] in self?.arrive(bytes, isForDesk) }
    }

    private func arrive(_ bytes: Data, _ isForDesk: Bool) {
        if isForDesk { toDesk.append(bytes) } else { toVictim.append(bytes) }
        pump()
    }
}

extension Relay: CBPeripheralManagerDelegate {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        peripheral.publishDesk(identifier, exchange)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        for request in requests { if let value = request.value { forward(value, isForDesk: true) } }
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { pump() }
}
