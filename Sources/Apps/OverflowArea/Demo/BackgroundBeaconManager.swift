public import BluethroatAppEnvironment
public import CoreBluetooth
import Foundation

/// Sends a payload in the overflow area, in one position after the other, and finds those of other phones.
///
/// What is sent is complete while the app is in the background: on the screen the phone puts one of the services into the
/// advertisement itself, and its bit is missing.
public final class BackgroundBeaconManager: NSObject {
    /// Stands in front of each payload. Beacons with another one are not found.
    public var matchingByte: UInt8 = BeaconFrame.usualMatchingByte
    /// How long a payload stays in a position, in seconds. A change counts from the next start on.
    public var rotationPeriodSecs = 5.0
    public let peripheralManager: CBPeripheralManager
    // Accesses to what each change of the payload's place needs are checked in debug builds only.
    /// Receives a line for each thing that happens. If it is nil, no text is made.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    public var log: ((String) -> Void)?
    /// Something else is sent, or nothing any more.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    public var changed: () -> Void = {}

    /// What is being sent; nil if nothing is.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    public private(set) var frame: BeaconFrame?
    /// Where it is at the moment, counted from 0.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    public private(set) var position = 0
    /// What has been learnt of other phones' banks.
    public internal(set) var collisionAvoider: OverflowAreaCollisionAvoider

    private let clock: AppClock
    private var rotation: AppTimer?

    /// The manager calls on `queue`, nil being the main queue, and so does `clock`. `extent` says which bits of a bank have
    /// to be zero for it to be empty.
    public init(
        positions: BeaconFrame.Positions = .halves,
        extent: BankStatuses.Extent = .frame,
        queue: DispatchQueue? = nil,
        clock: AppClock
    ) {
        self.clock = clock
        collisionAvoider = OverflowAreaCollisionAvoider(positions: positions, extent: extent)
        peripheralManager = CBPeripheralManager(delegate: nil, queue: queue)
        super.init()
        peripheralManager.delegate = self
    }

    /// The mask that the phone is asked to send at the moment.
    public var mask: OverflowMask? { frame?.mask(at: position) }

    /// Begins to send a payload, in the first position, instead of what was sent before; as soon as Bluetooth is on. False
    /// if there is no room for so many bytes.
    @discardableResult
    public func startAdvertising(beaconBytes: [UInt8], rotate: Bool = true) -> Bool {
        let positions = collisionAvoider.positions
        guard let frame = BeaconFrame(beaconBytes, matchingByte: matchingByte, positions: positions) else {
            log?(
                matchingByte == 0
                    ? "cannot send: the matching byte must not be zero"
                    : "cannot send \(beaconBytes.count) bytes: there is room for \(positions.longestPayload)"
            )
            return false
        }
        if frame.disturbsWatches { log?(OverflowBit.watchWarning("choose positions that spare watches")) }
        stopTimer()
        self.frame = frame
        position = 0
        emit()
        if rotate {
            rotation = clock.each(rotationPeriodSecs) { [weak self] in
                guard let self else { return }
                position = (position + 1) % positions.count
                emit()
            }
        }
        return true
    }

    /// Sends nothing any more, and does not begin again by itself.
    public func stopAdvertising() {
        stopTimer()
        guard frame != nil else { return }
        frame = nil
        peripheralManager.stopIfOn()
        changed()
    }

    /// The payload that another phone sends, of so many bytes; nil if there is none, or none that can be believed. Learns
    /// from what the phone sends.
    public func extractBeaconBytes(
        peripheral: CBPeripheral,
        advertisementData: [String: Any],
        countToExtract: Int
    ) -> [UInt8]? {
        judge(advertisementData, of: peripheral.identifier, payloadSize: countToExtract)?.payload
    }

    /// The same, with the reason; nil if nothing is in the overflow area.
    func judge(_ data: [String: Any], of device: UUID, payloadSize: Int) -> BankStatuses.Judgement? {
        guard let mask = OverflowMask(advertisementData: data),
            (0...collisionAvoider.positions.longestPayload).contains(payloadSize)
        else { return nil }
        log?("searching for pattern match in overflow area advertisement \(mask.hexadecimal(.app))")
        let judgement = collisionAvoider.judge(
            mask.bytes(.app),
            matchingByte: matchingByte,
            payloadSize: payloadSize,
            of: device
        )
        switch judgement {
        case .unverified(let position): log?("position \(position) has not been seen empty yet; ignoring what is there")
        case .polluted(let position): log?("position \(position) is polluted by other bits; ignoring what is there")
        case .payload, .notFound: break
        }
        return judgement
    }

    private func emit() {
        guard let mask, peripheralManager.state == .poweredOn else { return }
        log?("emitting overflow area advertisement \(mask.hexadecimal(.app))")
        peripheralManager.stopAdvertising()
        peripheralManager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: mask.services])
        changed()
    }

    private func stopTimer() {
        rotation?.cancel()
        rotation = nil
    }
}

extension BackgroundBeaconManager: CBPeripheralManagerDelegate {
    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        if frame == nil { peripheral.stopIfOn() } else { emit() }
    }

    public func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        if let error { log?("the phone does not advertise: \(error.localizedDescription)") }
    }
}
