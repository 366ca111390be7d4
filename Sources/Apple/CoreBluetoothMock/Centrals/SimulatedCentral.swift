import BluethroatPhones
import CoreBluetooth

/// The app on the phone of a simulated central: it connects to the phone under test, finds what is there, and then does one thing
/// after the other.
final class SimulatedCentral: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    enum Order {
        case read(CBMUUID)
        case write(Data, CBMUUID, CBMCharacteristicWriteType)
        case subscribe(CBMUUID, Bool)
        case openChannel(CBML2CAPPSM)
    }

    /// What has happened so far.
    struct Record {
        var isReady = false
        var services: [CBMUUID: [CBMUUID]] = [:]
        var advertisements: [[String: Any]] = []
        var values: [CBMUUID: [Data]] = [:]
        var writeCount = 0
        var errors: [any Error] = []
        var channels: [CBML2CAPChannel] = []
    }

    private struct State {
        var record = Record()
        var manager: CBCentralManager?
        var peripheral: CBPeripheral?
        var wantsConnection = false
        var scan: [CBMUUID]??
        /// Services whose characteristics were not found yet.
        var open = 0
        var orders: [Order] = []
    }

    let spec: CBMCentralSpec
    /// Under which identifier this phone knows the one under test.
    private let subject: UUID
    private let end: () -> Void
    private let state = Locked(State())

    init(_ spec: CBMCentralSpec, subject: UUID, environment: BluetoothEnvironment, end: @escaping () -> Void) {
        self.spec = spec
        self.subject = subject
        self.end = end
        super.init()
        let queue = environment.delivery == .inline ? nil : DispatchQueue(label: spec.name)
        let manager = CBCentralManager(delegate: self, queue: queue, environment: environment)
        state.withLock { $0.manager = manager }
    }

    var record: Record { state.withLock(\.record) }

    /// Its phone is taken off the air.
    func leave() { end() }

    // MARK: Orders

    func scan(_ services: [CBMUUID]?) {
        state.withLock { $0.scan = .some(services) }
        goOn()
    }

    func connect() {
        state.withLock { $0.wantsConnection = true }
        goOn()
    }

    func disconnect() {
        let (manager, peripheral) = state.withLock { state in
            state.wantsConnection = false
            return (state.manager, state.peripheral)
        }
        if let manager, let peripheral { manager.cancelPeripheralConnection(peripheral) }
    }

    func add(_ order: Order) {
        state.withLock { $0.orders.append(order) }
        carryOut()
    }

    /// Does what waits for the radio.
    private func goOn() {
        guard let manager = state.withLock(\.manager), manager.state == .poweredOn else { return }
        let (scan, wantsConnection) = state.withLock { ($0.scan, $0.wantsConnection) }
        if let services = scan, !manager.isScanning {
            manager.scanForPeripherals(
                withServices: services,
                options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
            )
        }
        guard wantsConnection else { return }
        manager.remember(subject, name: nil)
        let peripheral = manager.remembered(subject)
        peripheral.delegate = self
        state.withLock { $0.peripheral = peripheral }
        if peripheral.state == .disconnected { manager.connect(peripheral) }
    }

    /// Does what waits for the services.
    private func carryOut() {
        let (peripheral, orders) = state.withLock { state in
            guard state.record.isReady else { return (nil as CBPeripheral?, [] as [Order]) }
            defer { state.orders = [] }
            return (state.peripheral, state.orders)
        }
        guard let peripheral else { return }
        for order in orders {
            switch order {
            case .read(let uuid):
                if let found = characteristic(uuid) { peripheral.readValue(for: found) }
            case .write(let data, let uuid, let type):
                if let found = characteristic(uuid) { peripheral.writeValue(data, for: found, type: type) }
            case .subscribe(let uuid, let isOn):
                if let found = characteristic(uuid) { peripheral.setNotifyValue(isOn, for: found) }
            case .openChannel(let psm): peripheral.openL2CAPChannel(psm)
            }
        }
    }

    /// A characteristic that the app under test has published; what is not there is an error.
    private func characteristic(_ uuid: CBMUUID) -> CBCharacteristic? {
        let services = state.withLock(\.peripheral)?.services ?? []
        let found = services.lazy.compactMap { $0.characteristics?.first { $0.uuid == uuid } }.first
        if found == nil { note(CBMATTError(.attributeNotFound)) }
        return found
    }

    private func note(_ error: (any Error)?) {
        if let error { state.withLock { $0.record.errors.append(error) } }
    }

    // MARK: CBCentralManagerDelegate

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        state.withLock { $0.manager = central }
        goOn()
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        if peripheral.identifier == subject {
            state.withLock { $0.record.advertisements.append(advertisementData) }
        }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices(nil)
    }

    func centralManager(
        _ central: CBCentralManager,
        didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        note(error)
        goOn()
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        state.withLock { state in
            state.wantsConnection = false
            state.record.isReady = false
            state.record.services = [:]
            state.record.channels = []
            state.orders = []
        }
        spec.delegate?.central(spec, didDisconnect: error)
    }

    // MARK: CBPeripheralDelegate

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        note(error)
        let services = peripheral.services ?? []
        state.withLock { $0.open = services.count }
        for service in services { peripheral.discoverCharacteristics(nil, for: service) }
        if services.isEmpty { becomeReady(peripheral) }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        note(error)
        let isLast = state.withLock { state in
            state.open -= 1
            return state.open == 0
        }
        if isLast { becomeReady(peripheral) }
    }

    private func becomeReady(_ peripheral: CBPeripheral) {
        var services: [CBMUUID: [CBMUUID]] = [:]
        for service in peripheral.services ?? [] {
            services[service.uuid, default: []] += (service.characteristics ?? []).map(\.uuid)
        }
        let wasReady = state.withLock { state in
            defer { state.record.isReady = true }
            state.record.services = services
            return state.record.isReady
        }
        if !wasReady { spec.delegate?.centralDidConnect(spec) }
        carryOut()
    }

    /// The app under test has published or withdrawn something.
    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        peripheral.discoverServices(nil)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let error { return note(error) }
        let (uuid, value) = (characteristic.uuid, characteristic.value ?? Data())
        state.withLock { $0.record.values[uuid, default: []].append(value) }
        spec.delegate?.central(spec, didReceive: value, of: uuid)
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        if let error { note(error) } else { state.withLock { $0.record.writeCount += 1 } }
        spec.delegate?.central(spec, didWrite: characteristic.uuid, error: error)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        note(error)
        spec.delegate?.central(spec, isSubscribed: characteristic.isNotifying, to: characteristic.uuid, error: error)
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        guard let channel else { return note(error) }
        channel.inputStream.open()
        channel.outputStream.open()
        state.withLock { $0.record.channels.append(channel) }
    }
}
