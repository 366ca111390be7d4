import CoreBluetooth
import Foundation

/// What the app sends, one item after the other: an item for which there is no room stays in front until the manager
/// says that there is again.
final class TransmitQueue {
    private struct Item {
        let value: Data
        let characteristic: CBMutableCharacteristic
        var isDelayed = false
    }

    /// Items that the manager took.
    private(set) var sentCount = 0
    /// Items that had to wait for room, each counted once.
    private(set) var delayedCount = 0
    private var items: [Item] = []
    private var isWaiting = false

    /// Sends a value when everything before it is sent.
    func send(_ value: [UInt8], _ characteristic: CBMutableCharacteristic, by manager: CBPeripheralManager) {
        items.append(Item(value: Data(value), characteristic: characteristic))
        if !isWaiting { sendItems(by: manager) }
    }

    /// There is room again.
    func isReady(_ manager: CBPeripheralManager) {
        isWaiting = false
        sendItems(by: manager)
    }

    private func sendItems(by manager: CBPeripheralManager) {
        var count = 0
        while count < items.count {
            let item = items[count]
            guard manager.updateValue(item.value, for: item.characteristic, onSubscribedCentrals: nil) else {
                if !item.isDelayed { delayedCount += 1 }
                items[count].isDelayed = true
                isWaiting = true
                break
            }
            count += 1
        }
        sentCount += count
        items.removeFirst(count)
    }
}
