internal import BluethroatBluetoothValues
internal import BluethroatPhoneService
internal import Synchronization

/// A peripheral that a central manager has found: what is known of it, and what can be asked of it once it is connected.
///
/// There is one object for one peripheral and manager. An app that lets go of it wants no connection any more.
open class CBPeripheral: CBPeer, @unchecked Sendable {
    private struct DelegateReference: @unchecked Sendable {
        weak var delegate: (any CBPeripheralDelegate)?
    }

    /// The manager whose peripheral this is.
    private(set) weak var manager: CBCentralManager?
    /// Which methods the delegate has.
    let optionalCall = OptionalCall()
    let observation = Observation()
    package var observers: Observers { observation.observers }
    let view: Mutex<PeripheralView>
    let writeWindow = SendWindow(size: 0, isStrict: false)
    private let delegateReference = Mutex(DelegateReference())

    /// Receives the results of the commands.
    open var delegate: (any CBPeripheralDelegate)? {
        get { delegateReference.withLock { Unchecked(value: $0.delegate) }.value }
        set {
            let reference = DelegateReference(delegate: newValue)
            delegateReference.withLock { $0 = reference }
        }
    }

    /// The name that the peripheral gave when it was asked, else the one that it advertised.
    open var name: String? { view.withLock(\.name) }

    /// How this app stands to the peripheral.
    open var state: CBPeripheralState { view.withLock(\.state) }

    /// The services found so far; nil before any were looked for.
    open var services: [CBService]? { view.withLock(\.services) }

    /// The last signal strength of the connection, in dBm.
    @available(*, deprecated, message: "Use peripheral(_:didReadRSSI:error:) instead")
    open var rssi: NSNumber? { view.withLock(\.signalStrength).map(NSNumber.strength) }

    /// Whether the peripheral may have iOS notifications. It is never asked for here.
    open var ancsAuthorized: Bool { view.withLock(\.ancsAuthorized) }

    /// Whether a write without response can be taken now.
    open var canSendWriteWithoutResponse: Bool { writeWindow.lookForRoom() }

    init(_ summary: PeerSummary, manager: CBCentralManager) {
        self.manager = manager
        view = Mutex(PeripheralView(name: summary.name))
        super.init(id: summary.id)
    }

    deinit {
        // Most that are let go of were seen and no more: an app that scans may let go of one with each advertisement.
        guard view.withLock({ $0.state != .disconnected }) else { return }
        manager?.lostLastReference(to: id, object: objectDescription(self))
    }

    /// How many bytes of a value one call of `writeValue` takes.
    @discardableResult
    open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
        // What is longer than a packet is written in parts, up to the longest value there is.
        type == .withResponse ? 512 : view.withLock(\.limits.writeWithoutResponse)
    }

    /// Finds services: those listed, or all.
    open func discoverServices(_ serviceUUIDs: [CBUUID]?) {
        noteMissingDelegate(discovering: "services", "peripheral:didDiscoverServices:")
        submit(.discoverServices(serviceUUIDs?.map(\.value)))
    }

    /// Finds services that a service includes: those listed, or all.
    open func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
        submit(about: service) { .discoverIncludedServices(includedServiceUUIDs?.map(\.value), of: $0) }
    }

    /// Finds characteristics of a service: those listed, or all.
    open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        noteMissingDelegate(
            discovering: "characteristics",
            "peripheral:didDiscoverCharacteristicsForService:error:"
        )
        submit(about: service) { .discoverCharacteristics(characteristicUUIDs?.map(\.value), of: $0) }
    }

    /// Finds the descriptors of a characteristic.
    open func discoverDescriptors(for characteristic: CBCharacteristic) {
        noteMissingDelegate(
            discovering: "characteristic descriptors",
            "peripheral:didDiscoverDescriptorsForCharacteristic:error:"
        )
        submit(about: characteristic) { .discoverDescriptors(of: $0) }
    }

    /// Reads a value, however long it is.
    open func readValue(for characteristic: CBCharacteristic) { submit(about: characteristic) { .read($0) } }

    /// Reads a descriptor.
    open func readValue(for descriptor: CBDescriptor) { submit(about: descriptor) { .readDescriptor($0) } }

    /// Writes a value; with a response, however long it is.
    open func writeValue(
        _ data: Data,
        for characteristic: CBCharacteristic,
        type: CBCharacteristicWriteType
    ) {
        if type == .withResponse {
            submit(about: characteristic) { .write($0, Array(data)) }
        } else {
            noteUnofferedWrite(to: characteristic)
            submit(about: characteristic) { .writeWithoutResponse($0, Array(data)) }
        }
    }

    /// Writes a descriptor. Client configurations are left to `setNotifyValue`; writing one stops the process, as an
    /// exception does on Apple's systems.
    open func writeValue(_ data: Data, for descriptor: CBDescriptor) {
        guard descriptor.uuid.value.short != 0x2902 else {
            raise(
                "Client Characteristic Configuration descriptors must be configured using "
                    + "setNotifyValue:forCharacteristic:"
            )
        }
        submit(about: descriptor) { .writeDescriptor($0, Array(data)) }
    }

    /// Asks the peripheral to send a value by itself, or no longer to.
    open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        submit(about: characteristic) { .setNotifying($0, enabled) }
    }

    /// Asks how strong the connection's signal is.
    open func readRSSI() { submit(.readRSSI) }

    /// Opens an L2CAP channel.
    open func openL2CAPChannel(_ PSM: CBL2CAPPSM) { submit(.openChannel(psm: PSM)) }

    /// Measures distances. No host here can do this, and the delegate gets an error.
    open func startChannelSoundingSession(_ configuration: CBChannelSoundingSessionConfiguration) {
        submit(.startChannelSounding)
    }

    /// Ends what `startChannelSoundingSession` began. Nothing has begun here.
    open func cancelChannelSoundingSession() {}

    open override var description: String {
        let (name, state, limits) = view.withLock { ($0.name, $0.state, $0.limits) }
        let states = ["disconnected", "connecting", "connected", "disconnecting"]
        return objectDescription(
            self,
            "identifier = \(identifier)",
            "name = \(name ?? "(null)")",
            "mtu = \(limits.writeWithoutResponse + 3)",
            "state = \(states.indices.contains(state.rawValue) ? states[state.rawValue] : "unknown")"
        )
    }
}
