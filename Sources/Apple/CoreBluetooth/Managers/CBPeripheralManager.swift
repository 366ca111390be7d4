internal import BluethroatPhoneService
internal import Synchronization

/// Publishes services and advertises them.
open class CBPeripheralManager: CBManager, @unchecked Sendable {
    private struct DelegateReference: @unchecked Sendable {
        weak var delegate: (any CBPeripheralManagerDelegate)?
    }

    private let delegateReference: Mutex<DelegateReference>
    let view = Mutex(PublishedView())
    let updateWindow = SendWindow(size: 0, isStrict: true)

    /// Receives the results of the commands, and the requests of centrals.
    open var delegate: (any CBPeripheralManagerDelegate)? {
        get { delegateReference.withLock { Unchecked(value: $0.delegate) }.value }
        set {
            let reference = DelegateReference(delegate: newValue)
            delegateReference.withLock { $0 = reference }
        }
    }

    /// Whether the manager advertises.
    open var isAdvertising: Bool { view.withLock(\.isAdvertising) }

    /// A manager without a delegate, on the main queue.
    public convenience init() { self.init(delegate: nil, queue: nil) }

    /// A manager whose delegate is called on a queue; nil means the main queue.
    public convenience init(delegate: (any CBPeripheralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// A manager whose delegate is called on a queue; nil means the main queue.
    public init(
        delegate: (any CBPeripheralManagerDelegate)?,
        queue: DispatchQueue?,
        options: [String: Any]? = nil
    ) {
        delegateReference = Mutex(DelegateReference(delegate: delegate))
        super.init(Beginning(role: .peripheral, queue: queue, options: options))
    }

    /// A manager on a phone of one's choice. Only here; on Apple's systems there is one.
    public convenience init(
        delegate: (any CBPeripheralManagerDelegate)?,
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

    /// What the app may do in the background.
    @available(*, deprecated, message: "Use CBManager.authorization instead")
    @discardableResult
    open class func authorizationStatus() -> CBPeripheralManagerAuthorizationStatus {
        CBPeripheralManagerAuthorizationStatus(rawValue: authorization.rawValue).unsafelyUnwrapped
    }

    /// Advertises a name and services, or what Core Location has put together for an iBeacon, and takes connections.
    /// Other keys are not for apps.
    open func startAdvertising(_ advertisementData: [String: Any]?) {
        guard takesCommands() else { return }
        view.withLock { $0.isToAdvertise = true }
        submit(.peripheral(.startAdvertising(AdvertisementRequest(advertisementData ?? [:]))))
    }

    /// Stops advertising. The delegate is not called.
    open func stopAdvertising() {
        guard takesCommands() else { return }
        setAdvertising(false)
        submit(.peripheral(.stopAdvertising))
    }

    /// Asks for a faster or a more frugal connection to a central.
    open func setDesiredConnectionLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral) {
        guard takesCommands() else { return }
        submit(.peripheral(.setLatency(ConnectionLatency(rawValue: latency.rawValue) ?? .medium, for: central.id)))
    }

    /// Publishes a copy of a service. A service that was added before, or a characteristic with a value that clients
    /// could change, stops the process, as an exception does on Apple's systems.
    open func add(_ service: CBMutableService) {
        guard takesCommands() else { return }
        let copy = view.withLock { $0.publish(service) }
        submit(.peripheral(.add(copy)))
    }

    /// Withdraws a service.
    open func remove(_ service: CBMutableService) {
        guard takesCommands() else { return }
        guard let id = view.withLock({ $0.withdraw(service) }) else { return }
        submit(.peripheral(.remove(id)))
    }

    /// Withdraws every service of this manager.
    open func removeAllServices() {
        guard takesCommands() else { return }
        withExtendedLifetime(view.withLock { $0.withdrawAll() }) {
            submit(.peripheral(.removeAllServices))
        }
    }

    /// Answers a request: once for a read, and once, to the first of them, for writes that came together.
    open func respond(to request: CBATTRequest, withResult result: CBATTError.Code) {
        guard takesCommands() else { return }
        submit(.peripheral(.answer(request.id, request.answer(result))))
    }

    /// Sends a value to those who subscribed, or to some of them. False if there is no room; then the delegate is
    /// called when there is room again.
    @discardableResult
    open func updateValue(
        _ value: Data,
        for characteristic: CBMutableCharacteristic,
        onSubscribedCentrals centrals: [CBCentral]?
    ) -> Bool {
        guard takesCommands(), let id = view.withLock({ $0.name(of: characteristic) }), updateWindow.take() else {
            return false
        }
        submit(.peripheral(.update(id, Array(value), to: centrals?.map(\.id))))
        return true
    }

    /// Takes L2CAP channels, under a PSM that the system chooses.
    open func publishL2CAPChannel(withEncryption encryptionRequired: Bool) {
        guard takesCommands() else { return }
        submit(.peripheral(.publishChannel(requiresEncryption: encryptionRequired)))
    }

    /// Takes no more L2CAP channels under a PSM, and closes those that there are.
    open func unpublishL2CAPChannel(_ PSM: CBL2CAPPSM) {
        guard takesCommands() else { return }
        submit(.peripheral(.unpublishChannel(psm: PSM)))
    }

    // MARK: Within the framework

    override func receive(_ event: SessionEvent) {
        if case .peripheral(let event) = event { receive(event) } else { super.receive(event) }
    }

    /// It advertises, or does not, and is to.
    func setAdvertising(_ isAdvertising: Bool) {
        view.withLock { ($0.isAdvertising, $0.isToAdvertise) = (isAdvertising, isAdvertising) }
        observation.look()
    }

    override func stateChanged() {
        let raw = state.rawValue
        if raw < CBManagerState.poweredOn.rawValue { view.withLock { $0.disconnectAll() } }
        // Below off, what was advertised and published is forgotten; while off it only waits.
        if raw < CBManagerState.poweredOff.rawValue {
            setAdvertising(false)
            withExtendedLifetime(view.withLock { $0.withdrawAll() }) {}
        }
        delegate?.peripheralManagerDidUpdateState(self)
    }
}
