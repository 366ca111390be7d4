public import CoreBluetooth

/// A manager over CoreBluetooth's own: it is where `CBCentralManager` is, on the adapter of `BLUETHROAT_HCI`, on the air of the
/// process, or on the phone of the current task.
public class CBMCentralManagerNative: CBMCentralManager, @unchecked Sendable {
    private let bridge = Locked<CentralBridge?>(nil)
    private let queue: DispatchQueue
    /// Where it was made; nil where nothing was said.
    private let environment = BluetoothEnvironment.current ?? BluetoothEnvironment.processDefault

    /// A manager without a delegate, on the main queue.
    public convenience init() { self.init(delegate: nil, queue: nil) }

    /// A manager whose delegate is called on a queue; nil means the main queue.
    public convenience init(delegate: (any CBMCentralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// A manager whose delegate is called on a queue; nil means the main queue.
    public init(delegate: (any CBMCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]?) {
        self.queue = queue ?? .main
        super.init(true)
        self.delegate = delegate
        let bridge = CentralBridge(self)
        self.bridge.set(bridge)
        bridge.begin(CBCentralManager(delegate: bridge, queue: queue, options: options))
    }

    private var manager: CBCentralManager? { bridge.current?.central }

    package override var observers: Observers { manager?.observers ?? super.observers }

    public override var state: CBMManagerState {
        manager.flatMap { CBMManagerState(rawValue: $0.state.rawValue) } ?? .unknown
    }

    public override var isScanning: Bool {
        get { manager?.isScanning ?? false }
        set {}
    }

    public override var authorization: CBMManagerAuthorization { CBCentralManager.authorization }

    public override func scanForPeripherals(withServices serviceUUIDs: [CBMUUID]?, options: [String: Any]? = nil) {
        manager?.scanForPeripherals(withServices: serviceUUIDs, options: options)
    }

    public override func stopScan() { manager?.stopScan() }

    public override func connect(_ peripheral: any CBMPeripheral, options: [String: Any]? = nil) {
        guard let peripheral = peripheral as? CBMPeripheralNative else { return }
        manager?.connect(peripheral.bridge.peripheral, options: options)
    }

    public override func cancelPeripheralConnection(_ peripheral: any CBMPeripheral) {
        guard let peripheral = peripheral as? CBMPeripheralNative else { return }
        manager?.cancelPeripheralConnection(peripheral.bridge.peripheral)
    }

    public override func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [any CBMPeripheral] {
        objects(for: manager?.retrievePeripherals(withIdentifiers: identifiers))
    }

    public override func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBMUUID]) -> [any CBMPeripheral] {
        objects(for: manager?.retrieveConnectedPeripherals(withServices: serviceUUIDs))
    }

    public override func registerForConnectionEvents(options: [CBMConnectionEventMatchingOption: Any]? = nil) {
        manager?.registerForConnectionEvents(options: options)
    }

    /// Does something where the app wants to be called, after this has returned.
    func call(_ action: @escaping () -> Void) {
        let action = Unchecked(value: action)
        guard let environment else { return queue.async { action.value() } }
        environment.call(on: queue) { action.value() }
    }

    private func objects(for peripherals: [CBPeripheral]?) -> [any CBMPeripheral] {
        guard let peripherals, let bridge = bridge.current else { return [] }
        return peripherals.map(bridge.object)
    }
}
