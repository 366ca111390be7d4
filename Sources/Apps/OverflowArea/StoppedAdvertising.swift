import CoreBluetooth

extension CBPeripheralManager {
    /// Stops advertising if Bluetooth is on. Commands count for nothing while it is off, and what is advertised goes on
    /// afterwards: so this is called with each change of the state, too, while nothing is to be sent.
    func stopIfOn() { if state == .poweredOn { stopAdvertising() } }
}
