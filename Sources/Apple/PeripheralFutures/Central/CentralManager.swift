public import CoreBluetooth

/// Finds peripherals and connects to them, with streams for what happens again and again.
///
/// It may be used on any thread, from its own queue and from callbacks as well. CoreBluetooth calls it on its queue.
public final class CentralManager: NSObject, @unchecked Sendable {
    struct State {
        var manager: CBCentralManager?
        var changes = StateChanges()
        var scan: Scan?
        var scanCount = 0
        /// In the order in which they were discovered.
        var peripherals: [Peripheral] = []
        /// Those that still have to hear that their connection has ended.
        var leaving: [Peripheral] = []
        /// All peripherals that may need an event, whoever owns them.
        var objects: [WeakPeripheral] = []
        var restoration: Promise<Void>?
        /// What was restored before the app asked.
        var restored: Try<Void>?
        var resets = ResetPace()
    }

    /// A scan with a listener.
    struct Scan {
        let number: Int
        let promise: StreamPromise<Peripheral>
        var hasFound = false
    }

    struct WeakPeripheral {
        weak var object: Peripheral?
    }

    let queue: DispatchQueue
    let appContext: AppContext
    let details = Guarded(State())
    let loops = SharedLoops()
    let profileManager: ProfileManager?
    /// Those that CoreBluetooth's manager is made with, also when it is made again.
    public let options: [String: Any]?

    // MARK: Making one

    /// A manager on a queue of its own.
    public convenience override init() { self.init(profileManager: nil, options: nil) }

    /// A manager on a queue of its own, with options of CoreBluetooth's.
    ///
    /// - Parameter profileManager: what is known of services that peripherals may have.
    public convenience init(profileManager: ProfileManager? = nil, options: [String: Any]? = nil) {
        self.init(
            queue: DispatchQueue(label: "us.gnos.blueCap.central-manager.main", qos: .background),
            profileManager: profileManager,
            options: options
        )
    }

    /// A manager on a queue, with options of CoreBluetooth's.
    ///
    /// - Parameter profileManager: what is known of services that peripherals may have.
    public init(queue: DispatchQueue, profileManager: ProfileManager? = nil, options: [String: Any]? = nil) {
        self.queue = queue
        self.profileManager = profileManager
        self.options = options
        appContext = .current
        super.init()
        makeManager()
    }

    deinit { manager?.delegate = nil }

    private func makeManager() {
        let manager = appContext.makeCentralManager(self, on: queue, options)
        details.withLock { $0.manager = manager }
    }

    // MARK: State

    public var poweredOn: Bool { state == .poweredOn }

    /// Whether Bluetooth can be used.
    public var state: ManagerState { manager.map { ManagerState($0.state) } ?? .unknown }

    public var isScanning: Bool { manager?.isScanning ?? false }

    /// A stream of the present state and each change, until this is called again: there is one at a time.
    public func whenStateChanges() -> FutureStream<ManagerState> {
        details.withLock { $0.changes.newStream() }
    }

    /// Lets go of CoreBluetooth's manager and makes a new one, after this has returned. No peripheral is known then, and
    /// those that were connected are not any more.
    ///
    /// A manager that was made less than a tenth of a second ago is replaced when that time is over.
    public func reset() {
        guard let delay = details.withLock({ $0.resets.order(at: appContext.now) }) else { return }
        appContext.call(after: delay, on: queue) { [weak self] in self?.makeAnew() }
    }

    /// Forgets who waits for changes of state, for peripherals and for restoration, whose futures are never completed,
    /// and resets.
    public func invalidate() {
        details.withLock { state in
            state.changes.forgetListener()
            state.scan = nil
            state.restoration = nil
        }
        reset()
    }

    private func makeAnew() {
        let old = details.withLock { state in
            defer { state.manager = nil }
            state.resets.begin(at: appContext.now)
            return state.manager
        }
        old?.delegate = nil
        endEverything()
        forgetSystem()
        details.withLock { state in
            state.changes.beginAnew()
            state.peripherals = []
            state.objects = []
        }
        makeManager()
    }

    /// Scanning has ended and no peripheral is connected any more.
    func endEverything() {
        let (scan, peripherals) = details.withLock { state in
            defer {
                state.scan = nil
                state.leaving = []
            }
            return (state.scan, state.objects.compactMap(\.object))
        }
        scan?.promise.failure(CentralManagerError.isPoweredOff)
        for peripheral in peripherals { peripheral.connectionLost() }
    }

    /// The system has forgotten everything: its objects are no longer valid.
    func forgetSystem() {
        for peripheral in details.withLock({ $0.objects.compactMap(\.object) }) { peripheral.forgetSystem() }
    }

    // MARK: Within the library

    var manager: CBCentralManager? { details.withLock(\.manager) }

    /// Has something done on the manager's queue after so many seconds.
    func later(_ seconds: TimeInterval, _ action: @escaping () -> Void) {
        appContext.call(after: seconds, on: queue, action)
    }
}
