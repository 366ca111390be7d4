public import CoreBluetooth

/// A peripheral of a `CBMCentralManagerMock`: a simulated device, or another device on the phone's air.
open class CBMPeripheralMock: CBMPeer, CBMPeripheral, @unchecked Sendable {
    /// How far the making of a connection has come.
    enum Stage {
        /// As CoreBluetooth says.
        case settled
        /// There is a connection, and the device has not said yet whether it takes it.
        case undecided
        case refused(any Error)
    }

    /// What the app was told of a peripheral that is restored, until the phone has it so.
    private enum Restored {
        case not
        case connecting
        /// What is asked of the peripheral waits for the phone.
        case connected(waiting: [(CBMPeripheralMock) -> Void])
    }

    let bridge: PeripheralBridge
    private(set) weak var manager: CBMCentralManagerMock?
    private let delegateReference = Locked<(any CBMPeripheralDelegate)?>(nil)
    private let stageReference = Locked(Stage.settled)
    private let restored = Locked(Restored.not)
    /// How many connections the device had accepted when the app was told of its last one.
    let announcedCount = Locked(0)

    init(_ bridge: PeripheralBridge, of manager: CBMCentralManagerMock) {
        self.bridge = bridge
        self.manager = manager
        super.init(identifier: bridge.device?.identifier ?? bridge.peripheral.identifier)
        bridge.begin(self)
    }

    var stage: Stage { stageReference.current }

    func setStage(_ stage: Stage) {
        stageReference.set(stage)
        lookAtProperties()
    }

    package var observers: Observers { bridge.peripheral.observers }

    /// A property may have changed.
    func lookAtProperties() { observers.look() }

    // MARK: Restoration

    func restore(asConnected isConnected: Bool) { restored.set(isConnected ? .connected(waiting: []) : .connecting) }

    /// Whether the phone has not done yet what the app was told of it by restoration.
    var isRestored: Bool {
        if case .not = restored.current { false } else { true }
    }

    /// The phone has done it, or does not any more. What waits for a connection of which the app knows; nil if it knows of none.
    @discardableResult
    func takeRestored() -> [(CBMPeripheralMock) -> Void]? {
        restored.withLock { restored in
            defer { restored = .not }
            if case .connected(let waiting) = restored { return waiting }
            return nil
        }
    }

    // MARK: What is known of it

    /// Receives the results of the commands. It is held, as in the original.
    open var delegate: (any CBMPeripheralDelegate)? {
        get { delegateReference.current }
        set { delegateReference.set(newValue) }
    }

    /// That of the specification.
    open override var identifier: UUID { super.identifier }

    /// The advertised one, until the specification was connected: then its present one, whether or not the phone has read it.
    open var name: String? {
        let heard = bridge.peripheral.name
        guard let spec = bridge.device?.spec, let simulation = manager?.simulation else { return heard }
        let state = simulation.state(of: spec)
        let hasSaidIt = state.wasConnected || spec.isInitiallyConnected || simulation.isConnected(spec)
        return hasSaidIt ? state.name : heard
    }

    open var canSendWriteWithoutResponse: Bool { isConnected && bridge.peripheral.canSendWriteWithoutResponse }

    open var ancsAuthorized: Bool { bridge.peripheral.ancsAuthorized }

    open var state: CBMPeripheralState {
        // Without Bluetooth there is no connection.
        guard manager?.saysOff != true else { return .disconnected }
        switch restored.current {
        case .not: break
        case .connecting: return .connecting
        case .connected: return .connected
        }
        let state = bridge.peripheral.state
        if case .settled = stage { return state }
        return state == .connected ? .connecting : state
    }

    open var services: [CBMService]? { bridge.services }

    private var isConnected: Bool { state == .connected }

    /// Whether it can be asked for something; if not, this is reported to the developer, as CoreBluetooth does. What is
    /// asked over a connection that was restored is asked `again` when the phone has that.
    private func takesCommands(_ again: @escaping (CBMPeripheralMock) -> Void) -> Bool {
        let waits = restored.withLock { restored in
            guard case .connected(let waiting) = restored else { return false }
            restored = .connected(waiting: waiting + [again])
            return true
        }
        if waits { return false }
        if isConnected { return true }
        bridge.peripheral.noteNotConnected()
        return false
    }

    // MARK: What is asked of it

    open func discoverServices(_ serviceUUIDs: [CBMUUID]?) {
        guard takesCommands({ $0.discoverServices(serviceUUIDs) }) else { return }
        let wish = ask { $0.peripheral($1, didReceiveServiceDiscoveryRequest: serviceUUIDs) }
        guard let error = wish else { return bridge.peripheral.discoverServices(serviceUUIDs) }
        tellSoon { $0.peripheral($1, didDiscoverServices: error) }
    }

    open func discoverIncludedServices(_ includedServiceUUIDs: [CBMUUID]?, for service: CBMService) {
        guard takesCommands({ $0.discoverIncludedServices(includedServiceUUIDs, for: service) }) else { return }
        let wish = ask(about: service, as: CBMServiceMock.self) {
            $0.peripheral($1, didReceiveIncludedServiceDiscoveryRequest: includedServiceUUIDs, for: $2)
        }
        guard let error = wish else { return bridge.discoverIncludedServices(includedServiceUUIDs, for: service) }
        tellSoon { $0.peripheral($1, didDiscoverIncludedServicesFor: service, error: error) }
    }

    open func discoverCharacteristics(_ characteristicUUIDs: [CBMUUID]?, for service: CBMService) {
        guard takesCommands({ $0.discoverCharacteristics(characteristicUUIDs, for: service) }) else { return }
        let wish = ask(about: service, as: CBMServiceMock.self) {
            $0.peripheral($1, didReceiveCharacteristicsDiscoveryRequest: characteristicUUIDs, for: $2)
        }
        guard let error = wish else { return bridge.discoverCharacteristics(characteristicUUIDs, for: service) }
        tellSoon { $0.peripheral($1, didDiscoverCharacteristicsFor: service, error: error) }
    }

    open func discoverDescriptors(for characteristic: CBMCharacteristic) {
        guard takesCommands({ $0.discoverDescriptors(for: characteristic) }) else { return }
        let wish = ask(about: characteristic, as: CBMCharacteristicMock.self) {
            $0.peripheral($1, didReceiveDescriptorsDiscoveryRequestFor: $2)
        }
        guard let error = wish else { return bridge.discoverDescriptors(for: characteristic) }
        tellSoon { $0.peripheral($1, didDiscoverDescriptorsFor: characteristic, error: error) }
    }

    open func readValue(for characteristic: CBMCharacteristic) {
        if takesCommands({ $0.readValue(for: characteristic) }) { bridge.readValue(for: characteristic) }
    }

    open func readValue(for descriptor: CBMDescriptor) {
        if takesCommands({ $0.readValue(for: descriptor) }) { bridge.readValue(for: descriptor) }
    }

    open func writeValue(_ data: Data, for characteristic: CBMCharacteristic, type: CBMCharacteristicWriteType) {
        if takesCommands({ $0.writeValue(data, for: characteristic, type: type) }) {
            bridge.writeValue(data, for: characteristic, type: type)
        }
    }

    /// Client configurations are left to `setNotifyValue`. Writing one stops the process on Apple's systems; here the app hears
    /// that it is not permitted.
    open func writeValue(_ data: Data, for descriptor: CBMDescriptor) {
        guard takesCommands({ $0.writeValue(data, for: descriptor) }) else { return }
        bridge.writeValue(data, for: descriptor) { error in
            tellSoon { $0.peripheral($1, didWriteValueFor: descriptor, error: error) }
        }
    }

    /// How many bytes one write takes: 512 with a response, three less than the ATT MTU without; none without a connection.
    open func maximumWriteValueLength(for type: CBMCharacteristicWriteType) -> Int {
        isConnected ? bridge.peripheral.maximumWriteValueLength(for: type) : 0
    }

    open func setNotifyValue(_ enabled: Bool, for characteristic: CBMCharacteristic) {
        guard takesCommands({ $0.setNotifyValue(enabled, for: characteristic) }) else { return }
        // What is so already is not asked for.
        if let found = characteristic as? FoundCharacteristic, found.isSettled, found.isNotifying == enabled {
            return tell { $0.peripheral($1, didUpdateNotificationStateFor: characteristic, error: nil) }
        }
        let wish = ask(about: characteristic, as: CBMCharacteristicMock.self) {
            $0.peripheral($1, didReceiveSetNotifyRequest: enabled, for: $2)
        }
        guard let error = wish else { return bridge.setNotifyValue(enabled, for: characteristic) }
        tellSoon { $0.peripheral($1, didUpdateNotificationStateFor: characteristic, error: error) }
        guard let device = bridge.device, let manager, let mock = specified(characteristic) as? CBMCharacteristicMock
        else { return }
        manager.simulation.home.ask {
            device.spec.connectionDelegate?.peripheral(device.spec, didUpdateNotificationStateFor: mock, error: error)
        }
    }

    /// Tells, a connection interval later, how strong the signal is then. A phone measures the packets that it hears: after a
    /// change of place the next one is waited for.
    open func readRSSI() {
        guard takesCommands({ $0.readRSSI() }) else { return }
        guard let device = bridge.device, let interval = device.spec.connectionInterval else {
            return bridge.peripheral.readRSSI()
        }
        // At the beginning a connection has the phone's own interval.
        manager?.call(after: max(interval, 0.050) + 0.010) { [weak self] _ in
            guard let self, isConnected else { return }
            bridge.peripheral.readRSSI()
        }
    }

    open func openL2CAPChannel(_ PSM: CBML2CAPPSM) {
        if takesCommands({ $0.openL2CAPChannel(PSM) }) { bridge.peripheral.openL2CAPChannel(PSM) }
    }

    open override var hash: Int { identifier.hashValue }

    open override var debugDescription: String { bridge.peripheral.debugDescription }

    // MARK: The delegate of the specification

    /// What the specification has where an attribute was found.
    private func specified(_ attribute: CBMAttribute) -> CBMAttribute? {
        attribute.found?.peerHandle.flatMap { bridge.device?.table.attribute($0) }
    }

    /// Why the device does not want something; nil if it does.
    private func ask(
        _ body: @escaping (any CBMPeripheralSpecDelegate, CBMPeripheralSpec) -> Result<Void, any Error>
    ) -> (any Error)? {
        guard let device = bridge.device, let manager, let delegate = device.spec.connectionDelegate else { return nil }
        let answer = manager.simulation.home.ask { body(delegate, device.spec) }
        if case .failure(let error) = answer { return error }
        return nil
    }

    /// The same about an attribute of the specification.
    private func ask<Mock: CBMAttribute>(
        about attribute: CBMAttribute,
        as type: Mock.Type,
        _ body: @escaping (any CBMPeripheralSpecDelegate, CBMPeripheralSpec, Mock) -> Result<Void, any Error>
    ) -> (any Error)? {
        guard let mock = specified(attribute) as? Mock else { return nil }
        return ask { body($0, $1, mock) }
    }

    /// What the device does not want comes back after the time of an answer.
    private func tellSoon(_ body: @escaping (any CBMPeripheralDelegate, any CBMPeripheral) -> Void) {
        tell(after: bridge.device?.spec.connectionInterval ?? 0, body)
    }

    /// Tells the app something where it wants to be called.
    private func tell(
        after seconds: TimeInterval = 0,
        _ body: @escaping (any CBMPeripheralDelegate, any CBMPeripheral) -> Void
    ) {
        manager?.call(after: seconds) { [weak self] _ in
            guard let self, isConnected, let delegate else { return }
            body(delegate, self)
        }
    }
}
