public import BluethroatAppEnvironment
public import CoreBluetooth
public import Foundation

/// The demonstration: an app that sends a payload in its phone's overflow area and reads those of other phones, while it
/// is in the background.
public final class OverflowDemo {
    /// A payload of another phone.
    public struct Reading: Hashable, Sendable {
        /// What the system calls the phone.
        public let peer: UUID
        public let payload: [UInt8]
        /// Seconds of the app's clock.
        public let time: TimeInterval
    }

    public static let usualPayload: [UInt8] = [1, 2, 3, 4]

    public let payload: [UInt8]
    public let beacon: BackgroundBeaconManager
    public let scanner: OverflowScanner
    /// Receives a line for each thing that happens. If it is nil, no text is made.
    public var log: ((String) -> Void)? {
        get { beacon.log }
        set { beacon.log = newValue }
    }
    /// A payload was read.
    public var read: (Reading) -> Void = { _ in }
    /// Something about `state` is different.
    public var changed: () -> Void = {}

    private let clock: AppClock
    private var neighbours: [OverflowNeighbour] = []

    /// Payloads of other phones are taken to be as long as this one's. `extent` says which bits of a bank have to be zero
    /// for it to be empty. The managers call on `queue`, nil being the main queue, and so does `clock`.
    public init(
        payload: [UInt8] = OverflowDemo.usualPayload,
        matchingByte: UInt8 = BeaconFrame.usualMatchingByte,
        positions: BeaconFrame.Positions = .halves,
        extent: BankStatuses.Extent = .frame,
        cycle: ScanCycle = .documented,
        queue: DispatchQueue? = nil,
        clock: AppClock,
        surroundings: AppSurroundings
    ) {
        self.payload = payload
        self.clock = clock
        beacon = BackgroundBeaconManager(positions: positions, extent: extent, queue: queue, clock: clock)
        beacon.matchingByte = matchingByte
        scanner = OverflowScanner(cycle: cycle, queue: queue, clock: clock, surroundings: surroundings)
        beacon.changed = { [weak self] in self?.changed() }
        scanner.changed = { [weak self] in self?.changed() }
        scanner.heard = { [weak self] in self?.heard($0) }
    }

    /// Begins to send and to listen. False if the payload is too long.
    @discardableResult
    public func start() -> Bool {
        guard beacon.startAdvertising(beaconBytes: payload) else { return false }
        scanner.start()
        return true
    }

    public func stop() {
        beacon.stopAdvertising()
        scanner.stop()
    }

    public var state: OverflowState {
        OverflowState(
            sent: beacon.mask,
            position: beacon.frame == nil ? nil : beacon.position,
            isScanning: scanner.isScanning,
            notificationCount: scanner.notificationCount,
            neighbours: neighbours
        )
    }

    private func heard(_ sighting: OverflowScanner.Sighting) {
        let peer = sighting.peripheral.identifier
        guard let mask = OverflowMask(advertisementData: sighting.advertisementData),
            let judgement = beacon.judge(sighting.advertisementData, of: peer, payloadSize: payload.count)
        else { return }
        let forgotten = neighbours.note(peer, mask, rssi: sighting.rssi, at: clock.now) { neighbour in
            neighbour.statuses = beacon.collisionAvoider.known[peer]?.statuses ?? []
            let reading = PayloadReading(
                inBanksOf: mask,
                positions: beacon.collisionAvoider.positions,
                matchingByte: beacon.matchingByte,
                payloadSize: payload.count
            )
            neighbour.evidence.note(mask, reading)
            neighbour.take(judgement)
        }
        if let forgotten { beacon.collisionAvoider.forget(forgotten) }
        if let payload = judgement.payload {
            log?("I just read beacon bytes: \(payload)")
            read(Reading(peer: peer, payload: payload, time: clock.now))
        }
        changed()
    }
}

extension OverflowNeighbour {
    fileprivate mutating func take(_ judgement: BankStatuses.Judgement) {
        switch judgement {
        case .payload(let bytes, let position): believe(bytes, at: position)
        case .notFound: (verdict, position) = (.notFound, nil)
        case .unverified(let place): (verdict, position) = (.unverified, place)
        case .polluted(let place): (verdict, position) = (.polluted, place)
        }
    }
}
