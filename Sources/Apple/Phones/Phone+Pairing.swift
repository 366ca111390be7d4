public import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatPhoneService
import BluethroatSimulation
public import Foundation

/// A dialogue that a phone shows to its person while it pairs. Nothing goes on until it is answered, or until the pairing
/// times out, 30 s after the last packet.
///
/// To be used on the thread that runs the phone's world.
public final class PairingDialogue {
    /// What is asked, or shown.
    public var kind: PairingQuestion.Kind { question.kind }
    /// The device that the phone pairs with: its identity if it is known, else its address on the air.
    public var peer: DeviceAddress { question.peer }
    private let question: PairingQuestion
    private weak var life: PhoneLife?

    init(_ question: PairingQuestion, on phone: Phone) {
        self.question = question
        life = phone.life
    }

    /// Yes, pair; yes, the digits are the same. False if the dialogue is over, or asks for something else.
    @discardableResult
    public func accept() -> Bool { answer(.agree) }

    /// The person types these digits. False if the dialogue is over, or asks for something else.
    @discardableResult
    public func enter(_ passkey: Passkey) -> Bool { answer(.passkey(passkey)) }

    /// No: the pairing ends. False if the dialogue is over.
    @discardableResult
    public func refuse() -> Bool { answer(.refuse) }

    private func answer(_ answer: PairingAnswer) -> Bool {
        guard let phone = life?.phone else { return false }
        var wasAsked = false
        phone.perform { service, host, now, actions in
            wasAsked = service.answer(answer, to: question, host: host, at: now, into: &actions)
        }
        return wasAsked
    }
}

extension Phone {
    func changeDialogues() {
        let isHeard = onPairingDialogue != nil
        perform { [unowned self] service, host, _, _ in
            guard isHeard else { return service.askAboutPairings(nil, host: host) }
            // Not from within the machines: an answer must find them done.
            service.askAboutPairings(
                { [life] question in
                    guard let world = life.phone?.world else { return }
                    world.schedule(at: world.now) { _ in
                        guard let phone = life.phone else { return }
                        phone.onPairingDialogue?(PairingDialogue(question, on: phone))
                    }
                },
                host: host
            )
        }
    }

    /// The phone's person has it forget a device: bond, and connection if there is one. False if there is no bond.
    @discardableResult
    public func forgetDevice(_ identifier: UUID) -> Bool {
        guard let address = address(of: identifier) else { return false }
        return forgetDevice(address)
    }

    /// The same, by the device's identity address.
    @discardableResult
    public func forgetDevice(_ address: DeviceAddress) -> Bool {
        var wasBonded = false
        perform { _, host, now, actions in
            wasBonded = host.bonds.contains { $0.peer == address }
            if wasBonded { try? host.removeBond(address, at: now, into: &actions) }
        }
        return wasBonded
    }

    /// Whether the phone has a bond with a device.
    public func isBonded(with address: DeviceAddress) -> Bool {
        world.perform(on: device) { host, _, _ in host.bonds.contains { $0.peer == address } } ?? false
    }
}
