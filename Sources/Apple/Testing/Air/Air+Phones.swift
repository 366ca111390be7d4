import BluethroatPhones
import BluethroatSimulation

/// What people and accidents do to phones.
extension Air {
    /// The user switches Bluetooth on or off.
    public func switchPower(_ isOn: Bool, of phone: Phone? = nil) {
        let phone = phone ?? self.phone
        log.note("Bluetooth of \(phone.name) is switched \(isOn ? "on" : "off")")
        phone.switchPower(isOn)
    }

    /// The controller of a phone fails: apps see that Bluetooth is resetting, and soon that it is on again.
    public func resetController(of phone: Phone? = nil) {
        let phone = phone ?? self.phone
        log.note("the controller of \(phone.name) fails")
        // HCI_Hardware_Error. Core 6.0, Vol 4, Part E, 7.7.16.
        world.receive(hci: [0x04, 0x10, 0x01, 0x00], for: phone.device)
    }
}
