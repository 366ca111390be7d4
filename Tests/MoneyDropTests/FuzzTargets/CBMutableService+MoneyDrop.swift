import CoreBluetooth
import Foundation

@testable import BluethroatMoneyDrop

extension CBMutableService {
    /// The service of a device that says it is a MoneyDrop.
    ///
    /// - Parameters:
    ///   - details: nil where the device is asked at each reading.
    ///   - others: characteristics besides those for details and messages.
    static func moneyDrop(
        details: Data? = nil,
        messages: CBCharacteristicProperties = .write,
        others: [CBMutableCharacteristic] = []
    ) -> CBMutableService {
        let service = CBMutableService(type: MoneyDropUUIDs.service, primary: true)
        service.characteristics =
            [
                CBMutableCharacteristic(
                    type: MoneyDropUUIDs.details,
                    properties: .read,
                    value: details,
                    permissions: .readable
                ),
                CBMutableCharacteristic(
                    type: MoneyDropUUIDs.message,
                    properties: messages,
                    value: nil,
                    permissions: .writeable
                ),
            ] + others
        return service
    }
}
