import BluethroatBluetoothValues
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth

/// The simulated peripherals around one app of one phone, and that app's managers.
///
/// Static calls of `CBMCentralManagerMock` and calls of specifications go to the simulation of the current task: that of the
/// phone in virtual time whose environment the task has, which a test's air binds. Elsewhere there is one for the process,
/// in real time.
final class MockSimulation: @unchecked Sendable {
    private struct State {
        var records: [ObjectIdentifier: Record] = [:]
        /// Those that are on the air, in the order in which they came.
        var devices: [MockDevice] = []
        /// By the identifiers under which CoreBluetooth knows them.
        var devicesByPeer: [UUID: MockDevice] = [:]
        var managers: [Weak<CBMCentralManagerMock>] = []
        var previews: [CBMPeripheralPreview] = []
        var wantedState = CBMManagerState.poweredOff
        var speed = 1.0
        /// What managers say instead of what the phone says.
        var reportedState: CBMManagerState?
        var hasBegun = false
        /// How often a state of Bluetooth was wanted.
        var changeCount = 0
        /// Whether the phone has not been seen yet in the state that is wanted.
        var isOnTheWay = false
        var deviation = CBMProximity.Deviation.default.decibels
        var strengths: SeededRandom
        var restoration: ((String) -> [String: Any]?)?
        var support: ((CBMCentralManager.Feature) -> Bool)?
        var pairing: ((CBMPairingDialogue) -> Void)?
        var peripheralManagers: [Weak<CBPeripheralManager>] = []
        var centrals: [SimulatedCentral] = []
        var otherApp = Weak<OtherApp>()
    }

    private struct Record {
        let spec: CBMPeripheralSpec
        var state: CBMPeripheralSpec.State
    }

    let home: MockHome
    private let contents: Locked<State>

    private init(_ home: MockHome) {
        self.home = home
        let seed = home.enter(\.world.seed) ?? 0
        contents = Locked(State(strengths: SeededRandom(seed: seed, purpose: "told signal strengths")))
    }

    // MARK: Which one

    /// That of the current task, or else that of the process.
    static var current: MockSimulation { ofTask ?? ofProcess }

    /// The same, if there is one: only asking for it makes none for the process.
    static var existing: MockSimulation? { ofTask ?? (hasProcessOne.current ? ofProcess : nil) }

    private static var ofTask: MockSimulation? {
        guard let environment = BluetoothEnvironment.current, let home = MockHome(environment) else { return nil }
        return environment.extensionStorage { MockSimulation(home) }
    }

    private static let hasProcessOne = Locked(false)
    private static let ofProcess: MockSimulation = {
        hasProcessOne.set(true)
        return MockSimulation(MockHome(seed: 1))
    }()

    // MARK: What is known

    func state(of spec: CBMPeripheralSpec) -> CBMPeripheralSpec.State {
        contents.withLock { $0.records[ObjectIdentifier(spec)]?.state } ?? spec.beginning
    }

    func change(_ spec: CBMPeripheralSpec, _ body: (inout CBMPeripheralSpec.State) -> Void) {
        contents.withLock { contents in
            var record = contents.records[ObjectIdentifier(spec)] ?? Record(spec: spec, state: spec.beginning)
            body(&record.state)
            contents.records[ObjectIdentifier(spec)] = record
        }
    }

    /// The device with the present address; nil if the specification is not simulated.
    func device(of spec: CBMPeripheralSpec) -> MockDevice? {
        contents.withLock { $0.devices.last { $0.spec === spec } }
    }

    /// All devices of it: one whose address was changed while it was connected is there until it is not.
    func devices(of spec: CBMPeripheralSpec) -> [MockDevice] {
        contents.withLock { $0.devices.filter { $0.spec === spec } }
    }

    var devices: [MockDevice] { contents.withLock(\.devices) }

    func device(peer: UUID) -> MockDevice? { contents.withLock { $0.devicesByPeer[peer] } }

    /// Under which identifier CoreBluetooth knows a device.
    func peer(of device: MockDevice) -> UUID? {
        contents.withLock { $0.devicesByPeer.first { $0.value === device }?.key }
    }

    /// As was said last, or else as it is on the air.
    func isConnected(_ spec: CBMPeripheralSpec) -> Bool {
        state(of: spec).saidConnected ?? isReallyConnected(spec)
    }

    func isReallyConnected(_ spec: CBMPeripheralSpec) -> Bool {
        devices(of: spec).contains { $0.status.withLock { $0.connectionCount > 0 } }
    }

    /// Other apps are to connect to it, and have not yet.
    func awaitsConnection(_ spec: CBMPeripheralSpec) -> Bool {
        state(of: spec).saidConnected == true && !isReallyConnected(spec)
    }

    /// What is simulated ends every connection; packets follow.
    func sayDisconnected(_ spec: CBMPeripheralSpec) {
        let isReal = isReallyConnected(spec)
        change(spec) { $0.saidConnected = isReal ? false : nil }
    }

    func keep(_ device: MockDevice, peer: UUID) {
        contents.withLock { contents in
            contents.devices.append(device)
            contents.devicesByPeer[peer] = device
        }
    }

    func drop(_ device: MockDevice) { contents.withLock { $0.devices.removeAll { $0 === device } } }

    // MARK: Managers

    func add(_ manager: CBMCentralManagerMock) {
        contents.withLock { contents in
            contents.managers.removeAll { $0.object == nil }
            contents.managers.append(Weak(object: manager))
        }
    }

    var managers: [CBMCentralManagerMock] { contents.withLock { $0.managers.compactMap(\.object) } }

    /// The first manager comes: the phone is as the test wanted it to be at the beginning.
    func begin() {
        let isFirst = contents.withLock { contents in
            defer { contents.hasBegun = true }
            return !contents.hasBegun
        }
        guard isFirst else { return }
        apply(wantedState)
        connectInitially(devices)
    }

    /// Whether there has been a manager.
    var hasBegun: Bool { contents.withLock(\.hasBegun) }

    // MARK: Bluetooth

    /// What Bluetooth is to be like.
    var wantedState: CBMManagerState { contents.withLock(\.wantedState) }

    /// The same, and how often one was wanted: a manager that has not seen the phone in it yet says it all the same.
    var wish: (state: CBMManagerState, number: Int) { contents.withLock { ($0.wantedState, $0.changeCount) } }

    /// What managers say instead of what the phone says; nil if they say that.
    var reportedState: CBMManagerState? { contents.withLock(\.reportedState) }

    func setState(_ state: CBMManagerState) {
        contents.withLock { contents in
            contents.wantedState = state
            contents.changeCount += 1
        }
        if hasBegun { apply(state) }
        for manager in managers { manager.stateWasSaid() }
        guard state != .poweredOn else { return }
        for device in devices { endWithBluetooth(device.spec) }
    }

    /// The phone is in this state from now on. In those that a phone does not keep by itself its radio is off, and managers
    /// say what is wanted.
    private func apply(_ state: CBMManagerState) {
        let old = contents.withLock { contents in
            contents.isOnTheWay = true
            defer {
                switch state {
                case .poweredOn, .poweredOff: contents.reportedState = nil
                case .unauthorized, .unknown, .resetting, .unsupported: contents.reportedState = state
                }
            }
            return contents.reportedState
        }
        home.soon { $0.switchPower(state == .poweredOn) }
        // Of the others, and from them to off, the phone does not tell.
        guard reportedState != nil || state == .poweredOff && old != nil else { return }
        for manager in managers { manager.tellOfState() }
    }

    /// Whether a manager can begin with this state. On the way to the one that is wanted the phone may pass others.
    func isSettled(in state: CBMManagerState) -> Bool {
        contents.withLock { contents in
            if state == contents.wantedState { contents.isOnTheWay = false }
            return !contents.isOnTheWay || state == .unauthorized
        }
    }

    func authorize(_ authorization: CBMManagerAuthorization) {
        guard let value = Authorization(rawValue: authorization.rawValue) else { return }
        let app = home.app
        _ = home.enter { phone in phone.apps.first { $0.id == app }?.authorization = value }
        for manager in managers {
            manager.stateWasSaid()
            manager.tellOfState()
        }
    }

    var authorization: CBMManagerAuthorization {
        CBMManagerAuthorization(rawValue: home.environment.port.authorization.rawValue) ?? .allowedAlways
    }

    // MARK: Time

    var speed: Double { contents.withLock(\.speed) }

    /// Where this is not a speed, it stays as it was, and the log says so.
    func setSpeed(_ speed: Double) {
        guard speed > 0, speed.isFinite else {
            return MockLog.warn("simulationSpeed is a number above 0, not \(speed)")
        }
        contents.withLock { $0.speed = speed }
        home.setSpeed(speed)
    }

    // MARK: What is told

    func setDeviation(_ deviation: CBMProximity.Deviation) { contents.withLock { $0.deviation = deviation.decibels } }

    /// A signal strength with its deviation.
    func told(_ strength: Int) -> Int {
        contents.withLock { contents in
            guard contents.deviation > 0 else { return strength }
            let width = UInt64(2 * contents.deviation + 1)
            return strength + Int(contents.strengths.next(below: width)) - contents.deviation
        }
    }

    var restoration: ((String) -> [String: Any]?)? {
        get { contents.withLock(\.restoration) }
        set { contents.withLock { $0.restoration = newValue } }
    }

    var support: ((CBMCentralManager.Feature) -> Bool)? {
        get { contents.withLock(\.support) }
        set { contents.withLock { $0.support = newValue } }
    }

    /// Answers what the phone asks while it pairs.
    var pairing: ((CBMPairingDialogue) -> Void)? {
        get { contents.withLock(\.pairing) }
        set {
            contents.withLock { $0.pairing = newValue }
            showDialogues(to: newValue)
        }
    }

    private func showDialogues(to answer: ((CBMPairingDialogue) -> Void)?) {
        home.soon { [weak self] phone in
            guard let answer else { return phone.onPairingDialogue = nil }
            phone.onPairingDialogue = { [weak self] dialogue in
                guard let self else { return }
                let device = devices.first { $0.address == dialogue.peer }
                let shown = CBMPairingDialogue(dialogue, with: device?.spec, in: home)
                home.call { answer(shown) }
            }
        }
    }

    func add(_ preview: CBMPeripheralPreview) { contents.withLock { $0.previews.append(preview) } }

    var previews: [CBMPeripheralPreview] { contents.withLock(\.previews) }

    // MARK: Other apps

    /// The app that connects where a test wants that another one does; made when it is first needed.
    var otherApp: OtherApp? {
        if let known = contents.withLock(\.otherApp.object) { return known }
        let new = home.addApp(named: "another app", launch: OtherApp.init)
        contents.withLock { $0.otherApp = Weak(object: new) }
        return new
    }

    // MARK: The peripheral role

    /// A peripheral manager of the app is made.
    func add(_ manager: CBPeripheralManager) {
        contents.withLock { contents in
            contents.peripheralManagers.removeAll { $0.object == nil }
            contents.peripheralManagers.append(Weak(object: manager))
        }
    }

    private func withdraw(_ manager: CBPeripheralManager) {
        manager.delegate = nil
        guard manager.state == .poweredOn else { return }
        manager.stopAdvertising()
        manager.removeAllServices()
    }

    var centrals: [SimulatedCentral] { contents.withLock(\.centrals) }

    func setCentrals(_ centrals: [SimulatedCentral]) { contents.withLock { $0.centrals = centrals } }

    // MARK: The end

    /// Everything is as at the beginning, but for what the phone is, what answers for the phone, and previews.
    func tearDown() {
        let before = contents.withLock { contents in
            let old = contents
            var fresh = State(strengths: contents.strengths)
            fresh.speed = contents.speed
            fresh.restoration = contents.restoration
            fresh.support = contents.support
            fresh.previews = contents.previews
            contents = fresh
            return old
        }
        for manager in before.managers.compactMap(\.object) { manager.end() }
        for manager in before.peripheralManagers.compactMap(\.object) { withdraw(manager) }
        for central in before.centrals { central.leave() }
        if let otherApp = before.otherApp.object { home.endApp(otherApp.app) }
        _ = home.enter { phone in
            for device in before.devices {
                if let id = device.id { phone.world.remove(id) }
                device.closeChannels()
            }
        }
        if before.pairing != nil { showDialogues(to: nil) }
        home.soon { $0.switchPower(false) }
    }
}
