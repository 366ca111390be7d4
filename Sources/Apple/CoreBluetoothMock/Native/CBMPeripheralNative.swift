public import CoreBluetooth

/// A peripheral of a `CBMCentralManagerNative`.
public class CBMPeripheralNative: CBMPeer, CBMPeripheral, @unchecked Sendable {
    let bridge: PeripheralBridge
    private let delegateReference = Locked<(any CBMPeripheralDelegate)?>(nil)

    init(_ bridge: PeripheralBridge) {
        self.bridge = bridge
        super.init(identifier: bridge.peripheral.identifier)
        bridge.begin(self)
    }

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

    public func writeValue(_ data: Data, for descriptor: CBMDescriptor) { bridge.writeValue(data, for: descriptor) }

    public func setNotifyValue(_ enabled: Bool, for characteristic: CBMCharacteristic) {
        bridge.setNotifyValue(enabled, for: characteristic)
    }

    public func openL2CAPChannel(_ PSM: CBML2CAPPSM) { bridge.peripheral.openL2CAPChannel(PSM) }
}
