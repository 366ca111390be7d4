import CoreBluetooth

/// Finds a heart rate sensor, stays with it, and tells what it sends.
///
/// A sensor that is lost is waited for; the connection comes back by itself. Everything is called on the main queue.
public final class HeartRateMonitor: NSObject {
    public enum State: Equatable, Sendable {
        /// Bluetooth is switched off, not allowed, or not there.
        case unavailable(CBManagerState)
        case searching
        case connecting(name: String)
        case connected(name: String)
        /// The sensor was there and is out of reach.
        case lost(name: String)
    }

    public private(set) var state = State.unavailable(.unknown) {
        didSet { if state != oldValue { onStateChange?(state) } }
    }
    public private(set) var latest: HeartRateMeasurement?
    /// How many measurements made no sense.
    public private(set) var malformedCount = 0

    public var onStateChange: ((State) -> Void)?
    public var onMeasurement: ((HeartRateMeasurement) -> Void)?

    private static let service = CBUUID(string: "180D")
    private static let measurement = CBUUID(string: "2A37")

    private var manager: CBCentralManager!
    private var sensor: CBPeripheral?

    public override init() {
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    private var name: String { sensor?.name ?? "sensor" }

    private func search() {
        if let sensor {
            state = .lost(name: name)
            manager.connect(sensor)
        } else {
            state = .searching
            manager.scanForPeripherals(withServices: [Self.service])
        }
    }
}

extension HeartRateMonitor: CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        // Below off, what was found is not valid any more, and has to be found again.
        if central.state.rawValue < CBManagerState.poweredOff.rawValue { sensor = nil }
        if central.state == .poweredOn { search() } else { state = .unavailable(central.state) }
    }

    public func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard sensor == nil else { return }
        sensor = peripheral
        peripheral.delegate = self
        central.stopScan()
        state = .connecting(name: name)
        central.connect(peripheral)
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        state = .connected(name: name)
        peripheral.discoverServices([Self.service])
    }

    public func centralManager(
        _ central: CBCentralManager,
        didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) { search() }

    public func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) { search() }
}

extension HeartRateMonitor: CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] where service.uuid == Self.service {
            peripheral.discoverCharacteristics([Self.measurement], for: service)
        }
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        for characteristic in service.characteristics ?? [] where characteristic.uuid == Self.measurement {
            peripheral.setNotifyValue(true, for: characteristic)
        }
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        guard characteristic.uuid == Self.measurement, let value = characteristic.value else { return }
        guard let measurement = HeartRateMeasurement(value) else {
            malformedCount += 1
            return
        }
        latest = measurement
        onMeasurement?(measurement)
    }

    public func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        peripheral.discoverServices([Self.service])
    }
}
