public import CoreBluetooth

/// A peripheral that was discovered, retrieved or restored.
///
/// It may be used on any thread. `CentralManager` keeps it; without that, whoever uses it has to.
public final class Peripheral: NSObject, @unchecked Sendable {
    enum Status {
        case idle
        case connecting
        case connected
    }

    /// Why a connection ends, or an attempt to connect.
    enum Ending {
        /// Nobody here wants it.
        case byPeer
        case forced
        case timedOut
    }

    struct State {
        var status = Status.idle
        var ending = Ending.byPeer
        var connection: StreamPromise<Void>?
        var connectionTimeout = TimeInterval.infinity
        /// Changes with each attempt, and with each order to disconnect, so that timers know whom they are for.
        var attempt = 0
        var advertisements: PeripheralAdvertisements
        var strength: Int
        var statistics: PeripheralStatistics
        var services: [Service] = []
        /// Those that CoreBluetooth still knows, listed or not.
        var knownServices: [Service] = []
        var discovery: Promise<Void>?
        var discoveryCount = 0
        var strengthReading: Promise<Int>?
        var polling: StreamPromise<Int>?
        var pollingCount = 0
        /// Writes without response for which there was no room yet.
        var unsent: [(CBCharacteristic, Data)] = []
    }

    let cbPeripheral: CBPeripheral
    let details: Guarded<State>
    let queue: DispatchQueue
    let surroundings: Surroundings
    let profileManager: ProfileManager?
    weak var centralManager: CentralManager?

    /// When it was first heard of.
    public let discoveredAt: Date

    init(
        _ peripheral: CBPeripheral,
        of manager: CentralManager,
        advertisements: [String: Any],
        strength: Int
    ) {
        cbPeripheral = peripheral
        centralManager = manager
        queue = manager.queue
        surroundings = manager.surroundings
        profileManager = manager.profileManager
        discoveredAt = manager.surroundings.now
        details = Guarded(
            State(
                advertisements: PeripheralAdvertisements(advertisements: advertisements),
                strength: strength,
                statistics: PeripheralStatistics()
            )
        )
        super.init()
        peripheral.delegate = self
    }

    deinit { if cbPeripheral.delegate === self { cbPeripheral.delegate = nil } }

    // MARK: Who it is

    public var identifier: UUID { cbPeripheral.identifier }

    /// "Unknown" if it has none.
    public var name: String { cbPeripheral.name ?? "Unknown" }

    public var state: CBPeripheralState { cbPeripheral.state }

    /// What it has advertised, as it was heard last.
    public var advertisements: PeripheralAdvertisements { details.withLock(\.advertisements) }

    /// The signal strength that was heard or read last, in dBm.
    public var RSSI: Int { details.withLock(\.strength) }

    /// It was heard again.
    func heard(strength: Int, _ advertisements: [String: Any]) {
        details.withLock { state in
            state.strength = strength
            state.advertisements = PeripheralAdvertisements(advertisements: advertisements)
        }
    }

    // MARK: Within the library

    var isConnected: Bool { details.withLock { $0.status == .connected } }

    /// Has something done on the manager's queue after so many seconds.
    func later(_ seconds: TimeInterval, _ action: @escaping () -> Void) {
        surroundings.call(after: seconds, on: queue, action)
    }
}
