internal import BluethroatPhoneService
private import Synchronization

/// What the managers of both roles have in common: whether Bluetooth can be used.
///
/// A manager is a client of its phone's Bluetooth service. It changes on the app's queue only, right before its delegate
/// hears why, and may be asked on any thread.
open class CBManager: NSObject, @unchecked Sendable {
    private let radio = Mutex(RadioState.unknown)
    private let environment: BluetoothEnvironment
    private let session = Mutex<SessionID?>(nil)
    let channels: ChannelBook
    /// Which methods the delegate has.
    let optionalCall = OptionalCall()
    let observation = Observation()
    package var observers: Observers { observation.observers }

    /// Whether apps may use Bluetooth, and why not. No manager has to be made to ask.
    open class var authorization: CBManagerAuthorization {
        CBManagerAuthorization(BluetoothEnvironment.inherited.port.authorization)
    }

    /// Whether this app may use Bluetooth.
    @available(*, deprecated, message: "Use the class property instead")
    open var authorization: CBManagerAuthorization { CBManagerAuthorization(environment.port.authorization) }

    /// Whether Bluetooth can be used. It is `unknown` until the delegate's first call.
    open var state: CBManagerState { CBManagerState(rawValue: radio.withLock(\.rawValue)).unsafelyUnwrapped }

    /// What a manager begins with. Apps cannot make any: they make managers of either role.
    public struct Beginning {
        let role: SessionDescription.Role
        let queue: DispatchQueue?
        let options: [String: Any]?
    }

    /// For the managers of either role. A subclass of one of them would not inherit its `init()` if this were hidden.
    public init(_ beginning: Beginning) {
        let role = beginning.role
        let queue = beginning.queue
        let options = beginning.options ?? [:]
        let environment = options[environmentKey] as? BluetoothEnvironment ?? .inherited
        let channels = ChannelBook(environment)
        self.environment = environment
        self.channels = channels
        super.init()
        ObservationRequests.listening
        let restoreKey =
            role == .central
            ? CBCentralManagerOptionRestoreIdentifierKey : CBPeripheralManagerOptionRestoreIdentifierKey
        let alertKey =
            role == .central ? CBCentralManagerOptionShowPowerAlertKey : CBPeripheralManagerOptionShowPowerAlertKey
        let description = SessionDescription(
            role: role,
            restoreIdentifier: options[restoreKey] as? String,
            // By default a central asks the user to switch Bluetooth on, and a peripheral does not.
            showsPowerAlert: role == .central && options[alertKey] == nil || options.flag(alertKey)
        )
        let isQueued = environment.delivery == .queued
        let reference = WeakManager(manager: self)
        let callbacks = CallbackQueue(queue: queue, delivery: environment.delivery) { events in
            guard let self = reference.manager else { return }
            // Whatever the delegate makes is on the same phone.
            BluetoothEnvironment.$current.withValue(environment) {
                // In virtual time all events are delivered in order.
                for event in events where isQueued || !channels.takes(event) { self.receive(event) }
            }
        }
        // Events that come before this is done would find a manager that cannot answer.
        let id = environment.port.open(description) { events in
            callbacks.post(isQueued ? events.filter { !channels.takes($0) } : events)
        }
        session.withLock { $0 = id }
        channels.begin(id)
        callbacks.start()
    }

    deinit {
        if let id = session.withLock({ $0 }) { environment.port.close(id) }
        channels.endAll()
    }

    // MARK: Within the framework

    /// The service has an event for the manager; called where the app wants to be called.
    func receive(_ event: SessionEvent) {
        guard case .state(let new) = event else { return }
        radio.withLock { $0 = new }
        observation.look()
        stateChanged()
    }

    /// Drops what does not survive the new state, and calls the delegate.
    func stateChanged() {}

    /// Posts a command to the phone's service.
    func submit(_ command: SessionCommand) {
        guard let id = session.withLock({ $0 }) else { return }
        environment.port.submit(command, from: id)
    }

    var isPoweredOn: Bool { radio.withLock { $0 == .poweredOn } }

    /// Whether a command can be accepted now; if not, it is dropped, and this is reported to the developer.
    func takesCommands() -> Bool {
        if isPoweredOn { return true }
        noteNotPoweredOn()
        return false
    }

    /// Reports to the developer that a command came while Bluetooth was off.
    package func noteNotPoweredOn() {
        noteMisuse(
            .notPoweredOn,
            "API MISUSE: \(objectDescription(self)) can only accept this command while in the powered on state"
        )
    }

    /// Reports to the developer that there was something to restore, and no delegate method for it.
    func noteMissing(_ method: String) {
        noteMisuse(
            .restorationNotImplemented,
            "API MISUSE: \(objectDescription(self)) has provided a restore identifier but the delegate doesn't "
                + "implement the \(method) method. Restoring will not be supported"
        )
    }

    /// Reports to the developer that a call had no effect.
    func noteMisuse(_ kind: MisuseKind, _ sentence: String) { submit(.noteMisuse(kind, sentence)) }

    open override var description: String { objectDescription(self) }
}

/// A manager as long as its app keeps it. A closure holds this as a constant, which is read without a check for exclusive access;
/// a weak variable that it captures is not.
private struct WeakManager: Sendable {
    private(set) weak var manager: CBManager?
}

extension CBManagerAuthorization {
    fileprivate init(_ authorization: Authorization) {
        self = Self(rawValue: authorization.rawValue).unsafelyUnwrapped
    }
}
