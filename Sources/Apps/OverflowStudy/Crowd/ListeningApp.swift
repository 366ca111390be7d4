import BluethroatOverflowArea
import CoreBluetooth
import Foundation

/// The app on a scanner's screen: it looks for all services of the table, and believes payloads by the pollution rule, or those
/// of code words.
final class ListeningApp: NSObject, CBCentralManagerDelegate {
    private let payloadSize: Int
    private let code: OverflowCode?
    /// What was in each phone's area last: a code word stays, and is read once.
    private var last: [UUID: OverflowMask] = [:]
    private let got: (_ payload: [UInt8]) -> Void
    // Each access is checked in debug builds only.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    private var avoider = OverflowAreaCollisionAvoider()
    private var manager: CBCentralManager?

    init(payloadSize: Int, code: OverflowCode?, got: @escaping (_ payload: [UInt8]) -> Void) {
        self.payloadSize = payloadSize
        self.code = code
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
        if let code { return hear(advertisementData, from: peripheral.identifier, code) }
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

    private func hear(_ advertisementData: [String: Any], from phone: UUID, _ code: OverflowCode) {
        guard let mask = OverflowMask(advertisementData: advertisementData), last[phone] != mask else { return }
        last[phone] = mask
        if let reading = code.read(mask) { got(reading.payload) }
    }
}
