public import BluethroatAppEnvironment
public import CoreBluetooth
import Foundation

/// Advertises every UUID there is, one each second, beginning with zero, so that a listener can find out which bit of
/// the overflow area is whose. It does so only while its app is in the background, for on the screen the services would
/// stand in the advertisement itself.
///
/// Nothing else is sent meanwhile, and nothing is looked for.
public final class SequentialAdvertiser: NSObject {
    public let peripheralManager: CBPeripheralManager
    /// What is to be sent next.
    public private(set) var next: ServiceCounter
    /// What is being sent; nil if nothing is.
    public private(set) var current: CBUUID?
    /// Receives a line for each thing that happens. If it is nil, no text is made.
    public var log: ((String) -> Void)?
    /// Something else is sent.
    public var changed: () -> Void = {}

    private let clock: AppClock
    private let surroundings: AppSurroundings
    private var loop: AppTimer?

    /// The manager calls on `queue`, nil being the main queue, and so does `clock`.
    public init(
        from first: ServiceCounter = ServiceCounter(),
        queue: DispatchQueue? = nil,
        clock: AppClock,
        surroundings: AppSurroundings
    ) {
        next = first
        self.clock = clock
        self.surroundings = surroundings
        peripheralManager = CBPeripheralManager(delegate: nil, queue: queue)
        super.init()
        peripheralManager.delegate = self
    }

    /// Begins; from then on there is a step each second in which the app is in the background and Bluetooth is on.
    public func start() {
        guard loop == nil else { return }
        surroundings.rangeBeacons(true)
        loop = clock.each(1) { [weak self] in self?.step() }
    }

    public func stop() {
        loop?.cancel()
        loop = nil
        surroundings.rangeBeacons(false)
        guard current != nil else { return }
        current = nil
        peripheralManager.stopIfOn()
        changed()
    }

    public var state: OverflowState {
        OverflowState(sent: current.map { OverflowMask(services: [$0]) })
    }

    private func step() {
        guard peripheralManager.state == .poweredOn, surroundings.isInBackground else { return }
        let service = next.service
        log?("Advertising \(service.uuidString)")
        peripheralManager.stopAdvertising()
        peripheralManager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [service]])
        current = service
        next.advance()
        changed()
    }
}

extension SequentialAdvertiser: CBPeripheralManagerDelegate {
    /// Each step looks at the state anew.
    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        if current == nil { peripheral.stopIfOn() }
    }
}
