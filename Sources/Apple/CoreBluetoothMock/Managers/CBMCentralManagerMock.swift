public import CoreBluetooth

/// A manager on a simulated phone. Its peripherals are devices on the phone's air, and what it does passes over that air.
///
/// Static methods concern the simulation of the current task: in a test with an air, that of the air's phone, and elsewhere
/// that of the process, in real time.
open class CBMCentralManagerMock: CBMCentralManager, @unchecked Sendable {
    private struct State {
        /// What the app was told last; nil before its first call.
        var told: CBMManagerState?
        var isOver = false
        /// The number of the last wish that this manager has seen the phone fulfil.
        var seenWish = 0
        /// What the app has asked while the phone was on its way to on.
        var early: [(CBCentralManager) -> Void] = []
        /// Whether it has asked for a scan meanwhile.
        var scansEarly = false
        /// The scan that is restored when the phone is on.
        var restoredScan: ((CBCentralManager) -> Void)?
    }

    let simulation: MockSimulation
    let queue: DispatchQueue
    private let contents = Locked(State())
    private let bridge = Locked<MockCentralBridge?>(nil)

    /// A manager without a delegate, on the main queue.
    public init() {
        simulation = .current
        queue = .main
        super.init(true)
        begin(nil, nil)
    }

    /// A manager whose delegate is called on a queue; nil means the main queue.
    public init(delegate: (any CBMCentralManagerDelegate)?, queue: DispatchQueue?) {
        simulation = .current
        self.queue = queue ?? .main
        super.init(true)
        self.delegate = delegate
        begin(queue, nil)
    }

    /// A manager whose delegate is called on a queue; nil means the main queue. With a restore identifier it is asked of
    /// `simulateStateRestoration` what there is to restore.
    public init(delegate: (any CBMCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]?) {
        simulation = .current
        self.queue = queue ?? .main
        super.init(true)
        self.delegate = delegate
        begin(queue, options)
    }

    private func begin(_ queue: DispatchQueue?, _ options: [String: Any]?) {
        simulation.begin()
        simulation.add(self)
        let bridge = MockCentralBridge(self)
        self.bridge.set(bridge)
        var own = options ?? [:]
        let identifier = own.removeValue(forKey: CBMCentralManagerOptionRestoreIdentifierKey) as? String
        let manager = CBCentralManager(
            delegate: bridge,
            queue: queue,
            options: own,
            environment: simulation.home.environment
        )
        bridge.begin(manager)
        // Of an app that has not been answered yet the phone tells nothing.
        if simulation.authorization == .notDetermined { tellOfState() }
        if let identifier, let state = simulation.restoration?(identifier) { restore(state) }
    }

    // MARK: The simulation

    /// Removes all peripherals. Managers that there are have the state `unknown` from now on, of which they tell, and no effect.
    /// The simulation is as at the beginning, with Bluetooth off.
    public static func tearDownSimulation() { MockSimulation.current.tearDown() }

    /// What the app's person lets it do with Bluetooth; everything, until this is called.
    public static func simulateAuthorization(_ authorization: CBMManagerAuthorization) {
        MockSimulation.current.authorize(authorization)
    }

    /// By how much the signal strengths vary that apps are told. The numbers follow from the seed of the air.
    public static func simulateRSSIDeviation(_ deviation: CBMProximity.Deviation) {
        MockSimulation.current.setDeviation(deviation)
    }

    /// Says what a manager with a restore identifier finds: under the keys of CoreBluetooth, peripherals as specifications or
    /// as objects of another manager.
    public static var simulateStateRestoration: ((_ identifierKey: String) -> [String: Any]?)? {
        get { MockSimulation.current.restoration }
        set { MockSimulation.current.restoration = newValue }
    }

    /// Answers `supports(_:)`; without it nothing is supported.
    public static var simulateFeaturesSupport: ((_ features: CBMCentralManager.Feature) -> Bool)? {
        get { MockSimulation.current.support }
        set { MockSimulation.current.support = newValue }
    }

    /// Answers each dialogue that the phone shows while it pairs. Nil has its person agree to every pairing that needs no digits or
    /// the same digits on both sides, and refuse those for which digits have to be typed. Not in the original.
    public static var simulatePairing: ((_ dialogue: CBMPairingDialogue) -> Void)? {
        get { MockSimulation.current.pairing }
        set { MockSimulation.current.pairing = newValue }
    }

    /// What Bluetooth is like when the first manager is made; off, unless this is called. Where there is a manager already,
    /// Bluetooth changes to it.
    public static func simulateInitialState(_ state: CBMManagerState) { MockSimulation.current.setState(state) }

    /// Puts these peripherals on the air, and takes all others off. One that is there already stays as it is.
    public static func simulatePeripherals(_ peripherals: [CBMPeripheralSpec]) {
        MockSimulation.current.simulate(peripherals)
    }

    /// The phone's person switches Bluetooth on.
    public static func simulatePowerOn() { MockSimulation.current.setState(.poweredOn) }

    /// The phone's person switches Bluetooth off.
    public static func simulatePowerOff() { MockSimulation.current.setState(.poweredOff) }

    /// How many seconds pass in the simulation of the process in one of real time; 1 unless it is set to another value above 0.
    /// It stays when the simulation is torn down.
    ///
    /// What an app waits for comes sooner with it: connections, supervision timeouts, what its device does later. What tests
    /// and apps measure by the wall clock does not: timers, sleeps, expectations that must not be fulfilled. Time in a test
    /// with an air or a simulation of its own passes as its test lets it, and this has no effect there.
    public static var simulationSpeed: Double {
        get { MockSimulation.current.speed }
        set { MockSimulation.current.setSpeed(newValue) }
    }

    // MARK: What an app asks

    open override var state: CBMManagerState {
        let (told, isOver) = contents.withLock { ($0.told, $0.isOver) }
        // Unknown until the first call of the delegate.
        return isOver || told == nil ? .unknown : saidState
    }

    open override var isScanning: Bool {
        get {
            if contents.withLock({ $0.scansEarly || $0.restoredScan != nil }) { return true }
            return isPoweredOn && manager?.isScanning ?? false
        }
        set {}
    }

    open override var authorization: CBMManagerAuthorization { simulation.authorization }

    open override class var authorization: CBMManagerAuthorization { MockSimulation.current.authorization }

    open override class func supports(_ features: CBMCentralManager.Feature) -> Bool {
        MockSimulation.current.support?(features) ?? features.isEmpty
    }

    open override func scanForPeripherals(withServices serviceUUIDs: [CBMUUID]?, options: [String: Any]? = nil) {
        order { manager, isEarly in
            if isEarly { manager.setScansEarly(true) }
            return { $0.scanForPeripherals(withServices: serviceUUIDs, options: options) }
        }
    }

    open override func stopScan() {
        contents.withLock { $0.restoredScan = nil }
        order { manager, _ in
            manager.setScansEarly(false)
            return { $0.stopScan() }
        }
    }

    open override func connect(_ peripheral: any CBMPeripheral, options: [String: Any]? = nil) {
        switch peripheral {
        case let preview as CBMPeripheralPreview:
            preview.state = .connected
            delegate?.centralManager(self, didConnect: preview)
        default:
            guard let peripheral = inner(peripheral) else { return }
            order { _, _ in { $0.connect(peripheral, options: options) } }
        }
    }

    open override func cancelPeripheralConnection(_ peripheral: any CBMPeripheral) {
        switch peripheral {
        case let preview as CBMPeripheralPreview:
            preview.state = .disconnected
            bridge.current?.tellOfDisconnection(preview, CFAbsoluteTimeGetCurrent(), isReconnecting: false, nil)
        default:
            (peripheral as? CBMPeripheralMock)?.takeRestored()
            guard let peripheral = inner(peripheral) else { return }
            order { _, _ in { $0.cancelPeripheralConnection(peripheral) } }
        }
    }

    open override func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [any CBMPeripheral] {
        let previews = simulation.previews.filter { identifiers.contains($0.identifier) }
        guard previews.isEmpty, let bridge = bridge.current, isPoweredOn else { return previews }
        let known = bridge.allObjects
        return identifiers.compactMap { identifier in
            let object = known.last { $0.identifier == identifier }
            guard let device = simulation.devices.first(where: { $0.identifier == identifier }) else {
                return object
                    ?? phoneManager?.retrievePeripherals(withIdentifiers: [identifier]).first.map(bridge.object)
            }
            // An object that the app has may be of a device that was taken off the air, and put there anew.
            guard object != nil || simulation.state(of: device.spec).isKnown else { return nil }
            return self.object(for: device) ?? object
        }
    }

    open override func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBMUUID]) -> [any CBMPeripheral] {
        let previews = simulation.previews.filter { preview in
            preview.services?.contains { serviceUUIDs.contains($0.uuid) } ?? false
        }
        guard previews.isEmpty, let bridge = bridge.current, isPoweredOn else { return previews }
        let there = phoneManager?.retrieveConnectedPeripherals(withServices: serviceUUIDs).map(bridge.object) ?? []
        // Those of other apps are there at once; packets follow.
        let coming = simulation.devices.filter { device in
            simulation.awaitsConnection(device.spec) && !there.contains { $0.identifier == device.identifier }
                && simulation.state(of: device.spec).services?.contains { serviceUUIDs.contains($0.uuid) } == true
        }
        return (there + coming.compactMap(object)).filter { object in
            let isGone = (object as? CBMPeripheralMock)?.bridge.device.map { !simulation.isConnected($0.spec) } ?? false
            // Where this manager is connected itself, it has to have found one of the services, as in the original.
            return !isGone
                && (object.state != .connected || object.services?.contains { serviceUUIDs.contains($0.uuid) } ?? false)
        }
    }

    open override func registerForConnectionEvents(options: [CBMConnectionEventMatchingOption: Any]? = nil) {
        order { _, _ in { $0.registerForConnectionEvents(options: options) } }
    }

    // MARK: Within the module

    /// CoreBluetooth's own for one of a manager. It refuses those of other managers, and reports them to the developer.
    private func inner(_ peripheral: any CBMPeripheral) -> CBPeripheral? {
        (peripheral as? CBMPeripheralMock)?.bridge.peripheral ?? (peripheral as? CBMPeripheralNative)?.bridge.peripheral
    }

    /// Nil once the simulation was torn down, and where nothing is to be asked of the phone.
    private var manager: CBCentralManager? {
        contents.withLock(\.isOver) || simulation.reportedState != nil ? nil : bridge.current?.central
    }

    private var isPoweredOn: Bool { state == .poweredOn }

    /// Whether Bluetooth was on, and is not to be any more.
    var saysOff: Bool { contents.withLock { $0.told != nil } && !isPoweredOn }

    /// A property may have changed.
    func lookAtProperties() { observers.look() }

    private var isAuthorized: Bool { simulation.authorization == .allowedAlways }

    private var phoneState: CBMManagerState {
        if let reported = simulation.reportedState { return reported }
        guard isAuthorized else { return .unauthorized }
        return bridge.current?.central.flatMap { CBMManagerState(rawValue: $0.state.rawValue) } ?? .unknown
    }

    /// The same where it takes commands already, or says that its state is none in which it does.
    private var phoneManager: CBCentralManager? {
        guard let manager, manager.state == .poweredOn else { return nil }
        return manager
    }

    /// What the manager says: what is wanted of the phone, until the phone is so.
    private var saidState: CBMManagerState {
        let state = phoneState, wish = simulation.wish
        // Of that the person who has the phone decides, at once; the phone follows.
        if state == .unauthorized { return isAuthorized ? wish.state : state }
        return contents.withLock { contents in
            if state == wish.state { contents.seenWish = wish.number }
            return contents.seenWish < wish.number ? wish.state : state
        }
    }

    /// Another state is wanted: what the app has ordered ends with Bluetooth, and observers see it.
    func stateWasSaid() {
        if saysOff { dropEarly() }
        lookAtProperties()
        for object in mocks { object.lookAtProperties() }
    }

    /// The app's objects for simulated peripherals.
    private var mocks: [CBMPeripheralMock] {
        (bridge.current?.allObjects ?? []).compactMap { $0 as? CBMPeripheralMock }
    }

    private func setScansEarly(_ isOn: Bool) { contents.withLock { $0.scansEarly = isOn } }

    /// Does something as soon as the phone is on.
    func orderWhenOn(_ action: @escaping (CBCentralManager) -> Void) { contents.withLock { $0.early.append(action) } }

    /// Scans as soon as the phone is on, unless the app stops that before.
    func scanWhenOn(_ action: @escaping (CBCentralManager) -> Void) { contents.withLock { $0.restoredScan = action } }

    /// What was to be done when the phone is on is not.
    private func dropEarly() {
        _ = takeEarly()
        for object in mocks { object.takeRestored() }
    }

    private func takeEarly() -> [(CBCentralManager) -> Void] {
        contents.withLock { contents in
            defer {
                contents.early = []
                contents.scansEarly = false
                contents.restoredScan = nil
            }
            return contents.early + (contents.restoredScan.map { [$0] } ?? [])
        }
    }

    /// Does what an app asks for: now, or when the phone is on if that is under way. On the way to off there is nothing
    /// that takes it, and this is reported to the developer.
    private func order(_ make: (CBMCentralManagerMock, _ isEarly: Bool) -> (CBCentralManager) -> Void) {
        guard let manager else {
            bridge.current?.central?.noteNotPoweredOn()
            return
        }
        switch (isPoweredOn, manager.state == .poweredOn) {
        case (true, false):
            orderWhenOn(make(self, true))
            lookAtProperties()
        case (false, true) where contents.withLock({ $0.told != nil }): manager.noteNotPoweredOn()
        default:
            make(self, false)(manager)
            lookAtProperties()
        }
    }

    /// The app's object for a device, whether the phone has met it or not.
    func object(for device: MockDevice) -> (any CBMPeripheral)? {
        guard let manager, let bridge = bridge.current, let peer = simulation.peer(of: device) else { return nil }
        manager.remember(peer, name: nil)
        return bridge.object(for: manager.remembered(peer))
    }

    /// Tells the app of the state, if it is another than the last one; called where the app wants to be called.
    func tellState() {
        let state = phoneState
        let isSettled = simulation.isSettled(in: state)
        let isNew = contents.withLock { contents in
            guard !contents.isOver, contents.told != state, contents.told != nil || isSettled else { return false }
            contents.told = state
            return true
        }
        if state == .poweredOn, let manager, manager.state == .poweredOn {
            for action in takeEarly() { action(manager) }
        } else if saysOff {
            dropEarly()
        }
        lookAtProperties()
        if isNew { delegate?.centralManagerDidUpdateState(self) }
    }

    /// The same from anywhere, a little later.
    func tellOfState() { call { $0.tellState() } }

    /// The simulation was torn down.
    func end() {
        contents.withLock { $0.isOver = true }
        let bridge = bridge.current
        self.bridge.set(nil)
        bridge?.central?.delegate = nil
        _ = takeEarly()
        lookAtProperties()
        call { $0.delegate?.centralManagerDidUpdateState($0) }
    }

    /// Does something where the app wants to be called.
    func call(after seconds: TimeInterval = 0, _ action: @escaping (CBMCentralManagerMock) -> Void) {
        let action = Unchecked(value: action)
        simulation.home.environment.call(after: seconds, on: queue) { [weak self] in
            if let self { action.value(self) }
        }
    }
}
