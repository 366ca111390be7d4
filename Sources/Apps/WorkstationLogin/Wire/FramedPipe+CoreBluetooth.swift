import CoreBluetooth
import Foundation

// How packets of the framed mode leave, from either end of a connection.
extension FramedPipe.Outlet {
    /// By writes without response, while there is room for them.
    init(writingTo peripheral: CBPeripheral, _ characteristic: CBCharacteristic) {
        self.init { [weak peripheral] in
            peripheral?.maximumWriteValueLength(for: .withoutResponse) ?? 20
        } send: { [weak peripheral] packet in
            guard let peripheral, peripheral.canSendWriteWithoutResponse else { return false }
            peripheral.writeValue(packet, for: characteristic, type: .withoutResponse)
            return true
        }
    }

    /// By notifications of one central among all that have subscribed.
    init(notifying central: CBCentral, of characteristic: CBMutableCharacteristic, by manager: CBPeripheralManager) {
        self.init {
            central.maximumUpdateValueLength
        } send: { [weak manager] packet in
            manager?.updateValue(packet, for: characteristic, onSubscribedCentrals: [central]) ?? false
        }
    }
}
