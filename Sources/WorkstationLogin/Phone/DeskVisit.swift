import AppTime
import CoreBluetooth
import Foundation

/// One desk that the phone talks to.
final class DeskVisit {
    let identifier: DeskIdentifier
    let peripheral: CBPeripheral
    var pipe: FramedPipe?
    var handshake: PhoneHandshake
    var channel: SealedChannel?
    /// The key that the desk has shown.
    var deskKey: Data?
    /// The digits that its monitor has to show, where they are asked for.
    var code: String?
    var demandsCode = false
    var codeTries = 0
    var user = ""
    var attempts = 0
    var isEnding = false
    var nearness: Nearness?
    var alarm: AppTimer?
    var pulse: AppTimer?

    var isAgreed: Bool { channel != nil && peripheral.state == .connected }

    init(_ identifier: DeskIdentifier, _ peripheral: CBPeripheral, handshake: PhoneHandshake) {
        self.identifier = identifier
        self.peripheral = peripheral
        self.handshake = handshake
    }

    func send(_ message: SealedMessage) {
        guard let sealed = channel?.seal(message) else { return }
        pipe?.send(sealed)
    }

    func close() {
        alarm?.cancel()
        pulse?.cancel()
        pipe?.close()
        pipe = nil
        channel = nil
    }
}
