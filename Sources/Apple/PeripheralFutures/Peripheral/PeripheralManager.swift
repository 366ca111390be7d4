public import CoreBluetooth

/// Publishes services and advertises them, with futures for what takes time.
///
/// It may be used on any thread, from its own queue and from callbacks as well. `CoreBluetooth` calls it on its queue.
public final class PeripheralManager: NSObject, @unchecked Sendable {
    struct State {
        var manager: CBPeripheralManager?
        var changes = StateChanges()
        /// In the order in which they were added.
        var services: [MutableService] = []
        var additions: [Addition] = []
        /// What was withdrawn while Bluetooth was off, and is published still.
        var withdrawn: [CBMutableService] = []
        /// In the order in which they were asked for.
        var starts: [Start] = []
        var stop: Promise<Void>?
        var restoration: Promise<PeripheralAdvertisements>?
        /// What was restored before the app asked.
        var restored: Try<PeripheralAdvertisements>?
        var batches: [WriteBatch] = []
        var resets = ResetPace()
    }

    /// A service that CoreBluetooth has not said anything about yet.
    struct Addition {
        let service: MutableService
        let promise: Promise<Void>
    }

    let queue: DispatchQueue
    let appContext: AppContext
    let details = Guarded(State())
    private let options: [String: Any]?

    // MARK: Making one

    /// A manager on a queue of its own.
    public convenience override init() { self.init(options: nil) }

    /// A manager on a queue of its own, with options of CoreBluetooth's.
    public convenience init(options: [String: Any]? = nil) {
        self.init(
            queue: DispatchQueue(label: "com.gnos.us.peripheral-manger.main", qos: .background),
            options: options
        )
    }

    /// A manager on a queue, with options of CoreBluetooth's.
    public init(queue: DispatchQueue, options: [String: Any]? = nil) {
        self.queue = queue
        self.options = options
        appContext = .current
        super.init()
        makeManager()
    }

    private func makeManager() {
        let manager = appContext.makePeripheralManager(self, on: queue, options)
        details.withLock { $0.manager = manager }
    }

    // MARK: State

    public var isAdvertising: Bool { manager?.isAdvertising ?? false }

    public var poweredOn: Bool { state == .poweredOn }

    /// Whether Bluetooth can be used.
    public var state: ManagerState { manager.map { ManagerState($0.state) } ?? .unknown }

    /// A stream of the present state and each change, until this is called again: there is one at a time.
    public func whenStateChanges() -> FutureStream<ManagerState> {
        details.withLock { $0.changes.newStream() }
    }

    /// Lets go of CoreBluetooth's manager and makes a new one, after this has returned. What was published and advertised
    /// is gone and has to be ordered again; services stay listed, and promises stay open until CoreBluetooth says
    /// something about what was ordered again.
    ///
    /// A manager that was made less than a tenth of a second ago is replaced when that time is over.
    public func reset() {
        guard let delay = details.withLock({ $0.resets.order(at: appContext.now) }) else { return }
        appContext.call(after: delay, on: queue) { [weak self] in self?.makeAnew() }
    }

    /// Forgets who waits for advertising, for changes of state and for restoration, whose futures are never completed,
    /// and resets.
    public func invalidate() {
        details.withLock { state in
            state.starts = []
            state.changes.forgetListener()
            state.restoration = nil
        }
        reset()
    }

    private func makeAnew() {
        let old = details.withLock { state in
            defer { state.manager = nil }
            state.resets.begin(at: appContext.now)
            state.changes.beginAnew()
            return state.manager
        }
        old?.delegate = nil
        forgetSystem()
        // It ends here, and with it what it had published.
        withExtendedLifetime(old) {}
        makeManager()
    }

    /// The system has forgotten everything.
    func forgetSystem() {
        let services = details.withLock { state in
            for index in state.starts.indices { state.starts[index].isOrdered = false }
            state.batches = []
            state.withdrawn = []
            return state.services
        }
        for service in services { service.forgetCentrals() }
    }

    // MARK: Within the library

    var manager: CBPeripheralManager? { details.withLock(\.manager) }

    /// Nil if orders are taken.
    var refusal: PeripheralManagerNotPoweredOn? {
        let state = state
        return state == .poweredOn ? nil : PeripheralManagerNotPoweredOn(state: state)
    }
}
