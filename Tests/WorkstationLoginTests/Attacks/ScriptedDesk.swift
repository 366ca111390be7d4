import BluethroatAppEnvironment
import BluethroatPhones
import BluethroatSimulation
import CoreBluetooth
import Crypto
import Foundation

@testable import BluethroatWorkstationLogin

/// A peripheral that says it is a desk, agrees on keys of its own as a desk would, and then says what it likes.
final class ScriptedDesk: NSObject {
    /// What the phone has said, in the clear and sealed for this device.
    private(set) var heard: [LoginMessage] = []
    private(set) var opened: [SealedMessage] = []
    /// Called when the agreement is there, with this device's proof sent.
    var agreed: () -> Void = {}
    /// Called for each sealed message that opens.
    var said: (SealedMessage) -> Void = { _ in }
    private(set) var code: String?
    /// Whether it breaks off as soon as it knows the digits.
    var breaksOff = false
    /// How many phones listen.
    private(set) var subscribers = 0

    private let identifier: DeskIdentifier
    private let clock: AppClock
    private let key = DeskKey(random: .seeded(666))
    private let isEncrypted: Bool
    private var manager: CBPeripheralManager!
    private var pipe: FramedPipe?
    private var handshake: DeskHandshake?
    private var channel: SealedChannel?
    private let exchange: CBMutableCharacteristic

    /// - Parameter isEncrypted: whether it demands an encrypted link, as a desk does.
    init(_ identifier: DeskIdentifier, on phone: Phone, in world: World, isEncrypted: Bool = true) {
        self.identifier = identifier
        self.isEncrypted = isEncrypted
        clock = .of(world)
        exchange = CBMutableCharacteristic(
            type: LoginProfile.exchange,
            properties: [isEncrypted ? .notifyEncryptionRequired : .notify, .writeWithoutResponse],
            value: nil,
            permissions: isEncrypted ? .writeEncryptionRequired : .writeable
        )
        super.init()
        manager = phone.addApp().run { CBPeripheralManager(delegate: self, queue: nil) }
    }

    func say(_ message: SealedMessage) {
        guard var channel else { return }
        let sealed = channel.seal(message)
        self.channel = channel
        pipe?.send(sealed)
    }

    /// Any bytes as a message.
    func say(bytes: Data) { pipe?.send(bytes) }

    /// A packet as it is, of whatever protocol.
    func say(packet: Data) { _ = manager.updateValue(packet, for: exchange, onSubscribedCentrals: nil) }

    private func hear(_ bytes: Data) {
        guard let message = LoginMessage(bytes) else { return }
        heard.append(message)
        switch message {
        case .hello(let hello):
            let handshake = DeskHandshake(hello, deskKey: key, demandsCode: false, random: .seeded(5))
            self.handshake = handshake
            pipe?.send(handshake.offer)
        case .reveal(let key, let nonce):
            guard let (channel, code, proof) = try? handshake?.conclude(ephemeralKey: key, nonce: nonce) else { return }
            (self.channel, self.code) = (channel, code)
            guard !breaksOff else { return say(bytes: LoginMessage.refusal(.otherDesk).bytes) }
            pipe?.send(LoginMessage.proof(proof).bytes)
            agreed()
        case .sealed(let box):
            guard var channel, let message = try? channel.open(box) else { return }
            self.channel = channel
            opened.append(message)
            said(message)
        default: break
        }
    }
}

extension ScriptedDesk: CBPeripheralManagerDelegate {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        peripheral.publishDesk(identifier, exchange)
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        subscribers += 1
        let outlet = FramedPipe.Outlet(notifying: central, of: exchange, by: manager)
        pipe = FramedPipe(outlet, maximumLength: 10_000, clock: clock, random: .seeded(6))
        pipe?.received = { [unowned self] in hear($0) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) { subscribers -= 1 }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        for request in requests { if let value = request.value { pipe?.receive(value) } }
    }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { pipe?.isReady() }
}
