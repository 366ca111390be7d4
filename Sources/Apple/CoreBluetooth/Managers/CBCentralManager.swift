internal import BluethroatBluetoothValues
internal import BluethroatPhoneService
internal import Synchronization

/// Finds peripherals and connects to them.
open class CBCentralManager: CBManager, @unchecked Sendable {
    /// What this device can do beyond the ordinary.
    public typealias Feature = CBCentralManagerFeature

    private struct DelegateReference: @unchecked Sendable {
        weak var delegate: (any CBCentralManagerDelegate)?
    }

    private let delegateReference: Mutex<DelegateReference>
    let view = Mutex(CentralView())

    /// Receives the results of the commands.
    open var delegate: (any CBCentralManagerDelegate)? {
        get { delegateReference.withLock { Unchecked(value: $0.delegate) }.value }
        set {
            let reference = DelegateReference(delegate: newValue)
            delegateReference.withLock { $0 = reference }
        }
    }

    /// Whether the manager scans.
    open var isScanning: Bool { view.withLock(\.isScanning) }

    /// A manager without a delegate, on the main queue.
    public convenience init() { self.init(delegate: nil, queue: nil) }

    /// A manager whose delegate is called on a queue; nil means the main queue.
    public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// A manager whose delegate is called on a queue; nil means the main queue.
    public init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil) {
        delegateReference = Mutex(DelegateReference(delegate: delegate))
        super.init(Beginning(role: .central, queue: queue, options: options))
    }

    /// A manager on a phone of one's choice. Only here; on Apple's systems there is one.
    public convenience init(
        delegate: (any CBCentralManagerDelegate)?,
        queue: DispatchQueue?,
        options: [String: Any]? = nil,
        environment: BluetoothEnvironment
    ) {
        self.init(
            delegate: delegate,
            queue: queue,
            options: (options ?? [:]).merging([environmentKey: environment]) { $1 }
        )
    }

    /// Whether this device can do all of this. No host here can measure distances, and extended advertising is not used.
    @discardableResult
    open class func supports(_ features: Feature) -> Bool { features.isEmpty }

    /// Looks for peripherals that advertise one of the services, or for all, until `stopScan`. A scan that is running is
    /// replaced.
    open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        guard takesCommands() else { return }
        view.withLock { $0.look(for: serviceUUIDs ?? []) }
        setScanning(true)
        submit(.central(.scan(ScanRequest(services: serviceUUIDs, options: options ?? [:]))))
    }

    /// Looks no longer.
    open func stopScan() {
        guard takesCommands() else { return }
        setScanning(false)
        submit(.central(.stopScan))
    }

    /// Connects as soon as the peripheral is there, however long that takes.
    open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        guard takesCommands(), owns(peripheral) else { return }
        peripheral.change { if $0.state != .connected { $0.state = .connecting } }
        submit(.central(.connect(peripheral.id, ConnectRequest(options ?? [:]))))
    }

    /// Ends a connection, or an attempt. Another app's connection to the same peripheral stays.
    open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        guard takesCommands(), owns(peripheral) else { return }
        peripheral.change { if $0.state != .disconnected { $0.state = .disconnecting } }
        submit(.central(.cancelConnection(peripheral.id)))
    }

    /// Those of the peripherals that the phone knows.
    @discardableResult
    open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
        guard takesCommands() else { return [] }
        return identifiers.compactMap { identifier in
            let id = PeerID(identifier)
            let summary = view.withLock { $0.summary(of: id) }
            return summary.map(peripheral(for:))
        }
    }

    /// Peripherals with one of the services that are connected to the phone, by whichever app.
    @discardableResult
    open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
        guard takesCommands() else { return [] }
        let wanted = Set(serviceUUIDs.map(\.value))
        return view.withLock { $0.connected(withAnyOf: wanted) }.map(peripheral(for:))
    }

    /// Asks for events about connections that any app of the phone makes, to some peers or to those with one of up to
    /// four services; nil ends this.
    open func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
        guard takesCommands() else { return }
        let services = (options?[.serviceUUIDs] as? [CBUUID])?.map(\.value) ?? []
        if services.count > 4 {
            noteMisuse(
                .tooManyServicesWatched,
                "API MISUSE: \(objectDescription(self)) can only watch 4 services: the others are ignored"
            )
        }
        let watch = options.map { options in
            ConnectionWatch(
                services: Array(services.prefix(4)),
                peers: (options[.peripheralUUIDs] as? [UUID])?.map(PeerID.init) ?? []
            )
        }
        submit(.central(.watchConnections(watch)))
    }

    // MARK: Within the framework

    /// The phone knows this peer from earlier: it can be retrieved from now on, although this manager has not heard of it.
    package func remember(_ identifier: UUID, name: String?) {
        let id = PeerID(identifier)
        view.withLock { if $0.summary(of: id) == nil { $0.learn(PeerSummary(id: id, name: name)) } }
    }

    /// A peer that is remembered, also before commands are taken, as for an app that is restored.
    package func remembered(_ identifier: UUID) -> CBPeripheral {
        knownPeripheral(PeerID(identifier))
    }

    override func receive(_ event: SessionEvent) {
        if case .central(let event) = event { receive(event) } else { super.receive(event) }
    }

    override func stateChanged() {
        if !isPoweredOn { endEverything() }
        delegate?.centralManagerDidUpdateState(self)
    }

    /// Nothing is connected or looked for while Bluetooth is off.
    private func endEverything() {
        setScanning(false)
        for peripheral in view.withLock(\.livePeripherals) { peripheral.endConnection(isReconnecting: false) }
        // Below off, the objects that the app has are of no use any more.
        if state.rawValue < CBManagerState.poweredOff.rawValue { view.withLock { $0.forgetObjects() } }
    }

    /// Whether a peripheral is one that this manager has given to its app, and is still valid; if not, this is reported
    /// to the developer.
    private func owns(_ peripheral: CBPeripheral) -> Bool {
        if view.withLock({ $0.object(for: peripheral.id) === peripheral }) { return true }
        noteMisuse(
            .unknownPeripheral,
            "API MISUSE: \(objectDescription(self)) does not know \(objectDescription(peripheral)), "
                + "which must be retrieved or discovered again"
        )
        return false
    }

    func setScanning(_ isScanning: Bool) {
        view.withLock { $0.isScanning = isScanning }
        observation.look()
    }

    /// The object for a peer: the one there is, or a new one.
    func peripheral(for summary: PeerSummary) -> CBPeripheral {
        view.withLock { view in view.object(for: summary) { CBPeripheral($0, manager: self) } }
    }

    /// An app that lets go of a peripheral wants no connection to it, nor one that is being made.
    func lostLastReference(to id: PeerID, object: String) {
        noteMisuse(
            .releasedPeripheral,
            "API MISUSE: Cancelling connection for unused peripheral \(object), "
                + "Did you forget to keep a reference to it?"
        )
        submit(.central(.forget(id)))
    }
}
