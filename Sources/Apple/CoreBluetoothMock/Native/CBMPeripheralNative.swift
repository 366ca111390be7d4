public import CoreBluetooth

/// A peripheral of a `CBMCentralManagerNative`.
public class CBMPeripheralNative: CBMPeer, CBMPeripheral, @unchecked Sendable {
    let bridge: PeripheralBridge
    private weak var manager: CBMCentralManagerNative?
    private let delegateReference = Locked<(any CBMPeripheralDelegate)?>(nil)

    init(_ bridge: PeripheralBridge, of manager: CBMCentralManagerNative?) {
        self.bridge = bridge
        self.manager = manager
        super.init(identifier: bridge.peripheral.identifier)
        bridge.begin(self)
    }

    package var observers: Observers { bridge.peripheral.observers }

    /// Receives the results of the commands. It is held, as in the original.
    public var delegate: (any CBMPeripheralDelegate)? {
        get { delegateReference.current }
        set { delegateReference.set(newValue) }
    }

    public var name: String? { bridge.peripheral.name }
    public var state: CBMPeripheralState { bridge.peripheral.state }
    public var services: [CBMService]? { bridge.services }
    public var canSendWriteWithoutResponse: Bool { bridge.peripheral.canSendWriteWithoutResponse }
    public var ancsAuthorized: Bool { bridge.peripheral.ancsAuthorized }

    public func readRSSI() { bridge.peripheral.readRSSI() }

    public func discoverServices(_ serviceUUIDs: [CBMUUID]?) { bridge.peripheral.discoverServices(serviceUUIDs) }

    public func discoverIncludedServices(_ includedServiceUUIDs: [CBMUUID]?, for service: CBMService) {
        bridge.discoverIncludedServices(includedServiceUUIDs, for: service)
    }

    public func discoverCharacteristics(_ characteristicUUIDs: [CBMUUID]?, for service: CBMService) {
        bridge.discoverCharacteristics(characteristicUUIDs, for: service)
    }

    public func discoverDescriptors(for characteristic: CBMCharacteristic) {
        bridge.discoverDescriptors(for: characteristic)
    }

    public func readValue(for characteristic: CBMCharacteristic) { bridge.readValue(for: characteristic) }

    public func readValue(for descriptor: CBMDescriptor) { bridge.readValue(for: descriptor) }

    public func maximumWriteValueLength(for type: CBMCharacteristicWriteType) -> Int {
        bridge.peripheral.maximumWriteValueLength(for: type)
    }

    public func writeValue(_ data: Data, for characteristic: CBMCharacteristic, type: CBMCharacteristicWriteType) {
        bridge.writeValue(data, for: characteristic, type: type)
    }

    /// Client configurations are left to `setNotifyValue`. Writing one stops the process on Apple's systems; here the app hears
    /// that it is not permitted.
    public func writeValue(_ data: Data, for descriptor: CBMDescriptor) {
        bridge.writeValue(data, for: descriptor) { error in
            manager?.call { [weak self] in
                guard let self, state == .connected, let delegate else { return }
                delegate.peripheral(self, didWriteValueFor: descriptor, error: error)
            }
        }
    }

    public func setNotifyValue(_ enabled: Bool, for characteristic: CBMCharacteristic) {
        bridge.setNotifyValue(enabled, for: characteristic)
    }

    public func openL2CAPChannel(_ PSM: CBML2CAPPSM) { bridge.peripheral.openL2CAPChannel(PSM) }
}
