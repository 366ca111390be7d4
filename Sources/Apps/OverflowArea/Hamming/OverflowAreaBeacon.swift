public import BluethroatAppEnvironment
public import CoreBluetooth
public import Foundation

/// Hears of beacons that are near.
public protocol OverflowAreaBeaconDelegate: AnyObject {
    /// A beacon was heard.
    /// - Parameters:
    ///   - type: `OverflowArea`.
    ///   - rssi: dBm.
    ///   - distance: metres, from the signal and the power that all beacons of the region are taken to have.
    func didDetectBeacon(type: String, major: UInt16, minor: UInt16, rssi: Int, proximityUuid: UUID, distance: Double)
}

/// A beacon with two numbers, as an iBeacon has them, in the overflow area, that works in the background of every version
/// of iOS: a code word with `major` and `minor` as its payload, usually a `HammingFrame`. On the screen it is an iBeacon as well.
public final class OverflowAreaBeacon: NSObject {
    /// What keeps it from working.
    public enum ErrorCondition: String, Hashable, Sendable, CaseIterable {
        case bluetoothOff = "Bluetooth off"
        case locationOff = "Location disabled in settings"
        case locationNotAlways = "Location permission not set to always"
        case bluetoothDenied = "Bluetooth permission denied"
        case notificationsDenied = "Notification permission denied"
    }

    public private(set) var proximityUuid = UUID(uuidString: "2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6") ?? UUID()
    public private(set) var matchingByte = BeaconFrame.usualMatchingByte
    public private(set) var major: UInt16 = 1
    public private(set) var minor: UInt16
    /// What is received a metre away, in dBm.
    public private(set) var measuredPower = -59
    public let peripheralManager: CBPeripheralManager
    public let scanner: OverflowScanner
    /// Receives a line for each thing that happens. If it is nil, no text is made.
    public var log: ((String) -> Void)?
    /// Something about `state` is different.
    public var changed: () -> Void = {}

    private let clock: AppClock
    private let surroundings: AppSurroundings
    private let code: OverflowCode
    /// Sends the iBeacon; the system does so only while the app is on the screen.
    private let iBeaconManager: CBPeripheralManager
    private var iBeaconStart: AppTimer?
    private var isSending = false
    private weak var delegate: (any OverflowAreaBeaconDelegate)?
    private var neighbours: [OverflowNeighbour] = []

    /// - Parameters:
    ///   - minor: the phone's own number among those of its major one; it is usual to draw it from 1 to 9999.
    ///   - start: where the Hamming code word begins.
    ///   - queue: where the managers call, nil being the main queue, and the clock as well.
    public convenience init(
        minor: UInt16,
        start: Int = HammingFrame.usualStart,
        cycle: ScanCycle = .halfMinute,
        queue: DispatchQueue? = nil,
        clock: AppClock,
        surroundings: AppSurroundings
    ) {
        self.init(
            minor: minor,
            code: .hamming(start: start),
            cycle: cycle,
            queue: queue,
            clock: clock,
            surroundings: surroundings
        )
    }

    /// - Parameters:
    ///   - minor: the phone's own number among those of its major one; it is usual to draw it from 1 to 9999.
    ///   - code: which code word both sides use.
    ///   - queue: where the managers call, nil being the main queue, and the clock as well.
    public init(
        minor: UInt16,
        code: OverflowCode,
        cycle: ScanCycle = .halfMinute,
        queue: DispatchQueue? = nil,
        clock: AppClock,
        surroundings: AppSurroundings
    ) {
        self.minor = minor
        self.code = code
        self.clock = clock
        self.surroundings = surroundings
        peripheralManager = CBPeripheralManager(delegate: nil, queue: queue)
        iBeaconManager = CBPeripheralManager(delegate: nil, queue: queue)
        scanner = OverflowScanner(cycle: cycle, queue: queue, clock: clock, surroundings: surroundings)
        super.init()
        peripheralManager.delegate = self
        iBeaconManager.delegate = self
        scanner.notification = AppSurroundings.Notification(title: "Scanning OverflowArea beacons")
        scanner.heard = { [weak self] in self?.heard($0) }
        scanner.changed = { [weak self] in self?.changed() }
    }

    /// Says who the beacon is. What is being sent changes at once.
    public func configure(
        iBeaconUuid: UUID,
        overflowMatchingByte: UInt8,
        major: UInt16,
        minor: UInt16,
        measuredPower: Int
    ) {
        proximityUuid = iBeaconUuid
        matchingByte = overflowMatchingByte
        self.major = major
        self.minor = minor
        self.measuredPower = measuredPower
        if isSending { emit() }
    }

    /// Begins to send. False if something stands against it; see `errorCondition`.
    public func startTx() -> Bool {
        guard errorCondition == nil else { return false }
        isSending = true
        emit()
        return true
    }

    /// Ends that. False if nothing was sent.
    @discardableResult
    public func stopTx() -> Bool {
        guard isSending else { return false }
        isSending = false
        iBeaconStart?.cancel()
        peripheralManager.stopIfOn()
        iBeaconManager.stopIfOn()
        changed()
        return true
    }

    /// Begins to look for beacons. False if something stands against it; see `errorCondition`.
    public func startScanning(delegate: any OverflowAreaBeaconDelegate) -> Bool {
        guard errorCondition == nil else { return false }
        self.delegate = delegate
        scanner.start()
        return true
    }

    public func stopScanning() {
        delegate = nil
        scanner.stop()
    }

    /// What stands against it at the moment; nil if nothing is known to.
    public var errorCondition: ErrorCondition? {
        let permissions = surroundings.permissions
        return switch peripheralManager.state {
        case .unauthorized: .bluetoothDenied
        case .poweredOn where !permissions.contains(.location): .locationOff
        case .poweredOn where !permissions.contains(.locationAlways): .locationNotAlways
        case .poweredOn where !permissions.contains(.notifications): .notificationsDenied
        case .poweredOn: nil
        default: .bluetoothOff
        }
    }

    /// What its screen shows.
    public var screen: [String] {
        let rows = neighbours.compactMap { neighbour in
            neighbour.payload.flatMap(BeaconNumbers.init).map {
                "major: \($0.major), minor:\($0.minor), rssi: \(neighbour.rssi) (OverflowArea)"
            }
        }
        return [
            "This device major: \(major) minor: \(minor)",
            "Error condition: \(errorCondition?.rawValue ?? "None known")",
            "I detect \(rows.count) beacons",
        ] + rows
    }

    public var state: OverflowState {
        OverflowState(
            sent: isSending ? mask : nil,
            isScanning: scanner.isScanning,
            notificationCount: scanner.notificationCount,
            neighbours: neighbours
        )
    }

    private var mask: OverflowMask? {
        code.mask(of: BeaconNumbers(major: major, minor: minor).bytes, matchingByte: matchingByte)
    }

    private func emit() {
        guard isSending, peripheralManager.state == .poweredOn, let mask else { return }
        if mask.contains(.watchSetup) { log?(OverflowBit.watchWarning("choose a start that spares watches")) }
        log?("emitting overflow area advertisement \(mask.hexadecimal(.app))")
        peripheralManager.stopAdvertising()
        peripheralManager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: mask.services])
        iBeaconStart?.cancel()
        iBeaconStart = clock.once(after: 0.1) { [weak self] in self?.emitIBeacon() }
        changed()
    }

    private func emitIBeacon() {
        guard iBeaconManager.state == .poweredOn else { return }
        iBeaconManager.stopAdvertising()
        iBeaconManager.startAdvertising([Self.iBeaconKey: iBeacon])
    }

    /// As Core Location passes it: UUID, both numbers, power.
    private var iBeacon: Data {
        let uuid = withUnsafeBytes(of: proximityUuid.uuid) { Array($0) }
        let numbers = BeaconNumbers(major: major, minor: minor)
        return Data(uuid + numbers.bytes + [UInt8(bitPattern: Int8(clamping: measuredPower))])
    }

    /// It is in no header of CoreBluetooth.
    private static let iBeaconKey = "kCBAdvDataAppleBeaconKey"

    private func heard(_ sighting: OverflowScanner.Sighting) {
        guard let mask = OverflowMask(advertisementData: sighting.advertisementData) else { return }
        let peer = sighting.peripheral.identifier
        let reading = code.read(mask, matchingByte: matchingByte)
        neighbours.note(peer, mask, rssi: sighting.rssi, at: clock.now) { neighbour in
            neighbour.evidence.note(mask, reading)
            if let reading {
                neighbour.believe(reading.payload, at: nil)
            } else {
                (neighbour.verdict, neighbour.position) = (.notFound, nil)
            }
        }
        if let payload = reading?.payload, let numbers = BeaconNumbers(payload) {
            log?("I just read beacon bytes: \(payload)")
            delegate?.didDetectBeacon(
                type: "OverflowArea",
                major: numbers.major,
                minor: numbers.minor,
                rssi: sighting.rssi,
                proximityUuid: proximityUuid,
                distance: pow(10, Double(measuredPower - sighting.rssi) / 20)
            )
        }
        changed()
    }
}

extension OverflowAreaBeacon: CBPeripheralManagerDelegate {
    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard isSending else { return peripheral.stopIfOn() }
        if peripheral === peripheralManager { emit() }
    }
}
