import BluethroatPeripheralFutures
import Foundation
import Testing

@Suite("What errors of the central side say")
struct CentralErrorTests {
    @Test("Each has the text that code written for the API may know")
    func texts() {
        let texts: [(any Error, String)] = [
            (CentralManagerError.isScanning, "CentralManager is scanning."),
            (CentralManagerError.isPoweredOff, "CentralManager is powered off."),
            (CentralManagerError.restoreFailed, "CentralManager state resoration failed."),
            (CentralManagerError.serviceScanTimeout, "Service scan timeout."),
            (CentralManagerError.invalidPeripheral, "A CBPeripheral was discovered with conflictig UUID."),
            (PeripheralError.disconnected, "Peripheral disconnected."),
            (PeripheralError.forcedDisconnect, "Peripheral disconnect called."),
            (PeripheralError.connectionTimeout, "Peripheral connection timeout."),
            (PeripheralError.serviceDiscoveryTimeout, "Service discovery timeout."),
            (ServiceError.characteristicDiscoveryTimeout, "Characteristic discovery timeout."),
            (ServiceError.unconfigured, "Service has no associated Peripheral."),
            (CharacteristicError.readTimeout, "Characteristic read timeout."),
            (CharacteristicError.writeTimeout, "Characteristic write timeout."),
            (CharacteristicError.notSerializable, "Characteristic string value is not serailizable."),
            (CharacteristicError.readNotSupported, "Characteristic read property not enabled."),
            (CharacteristicError.writeNotSupported, "Characteristic write property not enabled."),
            (CharacteristicError.notifyNotSupported, "Characteristic notify property not enabled."),
            (CharacteristicError.unconfigured, "Characteristic needs to be added to a PeripheralManager."),
        ]
        for (error, text) in texts { #expect(error.localizedDescription == text) }
    }
}
