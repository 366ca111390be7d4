import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones

/// A dialogue that the simulated phone shows to its person while it pairs. The test answers it: at once in
/// `CBMCentralManagerMock.simulatePairing`, or later, from any thread. One that is not answered ends with the pairing, 30
/// seconds after the last packet.
public final class CBMPairingDialogue: @unchecked Sendable {
    public enum Question: Hashable, Sendable {
        /// Whether to pair. `accept()` or `refuse()`.
        case consent
        /// Whether the peripheral shows these six digits, too. `accept()` or `refuse()`.
        case sameDigits(String)
        /// The six digits that the peripheral shows. `enter(passkey:)` or `refuse()`.
        case passkey
        /// Six digits to be typed into the other device. Nothing has to be answered.
        case shownDigits(String)
    }

    public let question: Question
    /// With whom the phone pairs; nil if it is none of the simulated peripherals.
    public let peripheral: CBMPeripheralSpec?
    private let dialogue: PairingDialogue
    private let home: MockHome

    init(_ dialogue: PairingDialogue, with peripheral: CBMPeripheralSpec?, in home: MockHome) {
        question =
            switch dialogue.kind {
            case .consent: .consent
            case .sameDigits(let digits): .sameDigits(digits.description)
            case .digits: .passkey
            case .shown(let digits): .shownDigits(digits.description)
            }
        self.peripheral = peripheral
        self.dialogue = dialogue
        self.home = home
    }

    /// Yes, pair; yes, the digits are the same. Without effect where digits are to be typed, and when the dialogue is over.
    public func accept() { answer { $0.accept() } }

    /// The person types six digits. Without effect where none are asked for, and when the dialogue is over.
    ///
    /// - Returns: false for what are not six digits: the phone has no such keys, and the dialogue stays.
    @discardableResult
    public func enter(passkey: String) -> Bool {
        guard let digits = Passkey(digits: passkey) else {
            MockLog.warn("a passkey has six digits, not \"\(passkey)\"")
            return false
        }
        answer { $0.enter(digits) }
        return true
    }

    /// No: the pairing ends, and what the app wanted fails.
    public func refuse() { answer { $0.refuse() } }

    private func answer(_ body: @escaping (PairingDialogue) -> Void) {
        home.soon { [self] _ in body(dialogue) }
    }
}
