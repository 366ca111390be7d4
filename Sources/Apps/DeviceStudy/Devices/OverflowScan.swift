import BluethroatOverflowArea
import CoreBluetooth

/// An app on a screen that looks for all services of the overflow area.
final class OverflowScan: NSObject, CBCentralManagerDelegate {
    private var manager: CBCentralManager?

    override init() {
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return }
        central.scanForPeripherals(
            withServices: OverflowBit.table,
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        )
    }
}
