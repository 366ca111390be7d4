import BluethroatHost
import BluethroatPhones

extension PairingSettings {
    /// How the host of a simulated peripheral pairs.
    init(_ pairing: CBMPairing) {
        switch pairing {
        case .justWorks: self.init(PeripheralPairing.justWorks)
        case .showsPasskey(let digits):
            if let passkey = Passkey(digits: digits) {
                self.init(PeripheralPairing.showsDigits(passkey))
            } else {
                MockLog.warn("a passkey has six digits, not \"\(digits)\": the peripheral refuses to pair")
                self.init(PeripheralPairing.refused)
            }
        case .comparesDigits: self.init(PeripheralPairing.comparesDigits)
        case .refused: self.init(PeripheralPairing.refused)
        }
    }
}
