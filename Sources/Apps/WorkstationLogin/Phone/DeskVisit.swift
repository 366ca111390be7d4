import BluethroatAppEnvironment
import CoreBluetooth
import Foundation

/// One desk that the phone talks to: the link, and the conversation over it.
final class DeskVisit {
    let identifier: DeskIdentifier
    let peripheral: CBPeripheral
    var pipe: FramedPipe?
    var conversation: PhoneConversation
    /// How many connections were tried.
    var attempts = 0
    var nearness: Nearness?
    /// How strong the link was each time that was asked before anything was sent, in dBm; as weak as can be where nothing was told.
    var strengths: [Int] = []
    /// Whether the session is locked because its person has walked away; not if a person has locked it.
    var isLockedByAbsence = false
    var alarm: AppTimer?
    /// Rings when there is no link in time.
    var linkAlarm: AppTimer?
    var pulse: AppTimer?

    init(_ identifier: DeskIdentifier, _ peripheral: CBPeripheral, _ conversation: PhoneConversation) {
        self.identifier = identifier
        self.peripheral = peripheral
        self.conversation = conversation
    }

    /// Whether credentials may be sent over the link that is there.
    var isTrusted: Bool { conversation.phase == .trusted && peripheral.state == .connected }

    /// Sends what the conversation gives, if it gives something.
    func send(_ bytes: Data?) { if let bytes { pipe?.send(bytes) } }

    func close() {
        alarm?.cancel()
        linkAlarm?.cancel()
        pulse?.cancel()
        pipe?.close()
        pipe = nil
    }
}
