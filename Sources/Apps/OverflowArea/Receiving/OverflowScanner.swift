public import BluethroatAppEnvironment
public import CoreBluetooth
import Foundation

/// Scans for all services of the table, again and again, and has the screen lit in between.
///
/// Off the screen each phone is reported once for each scan; that is why scans are short.
public final class OverflowScanner: NSObject {
    /// What was heard of another phone.
    public struct Sighting {
        public let peripheral: CBPeripheral
        public let advertisementData: [String: Any]
        /// dBm; 127 if unknown.
        public let rssi: Int
    }

    public let cycle: ScanCycle
    public let centralManager: CBCentralManager
    /// What the screen is lit with.
    public var notification = AppSurroundings.Notification(title: "Advertiser active", category: "low-priority")
    public private(set) var isScanning = false
    /// How many notifications there were.
    public private(set) var notificationCount = 0
    /// Another phone was heard that has something in its overflow area.
    public var heard: (Sighting) -> Void = { _ in }
    /// A scan has begun or ended.
    public var changed: () -> Void = {}

    private let clock: AppClock
    private let surroundings: AppSurroundings
    private var isWanted = false
    private var next: AppTimer?
    /// When something was heard.
    private var lastHeard: TimeInterval?

    /// The manager calls on `queue`, nil being the main queue, and so does `clock`.
    public init(
        cycle: ScanCycle = .documented,
        queue: DispatchQueue? = nil,
        clock: AppClock,
        surroundings: AppSurroundings
    ) {
        self.cycle = cycle
        self.clock = clock
        self.surroundings = surroundings
        centralManager = CBCentralManager(delegate: nil, queue: queue)
        super.init()
        centralManager.delegate = self
    }

    /// Begins, as soon as Bluetooth is on. Beacons are ranged meanwhile, since otherwise the app would get no results
    /// off the screen.
    public func start() {
        guard !isWanted else { return }
        isWanted = true
        surroundings.rangeBeacons(true)
        scan()
    }

    /// Ends, at once.
    public func stop() {
        guard isWanted else { return }
        isWanted = false
        surroundings.rangeBeacons(false)
        halt()
    }

    private func scan() {
        guard isWanted, centralManager.state == .poweredOn, !isScanning else { return }
        isScanning = true
        centralManager.scanForPeripherals(
            withServices: OverflowBit.table,
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        )
        next = clock.once(after: cycle.scan) { [weak self] in self?.rest() }
        changed()
    }

    private func rest() {
        halt()
        if wantsLight {
            notificationCount += 1
            surroundings.notify(notification)
        }
        next = clock.once(after: cycle.pause) { [weak self] in self?.scan() }
    }

    private var wantsLight: Bool {
        switch cycle.lighting {
        case .never: false
        case .always: true
        case .whenQuiet(let seconds): lastHeard.map { clock.now - $0 > seconds } ?? true
        }
    }

    private func halt() {
        next?.cancel()
        next = nil
        guard isScanning else { return }
        isScanning = false
        if centralManager.state == .poweredOn { centralManager.stopScan() }
        changed()
    }
}

extension OverflowScanner: CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn {
            next?.cancel()
            scan()
        } else {
            halt()
        }
    }

    public func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard isScanning, advertisementData[CBAdvertisementDataOverflowServiceUUIDsKey] != nil else { return }
        lastHeard = clock.now
        heard(Sighting(peripheral: peripheral, advertisementData: advertisementData, rssi: RSSI.intValue))
    }
}
