public import CoreBluetooth

/// A peripheral that was discovered, retrieved or restored.
///
/// It may be used on any thread. `CentralManager` keeps it; without a manager, its user has to.
public final class Peripheral: NSObject, @unchecked Sendable {
    enum Status {
        case idle
        case connecting
        case connected
    }

    /// Why a connection ends, or an attempt to connect.
    enum Ending {
        /// Not wanted on this side.
        case byPeer
        case forced
        case timedOut
    }

    struct State {
        /// What the system knows it as.
        var cbPeripheral: CBPeripheral
        /// The system does not know it as that any more.
        var isForgotten = false
        var status = Status.idle
        /// The connection, or the attempt, was taken back, and CoreBluetooth has not said yet that it is gone.
        var isEnding = false
        var ending = Ending.byPeer
        var connection: StreamPromise<Void>?
        /// The promise for a disconnection that was under way when another caller wanted a connection.
        var endingConnection: StreamPromise<Void>?
        /// It is to be connected as soon as that is possible.
        var isWanted = false
        var connectionTimeout = TimeInterval.infinity
        var retries = ConnectionRetries()
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

    let details: Guarded<State>
    let loops = SharedLoops()
    let queue: DispatchQueue
    let appContext: AppContext
    let profileManager: ProfileManager?
    weak var centralManager: CentralManager?

    public let identifier: UUID

    /// When it was first heard of.
    public let discoveredAt: Date

    init(
        _ peripheral: CBPeripheral,
        of manager: CentralManager,
        advertisements: [String: Any],
        strength: Int
    ) {
        identifier = peripheral.identifier
        centralManager = manager
        queue = manager.queue
        appContext = manager.appContext
        profileManager = manager.profileManager
        discoveredAt = manager.appContext.now
        details = Guarded(
            State(
                cbPeripheral: peripheral,
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

    /// What the system knows it as.
    var cbPeripheral: CBPeripheral { details.withLock(\.cbPeripheral) }

    /// Whether the system has forgotten it, as it does when the controller fails.
    var isForgotten: Bool { details.withLock(\.isForgotten) }

    func forgetSystem() { details.withLock { $0.isForgotten = true } }

    /// The system knows it as another object.
    func adopt(_ peripheral: CBPeripheral) {
        let old = details.withLock { state in
            defer {
                state.cbPeripheral = peripheral
                state.isForgotten = false
            }
            return state.cbPeripheral
        }
        if old !== peripheral, old.delegate === self { old.delegate = nil }
        peripheral.delegate = self
    }

    var isConnected: Bool { details.withLock { $0.status == .connected } }

    /// Has something done on the manager's queue after so many seconds.
    func later(_ seconds: TimeInterval, _ action: @escaping () -> Void) {
        appContext.call(after: seconds, on: queue, action)
    }
}
