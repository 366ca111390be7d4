import BluethroatOverflowArea
import CoreBluetooth

/// The app on a scanner's screen: it looks for all services of the table, and believes payloads by the pollution rule.
final class ListeningApp: NSObject, CBCentralManagerDelegate {
    private let payloadSize: Int
    private let got: (_ payload: [UInt8]) -> Void
    private var avoider = OverflowAreaCollisionAvoider()
    private var manager: CBCentralManager?

    init(payloadSize: Int, got: @escaping (_ payload: [UInt8]) -> Void) {
        self.payloadSize = payloadSize
        self.got = got
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

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard let bytes = OverflowAreaUtils.extractOverflowAreaBytes(advertisementData: advertisementData) else {
            return
        }
        let payload = avoider.extractPayload(
            overflowAreaBytes: bytes,
            payloadSize: payloadSize,
            deviceId: peripheral.identifier
        )
        if let payload { got(payload) }
    }
}
