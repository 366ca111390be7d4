import CoreBluetooth
import Foundation

@testable import BluethroatWorkstationLogin

extension CBPeripheralManager {
    /// Shows and advertises what a desk does, with an exchange of the caller's.
    func publishDesk(_ identifier: DeskIdentifier, _ exchange: CBMutableCharacteristic) {
        let identity = CBMutableCharacteristic(
            type: LoginProfile.identity,
            properties: .read,
            value: Data([LoginProfile.version]) + Data(identifier.digits.utf8),
            permissions: .readable
        )
        let service = CBMutableService(type: LoginProfile.service, primary: true)
        service.characteristics = [identity, exchange]
        add(service)
        startAdvertising([
            CBAdvertisementDataServiceUUIDsKey: [LoginProfile.service],
            CBAdvertisementDataLocalNameKey: identifier.advertisedName,
        ])
    }
}
