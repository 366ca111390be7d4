public import CoreBluetooth

/// A peripheral that a manager has found: what is known of it, and what can be asked of it once it is connected.
public protocol CBMPeripheral: AnyObject {
    var identifier: UUID { get }
    /// Receives the results of the commands.
    var delegate: (any CBMPeripheralDelegate)? { get set }
    /// The name that the peripheral gave when it was asked, else the one that it advertised.
    var name: String? { get }
    var state: CBMPeripheralState { get }
    /// The services found so far; nil before any were looked for.
    var services: [CBMService]? { get }
    /// Whether a write without response can be taken now.
    var canSendWriteWithoutResponse: Bool { get }
    /// Whether the peripheral may have iOS notifications.
    var ancsAuthorized: Bool { get }

    func readRSSI()
    func discoverServices(_ serviceUUIDs: [CBMUUID]?)
    func discoverIncludedServices(_ includedServiceUUIDs: [CBMUUID]?, for service: CBMService)
    func discoverCharacteristics(_ characteristicUUIDs: [CBMUUID]?, for service: CBMService)
    func discoverDescriptors(for characteristic: CBMCharacteristic)
    func readValue(for characteristic: CBMCharacteristic)
    func readValue(for descriptor: CBMDescriptor)
    /// How many bytes of a value one write takes.
    func maximumWriteValueLength(for type: CBMCharacteristicWriteType) -> Int
    func writeValue(_ data: Data, for characteristic: CBMCharacteristic, type: CBMCharacteristicWriteType)
    func writeValue(_ data: Data, for descriptor: CBMDescriptor)
    func setNotifyValue(_ enabled: Bool, for characteristic: CBMCharacteristic)
    func openL2CAPChannel(_ PSM: CBML2CAPPSM)
}
