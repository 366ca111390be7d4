public import CoreBluetooth

/// Finds peripherals and connects to them. `CBMCentralManagerFactory` makes one: a `CBMCentralManagerMock`, or a
/// `CBMCentralManagerNative`.
///
/// This class is what they have in common. By itself it is the manager of a machine without Bluetooth: its state is
/// `unsupported`, and it finds nothing.
open class CBMCentralManager: NSObject, @unchecked Sendable {
    /// What a device can do beyond the ordinary.
    public typealias Feature = CBCentralManager.Feature

    private let delegateReference = Locked<WeakDelegate>(WeakDelegate())
    private let ownObservers = Observers()

    /// Those who observe its properties.
    package var observers: Observers { ownObservers }

    /// For subclasses: a manager without Bluetooth. The argument says nothing.
    public init(_ dummy: Bool) { super.init() }

    /// Receives the results of the commands.
    open var delegate: (any CBMCentralManagerDelegate)? {
        get { delegateReference.withLock(\.delegate) }
        set { delegateReference.withLock { $0.delegate = newValue } }
    }

    open var state: CBMManagerState { .unsupported }

    /// Whether the manager scans.
    open internal(set) var isScanning: Bool {
        get { false }
        set {}
    }

    /// Whether this app may use Bluetooth.
    open var authorization: CBMManagerAuthorization { .allowedAlways }

    /// Whether this app may use Bluetooth.
    open class var authorization: CBMManagerAuthorization { CBCentralManager.authorization }

    /// Whether this device can do all of this.
    open class func supports(_ features: CBMCentralManager.Feature) -> Bool { CBCentralManager.supports(features) }

    /// Looks for peripherals that advertise one of the services, or for all, until `stopScan`.
    open func scanForPeripherals(withServices serviceUUIDs: [CBMUUID]?, options: [String: Any]? = nil) {}

    /// Looks no longer.
    open func stopScan() {}

    /// Connects as soon as the peripheral is there, however long that takes.
    open func connect(_ peripheral: any CBMPeripheral, options: [String: Any]? = nil) {}

    /// Ends a connection, or an attempt.
    open func cancelPeripheralConnection(_ peripheral: any CBMPeripheral) {}

    /// Those of the peripherals that the phone knows.
    open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [any CBMPeripheral] { [] }

    /// Peripherals with one of the services that are connected to the phone, by whichever app.
    open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBMUUID]) -> [any CBMPeripheral] { [] }

    /// Asks for events about connections that any app of the phone makes; nil ends this.
    open func registerForConnectionEvents(options: [CBMConnectionEventMatchingOption: Any]? = nil) {}
}

private struct WeakDelegate {
    weak var delegate: (any CBMCentralManagerDelegate)?
}
