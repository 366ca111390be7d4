// swift-format-ignore-file
// Written by Scripts/corebluetooth-uses from Resources/corebluetooth-api.tsv; do not edit.

import CoreBluetooth

private func conformsOptionSet<Set: OptionSet>(_: Set.Type) {}
private func conformsSendable<Value: Sendable>(_: Value.Type) {}
private func conformsHashable<Value: Hashable>(_: Value.Type) {}
private func conformsEquatable<Value: Equatable>(_: Value.Type) {}
private func conformsRawRepresentable<Value: RawRepresentable>(_: Value.Type) {}
private func conformsCustomNSError<Failure: CustomNSError>(_: Failure.Type) {}
private func conformsError<Failure: Error>(_: Failure.Type) {}

@available(*, deprecated)
class Open_CBManager: CBManager, @unchecked Sendable {
    override class var authorization: CBManagerAuthorization { super.authorization }
    override var authorization: CBManagerAuthorization { super.authorization }
    override var state: CBManagerState { super.state }
}

@available(*, deprecated)
class Open_CBCentralManager: CBCentralManager, @unchecked Sendable {
    override var isScanning: Bool { super.isScanning }
    override var delegate: (any CBCentralManagerDelegate)? { get { super.delegate } set { super.delegate = newValue } }
    override class func supports(_ features: CBCentralManager.Feature) -> Bool { super.supports(features) }
    override func cancelPeripheralConnection(_ peripheral: CBPeripheral) { super.cancelPeripheralConnection(peripheral) }
    override func connect(_ peripheral: CBPeripheral, options: [String : Any]? = nil) { super.connect(peripheral, options: options) }
    override func registerForConnectionEvents(options: [CBConnectionEventMatchingOption : Any]? = nil) { super.registerForConnectionEvents(options: options) }
    override func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] { super.retrieveConnectedPeripherals(withServices: serviceUUIDs) }
    override func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] { super.retrievePeripherals(withIdentifiers: identifiers) }
    override func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String : Any]? = nil) { super.scanForPeripherals(withServices: serviceUUIDs, options: options) }
    override func stopScan() { super.stopScan() }
}

final class Conforming_CBCentralManagerDelegate: NSObject, CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    func centralManager(_ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral) {}
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}
    func centralManager(_ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?) {}
    func centralManager(_ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?) {}
    func centralManager(_ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String : Any], rssi RSSI: NSNumber) {}
    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {}
    func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {}
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String : Any]) {}
}
final class Sparing_CBCentralManagerDelegate: NSObject, CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
}

@available(*, deprecated)
class Open_CBPeripheralManager: CBPeripheralManager, @unchecked Sendable {
    override var isAdvertising: Bool { super.isAdvertising }
    override var delegate: (any CBPeripheralManagerDelegate)? { get { super.delegate } set { super.delegate = newValue } }
    override class func authorizationStatus() -> CBPeripheralManagerAuthorizationStatus { super.authorizationStatus() }
    override func add(_ service: CBMutableService) { super.add(service) }
    override func publishL2CAPChannel(withEncryption encryptionRequired: Bool) { super.publishL2CAPChannel(withEncryption: encryptionRequired) }
    override func remove(_ service: CBMutableService) { super.remove(service) }
    override func removeAllServices() { super.removeAllServices() }
    override func respond(to request: CBATTRequest, withResult result: CBATTError.Code) { super.respond(to: request, withResult: result) }
    override func setDesiredConnectionLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral) { super.setDesiredConnectionLatency(latency, for: central) }
    override func startAdvertising(_ advertisementData: [String : Any]?) { super.startAdvertising(advertisementData) }
    override func stopAdvertising() { super.stopAdvertising() }
    override func unpublishL2CAPChannel(_ PSM: CBL2CAPPSM) { super.unpublishL2CAPChannel(PSM) }
    override func updateValue(_ value: Data, for characteristic: CBMutableCharacteristic, onSubscribedCentrals centrals: [CBCentral]?) -> Bool { super.updateValue(value, for: characteristic, onSubscribedCentrals: centrals) }
}

final class Conforming_CBPeripheralManagerDelegate: NSObject, CBPeripheralManagerDelegate {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
    func peripheralManager(_ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic) {}
    func peripheralManager(_ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic) {}
    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {}
    func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {}
    func peripheralManager(_ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?) {}
    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {}
    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {}
    func peripheralManager(_ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?) {}
    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String : Any]) {}
    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {}
    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {}
}
final class Sparing_CBPeripheralManagerDelegate: NSObject, CBPeripheralManagerDelegate {
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
}

@available(*, deprecated)
class Open_CBPeer: CBPeer, @unchecked Sendable {
    override var identifier: UUID { super.identifier }
}

@available(*, deprecated)
class Open_CBCentral: CBCentral, @unchecked Sendable {
    override var maximumUpdateValueLength: Int { super.maximumUpdateValueLength }
}

@available(*, deprecated)
class Open_CBPeripheral: CBPeripheral, @unchecked Sendable {
    override var ancsAuthorized: Bool { super.ancsAuthorized }
    override var canSendWriteWithoutResponse: Bool { super.canSendWriteWithoutResponse }
    override var name: String? { super.name }
    override var rssi: NSNumber? { super.rssi }
    override var services: [CBService]? { super.services }
    override var state: CBPeripheralState { super.state }
    override var delegate: (any CBPeripheralDelegate)? { get { super.delegate } set { super.delegate = newValue } }
    override func cancelChannelSoundingSession() { super.cancelChannelSoundingSession() }
    override func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) { super.discoverCharacteristics(characteristicUUIDs, for: service) }
    override func discoverDescriptors(for characteristic: CBCharacteristic) { super.discoverDescriptors(for: characteristic) }
    override func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) { super.discoverIncludedServices(includedServiceUUIDs, for: service) }
    override func discoverServices(_ serviceUUIDs: [CBUUID]?) { super.discoverServices(serviceUUIDs) }
    override func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int { super.maximumWriteValueLength(for: type) }
    override func openL2CAPChannel(_ PSM: CBL2CAPPSM) { super.openL2CAPChannel(PSM) }
    override func readRSSI() { super.readRSSI() }
    override func readValue(for characteristic: CBCharacteristic) { super.readValue(for: characteristic) }
    override func readValue(for descriptor: CBDescriptor) { super.readValue(for: descriptor) }
    override func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) { super.setNotifyValue(enabled, for: characteristic) }
    override func startChannelSoundingSession(_ configuration: CBChannelSoundingSessionConfiguration) { super.startChannelSoundingSession(configuration) }
    override func writeValue(_ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType) { super.writeValue(data, for: characteristic, type: type) }
    override func writeValue(_ data: Data, for descriptor: CBDescriptor) { super.writeValue(data, for: descriptor) }
}

final class Conforming_CBPeripheralDelegate: NSObject, CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didCompleteChannelSoundingSession error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {}
    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didReceive results: CBChannelSoundingProcedureResults?, error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {}
    func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
    func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?) {}
    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {}
}
final class Sparing_CBPeripheralDelegate: NSObject, CBPeripheralDelegate {
}

@available(*, deprecated)
class Open_CBAttribute: CBAttribute, @unchecked Sendable {
    override var uuid: CBUUID { super.uuid }
}

@available(*, deprecated)
class Open_CBService: CBService, @unchecked Sendable {
    override var characteristics: [CBCharacteristic]? { super.characteristics }
    override var includedServices: [CBService]? { super.includedServices }
    override var isPrimary: Bool { super.isPrimary }
    override var peripheral: CBPeripheral! { super.peripheral }
}

@available(*, deprecated)
class Open_CBMutableService: CBMutableService, @unchecked Sendable {
    override var characteristics: [CBCharacteristic]? { get { super.characteristics } set { super.characteristics = newValue } }
    override var includedServices: [CBService]? { get { super.includedServices } set { super.includedServices = newValue } }
}

@available(*, deprecated)
class Open_CBCharacteristic: CBCharacteristic, @unchecked Sendable {
    override var descriptors: [CBDescriptor]? { super.descriptors }
    override var isBroadcasted: Bool { super.isBroadcasted }
    override var isNotifying: Bool { super.isNotifying }
    override var properties: CBCharacteristicProperties { super.properties }
    override var value: Data? { super.value }
    override var service: CBService! { super.service }
}

@available(*, deprecated)
class Open_CBMutableCharacteristic: CBMutableCharacteristic, @unchecked Sendable {
    override var descriptors: [CBDescriptor]? { get { super.descriptors } set { super.descriptors = newValue } }
    override var permissions: CBAttributePermissions { get { super.permissions } set { super.permissions = newValue } }
    override var properties: CBCharacteristicProperties { get { super.properties } set { super.properties = newValue } }
    override var subscribedCentrals: [CBCentral]? { super.subscribedCentrals }
    override var value: Data? { get { super.value } set { super.value = newValue } }
}

@available(*, deprecated)
class Open_CBDescriptor: CBDescriptor, @unchecked Sendable {
    override var value: Any? { super.value }
    override var characteristic: CBCharacteristic! { super.characteristic }
}

@available(*, deprecated)
class Open_CBMutableDescriptor: CBMutableDescriptor, @unchecked Sendable {
}

@available(*, deprecated)
class Open_CBATTRequest: CBATTRequest, @unchecked Sendable {
    override var central: CBCentral { super.central }
    override var characteristic: CBCharacteristic { super.characteristic }
    override var offset: Int { super.offset }
    override var value: Data? { get { super.value } set { super.value = newValue } }
}

@available(*, deprecated)
class Open_CBL2CAPChannel: CBL2CAPChannel, @unchecked Sendable {
    override var inputStream: InputStream? { super.inputStream }
    override var outputStream: OutputStream? { super.outputStream }
    override var peer: CBPeer? { super.peer }
    override var psm: CBL2CAPPSM { super.psm }
}

@available(*, deprecated)
class Open_CBUUID: CBUUID, @unchecked Sendable {
    override var data: Data { super.data }
    override var uuidString: String { super.uuidString }
}

struct EveryRow: UsesOfRows {
    @available(*, deprecated)
    private func use_CBManager(_ uses: inout RowUses) {
        do {
            let _ = CBManager.self
            let _: NSObject.Type = CBManager.self
            uses.row(1, "open class CBManager : NSObject", true)
        }
        do {
            let _: CBManagerAuthorization = CBManager.authorization
            uses.row(2, "open class var authorization: CBManagerAuthorization { get }", true)
        }
        do {
            let _: KeyPath<CBManager, CBManagerAuthorization> = \.authorization
            uses.row(3, "open var authorization: CBManagerAuthorization { get }", true)
        }
        do {
            let _: KeyPath<CBManager, CBManagerState> = \.state
            uses.row(4, "open var state: CBManagerState { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_constants(_ uses: inout RowUses) {
        do {
            let _ = CBManagerState.self
            let _: CBManagerState.RawValue.Type = Int.self
            conformsSendable(CBManagerState.self)
            uses.row(5, "public enum CBManagerState : Int, @unchecked Sendable", CBManagerState(rawValue: 0x7A)?.rawValue == 0x7A && MemoryLayout<CBManagerState>.size == MemoryLayout<Int>.size)
        }
        do {
            let _ = CBManagerAuthorization.self
            let _: CBManagerAuthorization.RawValue.Type = Int.self
            conformsSendable(CBManagerAuthorization.self)
            uses.row(14, "public enum CBManagerAuthorization : Int, @unchecked Sendable", CBManagerAuthorization(rawValue: 0x7A)?.rawValue == 0x7A && MemoryLayout<CBManagerAuthorization>.size == MemoryLayout<Int>.size)
        }
        do {
            let _ = CBCentralManagerState.self
            let _: CBCentralManagerState.RawValue.Type = Int.self
            conformsSendable(CBCentralManagerState.self)
            uses.row(40, "public enum CBCentralManagerState : Int, @unchecked Sendable", CBCentralManagerState(rawValue: 0x7A)?.rawValue == 0x7A && MemoryLayout<CBCentralManagerState>.size == MemoryLayout<Int>.size)
        }
        do {
            let _ = CBConnectionEvent.self
            let _: CBConnectionEvent.RawValue.Type = Int.self
            conformsSendable(CBConnectionEvent.self)
            uses.row(49, "public enum CBConnectionEvent : Int, @unchecked Sendable", CBConnectionEvent(rawValue: 0x7A)?.rawValue == 0x7A && MemoryLayout<CBConnectionEvent>.size == MemoryLayout<Int>.size)
        }
        do {
            let _ = CBConnectionEventMatchingOption.self
            conformsHashable(CBConnectionEventMatchingOption.self)
            conformsEquatable(CBConnectionEventMatchingOption.self)
            conformsRawRepresentable(CBConnectionEventMatchingOption.self)
            conformsSendable(CBConnectionEventMatchingOption.self)
            uses.row(54, "public struct CBConnectionEventMatchingOption : Hashable, Equatable, RawRepresentable, @unchecked Sendable", true)
        }
        do {
            let _ = CBPeripheralManagerAuthorizationStatus.self
            let _: CBPeripheralManagerAuthorizationStatus.RawValue.Type = Int.self
            conformsSendable(CBPeripheralManagerAuthorizationStatus.self)
            uses.row(86, "public enum CBPeripheralManagerAuthorizationStatus : Int, @unchecked Sendable", CBPeripheralManagerAuthorizationStatus(rawValue: 0x7A)?.rawValue == 0x7A && MemoryLayout<CBPeripheralManagerAuthorizationStatus>.size == MemoryLayout<Int>.size)
        }
        do {
            let _ = CBPeripheralManagerState.self
            let _: CBPeripheralManagerState.RawValue.Type = Int.self
            conformsSendable(CBPeripheralManagerState.self)
            uses.row(93, "public enum CBPeripheralManagerState : Int, @unchecked Sendable", CBPeripheralManagerState(rawValue: 0x7A)?.rawValue == 0x7A && MemoryLayout<CBPeripheralManagerState>.size == MemoryLayout<Int>.size)
        }
        do {
            let _ = CBPeripheralManagerConnectionLatency.self
            let _: CBPeripheralManagerConnectionLatency.RawValue.Type = Int.self
            conformsSendable(CBPeripheralManagerConnectionLatency.self)
            uses.row(102, "public enum CBPeripheralManagerConnectionLatency : Int, @unchecked Sendable", CBPeripheralManagerConnectionLatency(rawValue: 0x7A)?.rawValue == 0x7A && MemoryLayout<CBPeripheralManagerConnectionLatency>.size == MemoryLayout<Int>.size)
        }
        do {
            let _ = CBPeripheralState.self
            let _: CBPeripheralState.RawValue.Type = Int.self
            conformsSendable(CBPeripheralState.self)
            uses.row(147, "public enum CBPeripheralState : Int, @unchecked Sendable", CBPeripheralState(rawValue: 0x7A)?.rawValue == 0x7A && MemoryLayout<CBPeripheralState>.size == MemoryLayout<Int>.size)
        }
        do {
            let _ = CBCharacteristicWriteType.self
            let _: CBCharacteristicWriteType.RawValue.Type = Int.self
            conformsSendable(CBCharacteristicWriteType.self)
            uses.row(154, "public enum CBCharacteristicWriteType : Int, @unchecked Sendable", CBCharacteristicWriteType(rawValue: 0x7A)?.rawValue == 0x7A && MemoryLayout<CBCharacteristicWriteType>.size == MemoryLayout<Int>.size)
        }
        do {
            let _ = CBCharacteristicProperties.self
            conformsOptionSet(CBCharacteristicProperties.self)
            conformsSendable(CBCharacteristicProperties.self)
            uses.row(195, "public struct CBCharacteristicProperties : OptionSet, @unchecked Sendable", true)
        }
        do {
            let _ = CBAttributePermissions.self
            conformsOptionSet(CBAttributePermissions.self)
            conformsSendable(CBAttributePermissions.self)
            uses.row(208, "public struct CBAttributePermissions : OptionSet, @unchecked Sendable", true)
        }
        do {
            let _: UInt16.Type = CBL2CAPPSM.self
            uses.row(237, "public typealias CBL2CAPPSM = UInt16", true)
        }
        do {
            let _ = CBError.self
            conformsCustomNSError(CBError.self)
            conformsHashable(CBError.self)
            conformsError(CBError.self)
            conformsSendable(CBError.self)
            uses.row(256, "public struct CBError : CustomNSError, Hashable, Error, Sendable", true)
        }
        do {
            let _ = CBATTError.self
            conformsCustomNSError(CBATTError.self)
            conformsHashable(CBATTError.self)
            conformsError(CBATTError.self)
            conformsSendable(CBATTError.self)
            uses.row(314, "public struct CBATTError : CustomNSError, Hashable, Error, Sendable", true)
        }
        do {
            let value: String = CBATTErrorDomain
            uses.row(364, "public let CBATTErrorDomain: String", value == "CBATTErrorDomain")
        }
        do {
            let value: String = CBAdvertisementDataIsConnectable
            uses.row(365, "public let CBAdvertisementDataIsConnectable: String", value == "kCBAdvDataIsConnectable")
        }
        do {
            let value: String = CBAdvertisementDataLocalNameKey
            uses.row(366, "public let CBAdvertisementDataLocalNameKey: String", value == "kCBAdvDataLocalName")
        }
        do {
            let value: String = CBAdvertisementDataManufacturerDataKey
            uses.row(367, "public let CBAdvertisementDataManufacturerDataKey: String", value == "kCBAdvDataManufacturerData")
        }
        do {
            let value: String = CBAdvertisementDataOverflowServiceUUIDsKey
            uses.row(368, "public let CBAdvertisementDataOverflowServiceUUIDsKey: String", value == "kCBAdvDataHashedServiceUUIDs")
        }
        do {
            let value: String = CBAdvertisementDataServiceDataKey
            uses.row(369, "public let CBAdvertisementDataServiceDataKey: String", value == "kCBAdvDataServiceData")
        }
        do {
            let value: String = CBAdvertisementDataServiceUUIDsKey
            uses.row(370, "public let CBAdvertisementDataServiceUUIDsKey: String", value == "kCBAdvDataServiceUUIDs")
        }
        do {
            let value: String = CBAdvertisementDataSolicitedServiceUUIDsKey
            uses.row(371, "public let CBAdvertisementDataSolicitedServiceUUIDsKey: String", value == "kCBAdvDataSolicitedServiceUUIDs")
        }
        do {
            let value: String = CBAdvertisementDataTxPowerLevelKey
            uses.row(372, "public let CBAdvertisementDataTxPowerLevelKey: String", value == "kCBAdvDataTxPowerLevel")
        }
        do {
            let value: String = CBCentralManagerOptionDeviceAccessForMedia
            uses.row(373, "public let CBCentralManagerOptionDeviceAccessForMedia: String", value == "kCBInitOptionDeviceAccessForMedia")
        }
        do {
            let value: String = CBCentralManagerOptionRestoreIdentifierKey
            uses.row(374, "public let CBCentralManagerOptionRestoreIdentifierKey: String", value == "kCBInitOptionRestoreIdentifier")
        }
        do {
            let value: String = CBCentralManagerOptionShowPowerAlertKey
            uses.row(375, "public let CBCentralManagerOptionShowPowerAlertKey: String", value == "kCBInitOptionShowPowerAlert")
        }
        do {
            let value: String = CBCentralManagerRestoredStatePeripheralsKey
            uses.row(376, "public let CBCentralManagerRestoredStatePeripheralsKey: String", value == "kCBRestoredPeripherals")
        }
        do {
            let value: String = CBCentralManagerRestoredStateScanOptionsKey
            uses.row(377, "public let CBCentralManagerRestoredStateScanOptionsKey: String", value == "kCBRestoredScanOptions")
        }
        do {
            let value: String = CBCentralManagerRestoredStateScanServicesKey
            uses.row(378, "public let CBCentralManagerRestoredStateScanServicesKey: String", value == "kCBRestoredScanServices")
        }
        do {
            let value: String = CBCentralManagerScanOptionAllowDuplicatesKey
            uses.row(379, "public let CBCentralManagerScanOptionAllowDuplicatesKey: String", value == "kCBScanOptionAllowDuplicates")
        }
        do {
            let value: String = CBCentralManagerScanOptionSolicitedServiceUUIDsKey
            uses.row(380, "public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey: String", value == "kCBScanOptionSolicitedServiceUUIDs")
        }
        do {
            let value: String = CBConnectPeripheralOptionEnableAutoReconnect
            uses.row(381, "public let CBConnectPeripheralOptionEnableAutoReconnect: String", value == "kCBConnectOptionEnableAutoReconnect")
        }
        do {
            let value: String = CBConnectPeripheralOptionEnableTransportBridgingKey
            uses.row(382, "public let CBConnectPeripheralOptionEnableTransportBridgingKey: String", value == "kCBConnectOptionEnableTransportBridging")
        }
        do {
            let value: String = CBConnectPeripheralOptionNotifyOnConnectionKey
            uses.row(383, "public let CBConnectPeripheralOptionNotifyOnConnectionKey: String", value == "kCBConnectOptionNotifyOnConnection")
        }
        do {
            let value: String = CBConnectPeripheralOptionNotifyOnDisconnectionKey
            uses.row(384, "public let CBConnectPeripheralOptionNotifyOnDisconnectionKey: String", value == "kCBConnectOptionNotifyOnDisconnection")
        }
        do {
            let value: String = CBConnectPeripheralOptionNotifyOnNotificationKey
            uses.row(385, "public let CBConnectPeripheralOptionNotifyOnNotificationKey: String", value == "kCBConnectOptionNotifyOnNotification")
        }
        do {
            let value: String = CBConnectPeripheralOptionRequiresANCS
            uses.row(386, "public let CBConnectPeripheralOptionRequiresANCS: String", value == "kCBConnectOptionRequiresANCS")
        }
        do {
            let value: String = CBConnectPeripheralOptionStartDelayKey
            uses.row(387, "public let CBConnectPeripheralOptionStartDelayKey: String", value == "kCBConnectOptionStartDelay")
        }
        do {
            let value: String = CBErrorDomain
            uses.row(388, "public let CBErrorDomain: String", value == "CBErrorDomain")
        }
        do {
            let value: String = CBPeripheralManagerOptionRestoreIdentifierKey
            uses.row(389, "public let CBPeripheralManagerOptionRestoreIdentifierKey: String", value == "kCBInitOptionRestoreIdentifier")
        }
        do {
            let value: String = CBPeripheralManagerOptionShowPowerAlertKey
            uses.row(390, "public let CBPeripheralManagerOptionShowPowerAlertKey: String", value == "kCBInitOptionShowPowerAlert")
        }
        do {
            let value: String = CBPeripheralManagerRestoredStateAdvertisementDataKey
            uses.row(391, "public let CBPeripheralManagerRestoredStateAdvertisementDataKey: String", value == "kCBRestoredAdvertisement")
        }
        do {
            let value: String = CBPeripheralManagerRestoredStateServicesKey
            uses.row(392, "public let CBPeripheralManagerRestoredStateServicesKey: String", value == "kCBRestoredServices")
        }
        do {
            let value: String = CBUUIDCharacteristicAggregateFormatString
            uses.row(393, "public let CBUUIDCharacteristicAggregateFormatString: String", value == "2905")
        }
        do {
            let value: String = CBUUIDCharacteristicExtendedPropertiesString
            uses.row(394, "public let CBUUIDCharacteristicExtendedPropertiesString: String", value == "2900")
        }
        do {
            let value: String = CBUUIDCharacteristicFormatString
            uses.row(395, "public let CBUUIDCharacteristicFormatString: String", value == "2904")
        }
        do {
            let value: String = CBUUIDCharacteristicObservationScheduleString
            uses.row(396, "public let CBUUIDCharacteristicObservationScheduleString: String", value == "2910")
        }
        do {
            let value: String = CBUUIDCharacteristicUserDescriptionString
            uses.row(397, "public let CBUUIDCharacteristicUserDescriptionString: String", value == "2901")
        }
        do {
            let value: String = CBUUIDCharacteristicValidRangeString
            uses.row(398, "public let CBUUIDCharacteristicValidRangeString: String", value == "2906")
        }
        do {
            let value: String = CBUUIDClientCharacteristicConfigurationString
            uses.row(399, "public let CBUUIDClientCharacteristicConfigurationString: String", value == "2902")
        }
        do {
            let value: String = CBUUIDL2CAPPSMCharacteristicString
            uses.row(400, "public let CBUUIDL2CAPPSMCharacteristicString: String", value == "ABDD3056-28FA-441D-A470-55A75A52553A")
        }
        do {
            let value: String = CBUUIDServerCharacteristicConfigurationString
            uses.row(401, "public let CBUUIDServerCharacteristicConfigurationString: String", value == "2903")
        }
    }

    @available(*, deprecated)
    private func use_CBManagerState(_ uses: inout RowUses) {
        do {
            let value: CBManagerState = .unknown
            uses.row(6, "case unknown = 0", value.rawValue == 0 && value == CBManagerState(rawValue: 0))
        }
        do {
            let value: CBManagerState = .resetting
            uses.row(7, "case resetting = 1", value.rawValue == 1 && value == CBManagerState(rawValue: 1))
        }
        do {
            let value: CBManagerState = .unsupported
            uses.row(8, "case unsupported = 2", value.rawValue == 2 && value == CBManagerState(rawValue: 2))
        }
        do {
            let value: CBManagerState = .unauthorized
            uses.row(9, "case unauthorized = 3", value.rawValue == 3 && value == CBManagerState(rawValue: 3))
        }
        do {
            let value: CBManagerState = .poweredOff
            uses.row(10, "case poweredOff = 4", value.rawValue == 4 && value == CBManagerState(rawValue: 4))
        }
        do {
            let value: CBManagerState = .poweredOn
            uses.row(11, "case poweredOn = 5", value.rawValue == 5 && value == CBManagerState(rawValue: 5))
        }
        do {
            let value: CBManagerState? = CBManagerState(rawValue: 3)
            uses.row(12, "public init?(rawValue: Int)", value?.rawValue == 3)
        }
        do {
            let _: KeyPath<CBManagerState, Int> = \.rawValue
            uses.row(13, "public var rawValue: Int { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBManagerAuthorization(_ uses: inout RowUses) {
        do {
            let value: CBManagerAuthorization = .notDetermined
            uses.row(15, "case notDetermined = 0", value.rawValue == 0 && value == CBManagerAuthorization(rawValue: 0))
        }
        do {
            let value: CBManagerAuthorization = .restricted
            uses.row(16, "case restricted = 1", value.rawValue == 1 && value == CBManagerAuthorization(rawValue: 1))
        }
        do {
            let value: CBManagerAuthorization = .denied
            uses.row(17, "case denied = 2", value.rawValue == 2 && value == CBManagerAuthorization(rawValue: 2))
        }
        do {
            let value: CBManagerAuthorization = .allowedAlways
            uses.row(18, "case allowedAlways = 3", value.rawValue == 3 && value == CBManagerAuthorization(rawValue: 3))
        }
        do {
            let value: CBManagerAuthorization? = CBManagerAuthorization(rawValue: 3)
            uses.row(19, "public init?(rawValue: Int)", value?.rawValue == 3)
        }
        do {
            let _: KeyPath<CBManagerAuthorization, Int> = \.rawValue
            uses.row(20, "public var rawValue: Int { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBCentralManager(_ uses: inout RowUses) {
        do {
            let _ = CBCentralManager.self
            let _: CBManager.Type = CBCentralManager.self
            uses.row(21, "open class CBCentralManager : CBManager", true)
        }
        do {
            let _: () -> CBCentralManager = { CBCentralManager() }
            uses.row(22, "public convenience init()", true)
        }
        do {
            let _: ((any CBCentralManagerDelegate)?, DispatchQueue?) -> CBCentralManager = CBCentralManager.init(delegate:queue:)
            uses.row(23, "public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: dispatch_queue_t?)", true)
        }
        do {
            let _: ((any CBCentralManagerDelegate)?, DispatchQueue?, [String : Any]?) -> CBCentralManager = CBCentralManager.init(delegate:queue:options:)
            let _: ((any CBCentralManagerDelegate)?, DispatchQueue?) -> Void = { _ = CBCentralManager(delegate: $0, queue: $1) }
            uses.row(24, "public init(delegate: (any CBCentralManagerDelegate)?, queue: dispatch_queue_t?, options: [String : Any]? = nil)", true)
        }
        do {
            let _: KeyPath<CBCentralManager, Bool> = \.isScanning
            uses.row(25, "open var isScanning: Bool { get }", true)
        }
        do {
            let _: ReferenceWritableKeyPath<CBCentralManager, (any CBCentralManagerDelegate)?> = \.delegate
            uses.row(26, "open weak var delegate: (any CBCentralManagerDelegate)? { get set }", true)
        }
        do {
            let _: (CBCentralManager.Feature) -> Bool = CBCentralManager.supports(_:)
            uses.row(27, "open class func supports(_ features: CBCentralManager.Feature) -> Bool", true)
        }
        do {
            let _: (CBCentralManager) -> (CBPeripheral) -> Void = CBCentralManager.cancelPeripheralConnection(_:)
            uses.row(28, "open func cancelPeripheralConnection(_ peripheral: CBPeripheral)", true)
        }
        do {
            let _: (CBCentralManager) -> (CBPeripheral, [String : Any]?) -> Void = CBCentralManager.connect(_:options:)
            let _: (CBCentralManager, CBPeripheral) -> Void = { $0.connect($1) }
            uses.row(29, "open func connect(_ peripheral: CBPeripheral, options: [String : Any]? = nil)", true)
        }
        do {
            let _: (CBCentralManager) -> ([CBConnectionEventMatchingOption : Any]?) -> Void = CBCentralManager.registerForConnectionEvents(options:)
            let _: (CBCentralManager) -> Void = { $0.registerForConnectionEvents() }
            uses.row(30, "open func registerForConnectionEvents(options: [CBConnectionEventMatchingOption : Any]? = nil)", true)
        }
        do {
            let _: (CBCentralManager) -> ([CBUUID]) -> [CBPeripheral] = CBCentralManager.retrieveConnectedPeripherals(withServices:)
            uses.row(31, "open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral]", true)
        }
        do {
            let _: (CBCentralManager) -> ([UUID]) -> [CBPeripheral] = CBCentralManager.retrievePeripherals(withIdentifiers:)
            uses.row(32, "open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral]", true)
        }
        do {
            let _: (CBCentralManager) -> ([CBUUID]?, [String : Any]?) -> Void = CBCentralManager.scanForPeripherals(withServices:options:)
            let _: (CBCentralManager, [CBUUID]?) -> Void = { $0.scanForPeripherals(withServices: $1) }
            uses.row(33, "open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String : Any]? = nil)", true)
        }
        do {
            let _: (CBCentralManager) -> () -> Void = CBCentralManager.stopScan
            uses.row(34, "open func stopScan()", true)
        }
        do {
            let _ = CBCentralManager.Feature.self
            conformsOptionSet(CBCentralManager.Feature.self)
            conformsSendable(CBCentralManager.Feature.self)
            uses.row(35, "public struct Feature : OptionSet, @unchecked Sendable", true)
        }
    }

    @available(*, deprecated)
    private func use_CBCentralManager_Feature(_ uses: inout RowUses) {
        do {
            let value: CBCentralManager.Feature = .extendedScanAndConnect
            uses.row(36, "public static var extendedScanAndConnect: CBCentralManager.Feature { get }", value.rawValue == 0x1)
        }
        do {
            let value: CBCentralManager.Feature = .channelSounding
            uses.row(37, "public static var channelSounding: CBCentralManager.Feature { get }", value.rawValue == 0x400)
        }
        do {
            let value: CBCentralManager.Feature = CBCentralManager.Feature(rawValue: 3)
            uses.row(38, "public init(rawValue: UInt)", value.rawValue == 3)
        }
        do {
            let _: KeyPath<CBCentralManager.Feature, UInt> = \.rawValue
            uses.row(39, "public var rawValue: UInt { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBCentralManagerState(_ uses: inout RowUses) {
        do {
            let value: CBCentralManagerState = .unknown
            uses.row(41, "case unknown = 0", value.rawValue == 0 && value == CBCentralManagerState(rawValue: 0))
        }
        do {
            let value: CBCentralManagerState = .resetting
            uses.row(42, "case resetting = 1", value.rawValue == 1 && value == CBCentralManagerState(rawValue: 1))
        }
        do {
            let value: CBCentralManagerState = .unsupported
            uses.row(43, "case unsupported = 2", value.rawValue == 2 && value == CBCentralManagerState(rawValue: 2))
        }
        do {
            let value: CBCentralManagerState = .unauthorized
            uses.row(44, "case unauthorized = 3", value.rawValue == 3 && value == CBCentralManagerState(rawValue: 3))
        }
        do {
            let value: CBCentralManagerState = .poweredOff
            uses.row(45, "case poweredOff = 4", value.rawValue == 4 && value == CBCentralManagerState(rawValue: 4))
        }
        do {
            let value: CBCentralManagerState = .poweredOn
            uses.row(46, "case poweredOn = 5", value.rawValue == 5 && value == CBCentralManagerState(rawValue: 5))
        }
        do {
            let value: CBCentralManagerState? = CBCentralManagerState(rawValue: 3)
            uses.row(47, "public init?(rawValue: Int)", value?.rawValue == 3)
        }
        do {
            let _: KeyPath<CBCentralManagerState, Int> = \.rawValue
            uses.row(48, "public var rawValue: Int { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBConnectionEvent(_ uses: inout RowUses) {
        do {
            let value: CBConnectionEvent = .peerDisconnected
            uses.row(50, "case peerDisconnected = 0", value.rawValue == 0 && value == CBConnectionEvent(rawValue: 0))
        }
        do {
            let value: CBConnectionEvent = .peerConnected
            uses.row(51, "case peerConnected = 1", value.rawValue == 1 && value == CBConnectionEvent(rawValue: 1))
        }
        do {
            let value: CBConnectionEvent? = CBConnectionEvent(rawValue: 3)
            uses.row(52, "public init?(rawValue: Int)", value?.rawValue == 3)
        }
        do {
            let _: KeyPath<CBConnectionEvent, Int> = \.rawValue
            uses.row(53, "public var rawValue: Int { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBConnectionEventMatchingOption(_ uses: inout RowUses) {
        do {
            let value: CBConnectionEventMatchingOption = CBConnectionEventMatchingOption(rawValue: "a")
            uses.row(55, "public init(rawValue: String)", value.rawValue == "a")
        }
        do {
            let _: KeyPath<CBConnectionEventMatchingOption, String> = \.rawValue
            uses.row(56, "public var rawValue: String { get }", true)
        }
        do {
            let value: CBConnectionEventMatchingOption = .peripheralUUIDs
            uses.row(57, "public static let peripheralUUIDs: CBConnectionEventMatchingOption", value.rawValue == "kCBConnectionEventMatchingOptionPeripheralUUIDs")
        }
        do {
            let value: CBConnectionEventMatchingOption = .serviceUUIDs
            uses.row(58, "public static let serviceUUIDs: CBConnectionEventMatchingOption", value.rawValue == "kCBConnectionEventMatchingOptionServiceUUIDs")
        }
    }

    @available(*, deprecated)
    private func use_CBCentralManagerDelegate(_ uses: inout RowUses) {
        do {
            let _: any CBCentralManagerDelegate.Type = Conforming_CBCentralManagerDelegate.self
            uses.row(59, "public protocol CBCentralManagerDelegate : NSObjectProtocol", true)
        }
        do {
            let _: (any CBCentralManagerDelegate) -> (CBCentralManager) -> Void = { (delegate: any CBCentralManagerDelegate) in delegate.centralManagerDidUpdateState(_:) }
            uses.row(60, "func centralManagerDidUpdateState(_ central: CBCentralManager)", true)
        }
        do {
            let _: (any CBCentralManagerDelegate) -> (CBCentralManager, CBConnectionEvent, CBPeripheral) -> Void = { (delegate: any CBCentralManagerDelegate) in delegate.centralManager(_:connectionEventDidOccur:for:) }
            uses.row(61, "optional func centralManager(_ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral)", true)
        }
        do {
            let _: (any CBCentralManagerDelegate) -> (CBCentralManager, CBPeripheral) -> Void = { (delegate: any CBCentralManagerDelegate) in delegate.centralManager(_:didConnect:) }
            uses.row(62, "optional func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)", true)
        }
        do {
            let _: (any CBCentralManagerDelegate) -> (CBCentralManager, CBPeripheral, (any Error)?) -> Void = { (delegate: any CBCentralManagerDelegate) in delegate.centralManager(_:didDisconnectPeripheral:error:) }
            uses.row(63, "optional func centralManager(_ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?)", true)
        }
        do {
            let _: (any CBCentralManagerDelegate) -> (CBCentralManager, CBPeripheral, CFAbsoluteTime, Bool, (any Error)?) -> Void = { (delegate: any CBCentralManagerDelegate) in delegate.centralManager(_:didDisconnectPeripheral:timestamp:isReconnecting:error:) }
            uses.row(64, "optional func centralManager(_ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?)", true)
        }
        do {
            let _: (any CBCentralManagerDelegate) -> (CBCentralManager, CBPeripheral, [String : Any], NSNumber) -> Void = { (delegate: any CBCentralManagerDelegate) in delegate.centralManager(_:didDiscover:advertisementData:rssi:) }
            uses.row(65, "optional func centralManager(_ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String : Any], rssi RSSI: NSNumber)", true)
        }
        do {
            let _: (any CBCentralManagerDelegate) -> (CBCentralManager, CBPeripheral, (any Error)?) -> Void = { (delegate: any CBCentralManagerDelegate) in delegate.centralManager(_:didFailToConnect:error:) }
            uses.row(66, "optional func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?)", true)
        }
        do {
            let _: (any CBCentralManagerDelegate) -> (CBCentralManager, CBPeripheral) -> Void = { (delegate: any CBCentralManagerDelegate) in delegate.centralManager(_:didUpdateANCSAuthorizationFor:) }
            uses.row(67, "optional func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral)", true)
        }
        do {
            let _: (any CBCentralManagerDelegate) -> (CBCentralManager, [String : Any]) -> Void = { (delegate: any CBCentralManagerDelegate) in delegate.centralManager(_:willRestoreState:) }
            uses.row(68, "optional func centralManager(_ central: CBCentralManager, willRestoreState dict: [String : Any])", true)
        }
    }

    @available(*, deprecated)
    private func use_CBPeripheralManager(_ uses: inout RowUses) {
        do {
            let _ = CBPeripheralManager.self
            let _: CBManager.Type = CBPeripheralManager.self
            uses.row(69, "open class CBPeripheralManager : CBManager", true)
        }
        do {
            let _: () -> CBPeripheralManager = { CBPeripheralManager() }
            uses.row(70, "public convenience init()", true)
        }
        do {
            let _: ((any CBPeripheralManagerDelegate)?, DispatchQueue?) -> CBPeripheralManager = CBPeripheralManager.init(delegate:queue:)
            uses.row(71, "public convenience init(delegate: (any CBPeripheralManagerDelegate)?, queue: dispatch_queue_t?)", true)
        }
        do {
            let _: ((any CBPeripheralManagerDelegate)?, DispatchQueue?, [String : Any]?) -> CBPeripheralManager = CBPeripheralManager.init(delegate:queue:options:)
            let _: ((any CBPeripheralManagerDelegate)?, DispatchQueue?) -> Void = { _ = CBPeripheralManager(delegate: $0, queue: $1) }
            uses.row(72, "public init(delegate: (any CBPeripheralManagerDelegate)?, queue: dispatch_queue_t?, options: [String : Any]? = nil)", true)
        }
        do {
            let _: KeyPath<CBPeripheralManager, Bool> = \.isAdvertising
            uses.row(73, "open var isAdvertising: Bool { get }", true)
        }
        do {
            let _: ReferenceWritableKeyPath<CBPeripheralManager, (any CBPeripheralManagerDelegate)?> = \.delegate
            uses.row(74, "open weak var delegate: (any CBPeripheralManagerDelegate)? { get set }", true)
        }
        do {
            let _: () -> CBPeripheralManagerAuthorizationStatus = CBPeripheralManager.authorizationStatus
            uses.row(75, "open class func authorizationStatus() -> CBPeripheralManagerAuthorizationStatus", true)
        }
        do {
            let _: (CBPeripheralManager) -> (CBMutableService) -> Void = CBPeripheralManager.add(_:)
            uses.row(76, "open func add(_ service: CBMutableService)", true)
        }
        do {
            let _: (CBPeripheralManager) -> (Bool) -> Void = CBPeripheralManager.publishL2CAPChannel(withEncryption:)
            uses.row(77, "open func publishL2CAPChannel(withEncryption encryptionRequired: Bool)", true)
        }
        do {
            let _: (CBPeripheralManager) -> (CBMutableService) -> Void = CBPeripheralManager.remove(_:)
            uses.row(78, "open func remove(_ service: CBMutableService)", true)
        }
        do {
            let _: (CBPeripheralManager) -> () -> Void = CBPeripheralManager.removeAllServices
            uses.row(79, "open func removeAllServices()", true)
        }
        do {
            let _: (CBPeripheralManager) -> (CBATTRequest, CBATTError.Code) -> Void = CBPeripheralManager.respond(to:withResult:)
            uses.row(80, "open func respond(to request: CBATTRequest, withResult result: CBATTError.Code)", true)
        }
        do {
            let _: (CBPeripheralManager) -> (CBPeripheralManagerConnectionLatency, CBCentral) -> Void = CBPeripheralManager.setDesiredConnectionLatency(_:for:)
            uses.row(81, "open func setDesiredConnectionLatency(_ latency: CBPeripheralManagerConnectionLatency, for central: CBCentral)", true)
        }
        do {
            let _: (CBPeripheralManager) -> ([String : Any]?) -> Void = CBPeripheralManager.startAdvertising(_:)
            uses.row(82, "open func startAdvertising(_ advertisementData: [String : Any]?)", true)
        }
        do {
            let _: (CBPeripheralManager) -> () -> Void = CBPeripheralManager.stopAdvertising
            uses.row(83, "open func stopAdvertising()", true)
        }
        do {
            let _: (CBPeripheralManager) -> (CBL2CAPPSM) -> Void = CBPeripheralManager.unpublishL2CAPChannel(_:)
            uses.row(84, "open func unpublishL2CAPChannel(_ PSM: CBL2CAPPSM)", true)
        }
        do {
            let _: (CBPeripheralManager) -> (Data, CBMutableCharacteristic, [CBCentral]?) -> Bool = CBPeripheralManager.updateValue(_:for:onSubscribedCentrals:)
            uses.row(85, "open func updateValue(_ value: Data, for characteristic: CBMutableCharacteristic, onSubscribedCentrals centrals: [CBCentral]?) -> Bool", true)
        }
    }

    @available(*, deprecated)
    private func use_CBPeripheralManagerAuthorizationStatus(_ uses: inout RowUses) {
        do {
            let value: CBPeripheralManagerAuthorizationStatus = .notDetermined
            uses.row(87, "case notDetermined = 0", value.rawValue == 0 && value == CBPeripheralManagerAuthorizationStatus(rawValue: 0))
        }
        do {
            let value: CBPeripheralManagerAuthorizationStatus = .restricted
            uses.row(88, "case restricted = 1", value.rawValue == 1 && value == CBPeripheralManagerAuthorizationStatus(rawValue: 1))
        }
        do {
            let value: CBPeripheralManagerAuthorizationStatus = .denied
            uses.row(89, "case denied = 2", value.rawValue == 2 && value == CBPeripheralManagerAuthorizationStatus(rawValue: 2))
        }
        do {
            let value: CBPeripheralManagerAuthorizationStatus = .authorized
            uses.row(90, "case authorized = 3", value.rawValue == 3 && value == CBPeripheralManagerAuthorizationStatus(rawValue: 3))
        }
        do {
            let value: CBPeripheralManagerAuthorizationStatus? = CBPeripheralManagerAuthorizationStatus(rawValue: 3)
            uses.row(91, "public init?(rawValue: Int)", value?.rawValue == 3)
        }
        do {
            let _: KeyPath<CBPeripheralManagerAuthorizationStatus, Int> = \.rawValue
            uses.row(92, "public var rawValue: Int { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBPeripheralManagerState(_ uses: inout RowUses) {
        do {
            let value: CBPeripheralManagerState = .unknown
            uses.row(94, "case unknown = 0", value.rawValue == 0 && value == CBPeripheralManagerState(rawValue: 0))
        }
        do {
            let value: CBPeripheralManagerState = .resetting
            uses.row(95, "case resetting = 1", value.rawValue == 1 && value == CBPeripheralManagerState(rawValue: 1))
        }
        do {
            let value: CBPeripheralManagerState = .unsupported
            uses.row(96, "case unsupported = 2", value.rawValue == 2 && value == CBPeripheralManagerState(rawValue: 2))
        }
        do {
            let value: CBPeripheralManagerState = .unauthorized
            uses.row(97, "case unauthorized = 3", value.rawValue == 3 && value == CBPeripheralManagerState(rawValue: 3))
        }
        do {
            let value: CBPeripheralManagerState = .poweredOff
            uses.row(98, "case poweredOff = 4", value.rawValue == 4 && value == CBPeripheralManagerState(rawValue: 4))
        }
        do {
            let value: CBPeripheralManagerState = .poweredOn
            uses.row(99, "case poweredOn = 5", value.rawValue == 5 && value == CBPeripheralManagerState(rawValue: 5))
        }
        do {
            let value: CBPeripheralManagerState? = CBPeripheralManagerState(rawValue: 3)
            uses.row(100, "public init?(rawValue: Int)", value?.rawValue == 3)
        }
        do {
            let _: KeyPath<CBPeripheralManagerState, Int> = \.rawValue
            uses.row(101, "public var rawValue: Int { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBPeripheralManagerConnectionLatency(_ uses: inout RowUses) {
        do {
            let value: CBPeripheralManagerConnectionLatency = .low
            uses.row(103, "case low = 0", value.rawValue == 0 && value == CBPeripheralManagerConnectionLatency(rawValue: 0))
        }
        do {
            let value: CBPeripheralManagerConnectionLatency = .medium
            uses.row(104, "case medium = 1", value.rawValue == 1 && value == CBPeripheralManagerConnectionLatency(rawValue: 1))
        }
        do {
            let value: CBPeripheralManagerConnectionLatency = .high
            uses.row(105, "case high = 2", value.rawValue == 2 && value == CBPeripheralManagerConnectionLatency(rawValue: 2))
        }
        do {
            let value: CBPeripheralManagerConnectionLatency? = CBPeripheralManagerConnectionLatency(rawValue: 3)
            uses.row(106, "public init?(rawValue: Int)", value?.rawValue == 3)
        }
        do {
            let _: KeyPath<CBPeripheralManagerConnectionLatency, Int> = \.rawValue
            uses.row(107, "public var rawValue: Int { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBPeripheralManagerDelegate(_ uses: inout RowUses) {
        do {
            let _: any CBPeripheralManagerDelegate.Type = Conforming_CBPeripheralManagerDelegate.self
            uses.row(108, "public protocol CBPeripheralManagerDelegate : NSObjectProtocol", true)
        }
        do {
            let _: (any CBPeripheralManagerDelegate) -> (CBPeripheralManager) -> Void = { (delegate: any CBPeripheralManagerDelegate) in delegate.peripheralManagerDidUpdateState(_:) }
            uses.row(109, "func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager)", true)
        }
        do {
            let _: (any CBPeripheralManagerDelegate) -> (CBPeripheralManager, CBCentral, CBCharacteristic) -> Void = { (delegate: any CBPeripheralManagerDelegate) in delegate.peripheralManager(_:central:didSubscribeTo:) }
            uses.row(110, "optional func peripheralManager(_ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic)", true)
        }
        do {
            let _: (any CBPeripheralManagerDelegate) -> (CBPeripheralManager, CBCentral, CBCharacteristic) -> Void = { (delegate: any CBPeripheralManagerDelegate) in delegate.peripheralManager(_:central:didUnsubscribeFrom:) }
            uses.row(111, "optional func peripheralManager(_ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic)", true)
        }
        do {
            let _: (any CBPeripheralManagerDelegate) -> (CBPeripheralManager, CBService, (any Error)?) -> Void = { (delegate: any CBPeripheralManagerDelegate) in delegate.peripheralManager(_:didAdd:error:) }
            uses.row(112, "optional func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralManagerDelegate) -> (CBPeripheralManager, CBL2CAPChannel?, (any Error)?) -> Void = { (delegate: any CBPeripheralManagerDelegate) in delegate.peripheralManager(_:didOpen:error:) }
            uses.row(113, "optional func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralManagerDelegate) -> (CBPeripheralManager, CBL2CAPPSM, (any Error)?) -> Void = { (delegate: any CBPeripheralManagerDelegate) in delegate.peripheralManager(_:didPublishL2CAPChannel:error:) }
            uses.row(114, "optional func peripheralManager(_ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralManagerDelegate) -> (CBPeripheralManager, CBATTRequest) -> Void = { (delegate: any CBPeripheralManagerDelegate) in delegate.peripheralManager(_:didReceiveRead:) }
            uses.row(115, "optional func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest)", true)
        }
        do {
            let _: (any CBPeripheralManagerDelegate) -> (CBPeripheralManager, [CBATTRequest]) -> Void = { (delegate: any CBPeripheralManagerDelegate) in delegate.peripheralManager(_:didReceiveWrite:) }
            uses.row(116, "optional func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest])", true)
        }
        do {
            let _: (any CBPeripheralManagerDelegate) -> (CBPeripheralManager, CBL2CAPPSM, (any Error)?) -> Void = { (delegate: any CBPeripheralManagerDelegate) in delegate.peripheralManager(_:didUnpublishL2CAPChannel:error:) }
            uses.row(117, "optional func peripheralManager(_ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralManagerDelegate) -> (CBPeripheralManager, [String : Any]) -> Void = { (delegate: any CBPeripheralManagerDelegate) in delegate.peripheralManager(_:willRestoreState:) }
            uses.row(118, "optional func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String : Any])", true)
        }
        do {
            let _: (any CBPeripheralManagerDelegate) -> (CBPeripheralManager, (any Error)?) -> Void = { (delegate: any CBPeripheralManagerDelegate) in delegate.peripheralManagerDidStartAdvertising(_:error:) }
            uses.row(119, "optional func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralManagerDelegate) -> (CBPeripheralManager) -> Void = { (delegate: any CBPeripheralManagerDelegate) in delegate.peripheralManagerIsReady(toUpdateSubscribers:) }
            uses.row(120, "optional func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager)", true)
        }
    }

    @available(*, deprecated)
    private func use_CBPeer(_ uses: inout RowUses) {
        do {
            let _ = CBPeer.self
            let _: NSObject.Type = CBPeer.self
            let _: any NSCopying.Type = CBPeer.self
            uses.row(121, "open class CBPeer : NSObject, NSCopying", true)
        }
        do {
            let _: KeyPath<CBPeer, UUID> = \.identifier
            uses.row(122, "open var identifier: UUID { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBCentral(_ uses: inout RowUses) {
        do {
            let _ = CBCentral.self
            let _: CBPeer.Type = CBCentral.self
            uses.row(123, "open class CBCentral : CBPeer", true)
        }
        do {
            let _: KeyPath<CBCentral, Int> = \.maximumUpdateValueLength
            uses.row(124, "open var maximumUpdateValueLength: Int { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBPeripheral(_ uses: inout RowUses) {
        do {
            let _ = CBPeripheral.self
            let _: CBPeer.Type = CBPeripheral.self
            uses.row(125, "open class CBPeripheral : CBPeer", true)
        }
        do {
            let _: KeyPath<CBPeripheral, Bool> = \.ancsAuthorized
            uses.row(126, "open var ancsAuthorized: Bool { get }", true)
        }
        do {
            let _: KeyPath<CBPeripheral, Bool> = \.canSendWriteWithoutResponse
            uses.row(127, "open var canSendWriteWithoutResponse: Bool { get }", true)
        }
        do {
            let _: KeyPath<CBPeripheral, String?> = \.name
            uses.row(128, "open var name: String? { get }", true)
        }
        do {
            let _: KeyPath<CBPeripheral, NSNumber?> = \.rssi
            uses.row(129, "open var rssi: NSNumber? { get }", true)
        }
        do {
            let _: KeyPath<CBPeripheral, [CBService]?> = \.services
            uses.row(130, "open var services: [CBService]? { get }", true)
        }
        do {
            let _: KeyPath<CBPeripheral, CBPeripheralState> = \.state
            uses.row(131, "open var state: CBPeripheralState { get }", true)
        }
        do {
            let _: ReferenceWritableKeyPath<CBPeripheral, (any CBPeripheralDelegate)?> = \.delegate
            uses.row(132, "open weak var delegate: (any CBPeripheralDelegate)? { get set }", true)
        }
        do {
            let _: (CBPeripheral) -> () -> Void = CBPeripheral.cancelChannelSoundingSession
            uses.row(133, "open func cancelChannelSoundingSession()", true)
        }
        do {
            let _: (CBPeripheral) -> ([CBUUID]?, CBService) -> Void = CBPeripheral.discoverCharacteristics(_:for:)
            uses.row(134, "open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService)", true)
        }
        do {
            let _: (CBPeripheral) -> (CBCharacteristic) -> Void = CBPeripheral.discoverDescriptors(for:)
            uses.row(135, "open func discoverDescriptors(for characteristic: CBCharacteristic)", true)
        }
        do {
            let _: (CBPeripheral) -> ([CBUUID]?, CBService) -> Void = CBPeripheral.discoverIncludedServices(_:for:)
            uses.row(136, "open func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService)", true)
        }
        do {
            let _: (CBPeripheral) -> ([CBUUID]?) -> Void = CBPeripheral.discoverServices(_:)
            uses.row(137, "open func discoverServices(_ serviceUUIDs: [CBUUID]?)", true)
        }
        do {
            let _: (CBPeripheral) -> (CBCharacteristicWriteType) -> Int = CBPeripheral.maximumWriteValueLength(for:)
            uses.row(138, "open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int", true)
        }
        do {
            let _: (CBPeripheral) -> (CBL2CAPPSM) -> Void = CBPeripheral.openL2CAPChannel(_:)
            uses.row(139, "open func openL2CAPChannel(_ PSM: CBL2CAPPSM)", true)
        }
        do {
            let _: (CBPeripheral) -> () -> Void = CBPeripheral.readRSSI
            uses.row(140, "open func readRSSI()", true)
        }
        do {
            let _: (CBPeripheral) -> (CBCharacteristic) -> Void = CBPeripheral.readValue(for:)
            uses.row(141, "open func readValue(for characteristic: CBCharacteristic)", true)
        }
        do {
            let _: (CBPeripheral) -> (CBDescriptor) -> Void = CBPeripheral.readValue(for:)
            uses.row(142, "open func readValue(for descriptor: CBDescriptor)", true)
        }
        do {
            let _: (CBPeripheral) -> (Bool, CBCharacteristic) -> Void = CBPeripheral.setNotifyValue(_:for:)
            uses.row(143, "open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic)", true)
        }
        do {
            let _: (CBPeripheral) -> (CBChannelSoundingSessionConfiguration) -> Void = CBPeripheral.startChannelSoundingSession(_:)
            uses.row(144, "open func startChannelSoundingSession(_ configuration: CBChannelSoundingSessionConfiguration)", true)
        }
        do {
            let _: (CBPeripheral) -> (Data, CBCharacteristic, CBCharacteristicWriteType) -> Void = CBPeripheral.writeValue(_:for:type:)
            uses.row(145, "open func writeValue(_ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType)", true)
        }
        do {
            let _: (CBPeripheral) -> (Data, CBDescriptor) -> Void = CBPeripheral.writeValue(_:for:)
            uses.row(146, "open func writeValue(_ data: Data, for descriptor: CBDescriptor)", true)
        }
    }

    @available(*, deprecated)
    private func use_CBPeripheralState(_ uses: inout RowUses) {
        do {
            let value: CBPeripheralState = .disconnected
            uses.row(148, "case disconnected = 0", value.rawValue == 0 && value == CBPeripheralState(rawValue: 0))
        }
        do {
            let value: CBPeripheralState = .connecting
            uses.row(149, "case connecting = 1", value.rawValue == 1 && value == CBPeripheralState(rawValue: 1))
        }
        do {
            let value: CBPeripheralState = .connected
            uses.row(150, "case connected = 2", value.rawValue == 2 && value == CBPeripheralState(rawValue: 2))
        }
        do {
            let value: CBPeripheralState = .disconnecting
            uses.row(151, "case disconnecting = 3", value.rawValue == 3 && value == CBPeripheralState(rawValue: 3))
        }
        do {
            let value: CBPeripheralState? = CBPeripheralState(rawValue: 3)
            uses.row(152, "public init?(rawValue: Int)", value?.rawValue == 3)
        }
        do {
            let _: KeyPath<CBPeripheralState, Int> = \.rawValue
            uses.row(153, "public var rawValue: Int { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBCharacteristicWriteType(_ uses: inout RowUses) {
        do {
            let value: CBCharacteristicWriteType = .withResponse
            uses.row(155, "case withResponse = 0", value.rawValue == 0 && value == CBCharacteristicWriteType(rawValue: 0))
        }
        do {
            let value: CBCharacteristicWriteType = .withoutResponse
            uses.row(156, "case withoutResponse = 1", value.rawValue == 1 && value == CBCharacteristicWriteType(rawValue: 1))
        }
        do {
            let value: CBCharacteristicWriteType? = CBCharacteristicWriteType(rawValue: 3)
            uses.row(157, "public init?(rawValue: Int)", value?.rawValue == 3)
        }
        do {
            let _: KeyPath<CBCharacteristicWriteType, Int> = \.rawValue
            uses.row(158, "public var rawValue: Int { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBPeripheralDelegate(_ uses: inout RowUses) {
        do {
            let _: any CBPeripheralDelegate.Type = Conforming_CBPeripheralDelegate.self
            uses.row(159, "public protocol CBPeripheralDelegate : NSObjectProtocol", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didCompleteChannelSoundingSession:) }
            uses.row(160, "optional func peripheral(_ peripheral: CBPeripheral, didCompleteChannelSoundingSession error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, CBService, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didDiscoverCharacteristicsFor:error:) }
            uses.row(161, "optional func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, CBCharacteristic, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didDiscoverDescriptorsFor:error:) }
            uses.row(162, "optional func peripheral(_ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, CBService, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didDiscoverIncludedServicesFor:error:) }
            uses.row(163, "optional func peripheral(_ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didDiscoverServices:) }
            uses.row(164, "optional func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, [CBService]) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didModifyServices:) }
            uses.row(165, "optional func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService])", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, CBL2CAPChannel?, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didOpen:error:) }
            uses.row(166, "optional func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, NSNumber, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didReadRSSI:error:) }
            uses.row(167, "optional func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, CBChannelSoundingProcedureResults?, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didReceive:error:) }
            uses.row(168, "optional func peripheral(_ peripheral: CBPeripheral, didReceive results: CBChannelSoundingProcedureResults?, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, CBCharacteristic, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didUpdateNotificationStateFor:error:) }
            uses.row(169, "optional func peripheral(_ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, CBCharacteristic, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didUpdateValueFor:error:) }
            uses.row(170, "optional func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, CBDescriptor, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didUpdateValueFor:error:) }
            uses.row(171, "optional func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, CBCharacteristic, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didWriteValueFor:error:) }
            uses.row(172, "optional func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, CBDescriptor, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheral(_:didWriteValueFor:error:) }
            uses.row(173, "optional func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheralDidUpdateName(_:) }
            uses.row(174, "optional func peripheralDidUpdateName(_ peripheral: CBPeripheral)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral, (any Error)?) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheralDidUpdateRSSI(_:error:) }
            uses.row(175, "optional func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?)", true)
        }
        do {
            let _: (any CBPeripheralDelegate) -> (CBPeripheral) -> Void = { (delegate: any CBPeripheralDelegate) in delegate.peripheralIsReady(toSendWriteWithoutResponse:) }
            uses.row(176, "optional func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral)", true)
        }
    }

    @available(*, deprecated)
    private func use_CBAttribute(_ uses: inout RowUses) {
        do {
            let _ = CBAttribute.self
            let _: NSObject.Type = CBAttribute.self
            uses.row(177, "open class CBAttribute : NSObject", true)
        }
        do {
            let _: KeyPath<CBAttribute, CBUUID> = \.uuid
            uses.row(178, "open var uuid: CBUUID { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBService(_ uses: inout RowUses) {
        do {
            let _ = CBService.self
            let _: CBAttribute.Type = CBService.self
            uses.row(179, "open class CBService : CBAttribute", true)
        }
        do {
            let _: KeyPath<CBService, [CBCharacteristic]?> = \.characteristics
            uses.row(180, "open var characteristics: [CBCharacteristic]? { get }", true)
        }
        do {
            let _: KeyPath<CBService, [CBService]?> = \.includedServices
            uses.row(181, "open var includedServices: [CBService]? { get }", true)
        }
        do {
            let _: KeyPath<CBService, Bool> = \.isPrimary
            uses.row(182, "open var isPrimary: Bool { get }", true)
        }
        do {
            let _: KeyPath<CBService, CBPeripheral?> = \.peripheral
            uses.row(183, "open weak var peripheral: CBPeripheral? { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBMutableService(_ uses: inout RowUses) {
        do {
            let _ = CBMutableService.self
            let _: CBService.Type = CBMutableService.self
            uses.row(184, "open class CBMutableService : CBService", true)
        }
        do {
            let _: (CBUUID, Bool) -> CBMutableService = CBMutableService.init(type:primary:)
            uses.row(185, "public init(type UUID: CBUUID, primary isPrimary: Bool)", true)
        }
        do {
            let _: ReferenceWritableKeyPath<CBMutableService, [CBCharacteristic]?> = \.characteristics
            uses.row(186, "open var characteristics: [CBCharacteristic]? { get set }", true)
        }
        do {
            let _: ReferenceWritableKeyPath<CBMutableService, [CBService]?> = \.includedServices
            uses.row(187, "open var includedServices: [CBService]? { get set }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBCharacteristic(_ uses: inout RowUses) {
        do {
            let _ = CBCharacteristic.self
            let _: CBAttribute.Type = CBCharacteristic.self
            uses.row(188, "open class CBCharacteristic : CBAttribute", true)
        }
        do {
            let _: KeyPath<CBCharacteristic, [CBDescriptor]?> = \.descriptors
            uses.row(189, "open var descriptors: [CBDescriptor]? { get }", true)
        }
        do {
            let _: KeyPath<CBCharacteristic, Bool> = \.isBroadcasted
            uses.row(190, "open var isBroadcasted: Bool { get }", true)
        }
        do {
            let _: KeyPath<CBCharacteristic, Bool> = \.isNotifying
            uses.row(191, "open var isNotifying: Bool { get }", true)
        }
        do {
            let _: KeyPath<CBCharacteristic, CBCharacteristicProperties> = \.properties
            uses.row(192, "open var properties: CBCharacteristicProperties { get }", true)
        }
        do {
            let _: KeyPath<CBCharacteristic, Data?> = \.value
            uses.row(193, "open var value: Data? { get }", true)
        }
        do {
            let _: KeyPath<CBCharacteristic, CBService?> = \.service
            uses.row(194, "open weak var service: CBService? { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBCharacteristicProperties(_ uses: inout RowUses) {
        do {
            let value: CBCharacteristicProperties = .broadcast
            uses.row(196, "public static var broadcast: CBCharacteristicProperties { get }", value.rawValue == 0x1)
        }
        do {
            let value: CBCharacteristicProperties = .read
            uses.row(197, "public static var read: CBCharacteristicProperties { get }", value.rawValue == 0x2)
        }
        do {
            let value: CBCharacteristicProperties = .writeWithoutResponse
            uses.row(198, "public static var writeWithoutResponse: CBCharacteristicProperties { get }", value.rawValue == 0x4)
        }
        do {
            let value: CBCharacteristicProperties = .write
            uses.row(199, "public static var write: CBCharacteristicProperties { get }", value.rawValue == 0x8)
        }
        do {
            let value: CBCharacteristicProperties = .notify
            uses.row(200, "public static var notify: CBCharacteristicProperties { get }", value.rawValue == 0x10)
        }
        do {
            let value: CBCharacteristicProperties = .indicate
            uses.row(201, "public static var indicate: CBCharacteristicProperties { get }", value.rawValue == 0x20)
        }
        do {
            let value: CBCharacteristicProperties = .authenticatedSignedWrites
            uses.row(202, "public static var authenticatedSignedWrites: CBCharacteristicProperties { get }", value.rawValue == 0x40)
        }
        do {
            let value: CBCharacteristicProperties = .extendedProperties
            uses.row(203, "public static var extendedProperties: CBCharacteristicProperties { get }", value.rawValue == 0x80)
        }
        do {
            let value: CBCharacteristicProperties = .notifyEncryptionRequired
            uses.row(204, "public static var notifyEncryptionRequired: CBCharacteristicProperties { get }", value.rawValue == 0x100)
        }
        do {
            let value: CBCharacteristicProperties = .indicateEncryptionRequired
            uses.row(205, "public static var indicateEncryptionRequired: CBCharacteristicProperties { get }", value.rawValue == 0x200)
        }
        do {
            let value: CBCharacteristicProperties = CBCharacteristicProperties(rawValue: 3)
            uses.row(206, "public init(rawValue: UInt)", value.rawValue == 3)
        }
        do {
            let _: KeyPath<CBCharacteristicProperties, UInt> = \.rawValue
            uses.row(207, "public var rawValue: UInt { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBAttributePermissions(_ uses: inout RowUses) {
        do {
            let value: CBAttributePermissions = .readable
            uses.row(209, "public static var readable: CBAttributePermissions { get }", value.rawValue == 0x1)
        }
        do {
            let value: CBAttributePermissions = .writeable
            uses.row(210, "public static var writeable: CBAttributePermissions { get }", value.rawValue == 0x2)
        }
        do {
            let value: CBAttributePermissions = .readEncryptionRequired
            uses.row(211, "public static var readEncryptionRequired: CBAttributePermissions { get }", value.rawValue == 0x4)
        }
        do {
            let value: CBAttributePermissions = .writeEncryptionRequired
            uses.row(212, "public static var writeEncryptionRequired: CBAttributePermissions { get }", value.rawValue == 0x8)
        }
        do {
            let value: CBAttributePermissions = CBAttributePermissions(rawValue: 3)
            uses.row(213, "public init(rawValue: UInt)", value.rawValue == 3)
        }
        do {
            let _: KeyPath<CBAttributePermissions, UInt> = \.rawValue
            uses.row(214, "public var rawValue: UInt { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBMutableCharacteristic(_ uses: inout RowUses) {
        do {
            let _ = CBMutableCharacteristic.self
            let _: CBCharacteristic.Type = CBMutableCharacteristic.self
            uses.row(215, "open class CBMutableCharacteristic : CBCharacteristic", true)
        }
        do {
            let _: (CBUUID, CBCharacteristicProperties, Data?, CBAttributePermissions) -> CBMutableCharacteristic = CBMutableCharacteristic.init(type:properties:value:permissions:)
            uses.row(216, "public init(type UUID: CBUUID, properties: CBCharacteristicProperties, value: Data?, permissions: CBAttributePermissions)", true)
        }
        do {
            let _: ReferenceWritableKeyPath<CBMutableCharacteristic, [CBDescriptor]?> = \.descriptors
            uses.row(217, "open var descriptors: [CBDescriptor]? { get set }", true)
        }
        do {
            let _: ReferenceWritableKeyPath<CBMutableCharacteristic, CBAttributePermissions> = \.permissions
            uses.row(218, "open var permissions: CBAttributePermissions { get set }", true)
        }
        do {
            let _: ReferenceWritableKeyPath<CBMutableCharacteristic, CBCharacteristicProperties> = \.properties
            uses.row(219, "open var properties: CBCharacteristicProperties { get set }", true)
        }
        do {
            let _: KeyPath<CBMutableCharacteristic, [CBCentral]?> = \.subscribedCentrals
            uses.row(220, "open var subscribedCentrals: [CBCentral]? { get }", true)
        }
        do {
            let _: ReferenceWritableKeyPath<CBMutableCharacteristic, Data?> = \.value
            uses.row(221, "open var value: Data? { get set }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBDescriptor(_ uses: inout RowUses) {
        do {
            let _ = CBDescriptor.self
            let _: CBAttribute.Type = CBDescriptor.self
            uses.row(222, "open class CBDescriptor : CBAttribute", true)
        }
        do {
            let _: KeyPath<CBDescriptor, Any?> = \.value
            uses.row(223, "open var value: Any? { get }", true)
        }
        do {
            let _: KeyPath<CBDescriptor, CBCharacteristic?> = \.characteristic
            uses.row(224, "open weak var characteristic: CBCharacteristic? { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBMutableDescriptor(_ uses: inout RowUses) {
        do {
            let _ = CBMutableDescriptor.self
            let _: CBDescriptor.Type = CBMutableDescriptor.self
            uses.row(225, "open class CBMutableDescriptor : CBDescriptor", true)
        }
        do {
            let _: (CBUUID, Any?) -> CBMutableDescriptor = CBMutableDescriptor.init(type:value:)
            uses.row(226, "public init(type UUID: CBUUID, value: Any?)", true)
        }
    }

    @available(*, deprecated)
    private func use_CBATTRequest(_ uses: inout RowUses) {
        do {
            let _ = CBATTRequest.self
            let _: NSObject.Type = CBATTRequest.self
            uses.row(227, "open class CBATTRequest : NSObject", true)
        }
        do {
            let _: KeyPath<CBATTRequest, CBCentral> = \.central
            uses.row(228, "open var central: CBCentral { get }", true)
        }
        do {
            let _: KeyPath<CBATTRequest, CBCharacteristic> = \.characteristic
            uses.row(229, "open var characteristic: CBCharacteristic { get }", true)
        }
        do {
            let _: KeyPath<CBATTRequest, Int> = \.offset
            uses.row(230, "open var offset: Int { get }", true)
        }
        do {
            let _: ReferenceWritableKeyPath<CBATTRequest, Data?> = \.value
            uses.row(231, "open var value: Data? { get set }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBL2CAPChannel(_ uses: inout RowUses) {
        do {
            let _ = CBL2CAPChannel.self
            let _: NSObject.Type = CBL2CAPChannel.self
            uses.row(232, "open class CBL2CAPChannel : NSObject", true)
        }
        do {
            let _: KeyPath<CBL2CAPChannel, InputStream?> = \.inputStream
            uses.row(233, "open var inputStream: InputStream! { get }", true)
        }
        do {
            let _: KeyPath<CBL2CAPChannel, OutputStream?> = \.outputStream
            uses.row(234, "open var outputStream: OutputStream! { get }", true)
        }
        do {
            let _: KeyPath<CBL2CAPChannel, CBPeer?> = \.peer
            uses.row(235, "open var peer: CBPeer! { get }", true)
        }
        do {
            let _: KeyPath<CBL2CAPChannel, CBL2CAPPSM> = \.psm
            uses.row(236, "open var psm: CBL2CAPPSM { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBUUID(_ uses: inout RowUses) {
        do {
            let _ = CBUUID.self
            let _: NSObject.Type = CBUUID.self
            let _: any NSCopying.Type = CBUUID.self
            uses.row(238, "open class CBUUID : NSObject, NSCopying", true)
        }
        do {
            let _: (CFUUID) -> CBUUID = CBUUID.init(CFUUID:)
            uses.row(239, "public init(CFUUID theUUID: CFUUID)", true)
        }
        do {
            let _: (UUID) -> CBUUID = CBUUID.init(NSUUID:)
            uses.row(240, "public init(NSUUID theUUID: UUID)", true)
        }
        do {
            let _: (CFUUID) -> CBUUID = CBUUID.init(cfuuid:)
            uses.row(241, "public init(cfuuid theUUID: CFUUID)", true)
        }
        do {
            let _: (Data) -> CBUUID = CBUUID.init(data:)
            uses.row(242, "public init(data theData: Data)", true)
        }
        do {
            let _: (UUID) -> CBUUID = CBUUID.init(nsuuid:)
            uses.row(243, "public init(nsuuid theUUID: UUID)", true)
        }
        do {
            let _: (String) -> CBUUID = CBUUID.init(string:)
            uses.row(244, "public init(string theString: String)", true)
        }
        do {
            let _: KeyPath<CBUUID, Data> = \.data
            uses.row(245, "open var data: Data { get }", true)
        }
        do {
            let _: KeyPath<CBUUID, String> = \.uuidString
            uses.row(246, "open var uuidString: String { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBChannelSoundingSessionConfiguration(_ uses: inout RowUses) {
        do {
            let _ = CBChannelSoundingSessionConfiguration.self
            let _: NSObject.Type = CBChannelSoundingSessionConfiguration.self
            uses.row(247, "public class CBChannelSoundingSessionConfiguration : NSObject", true)
        }
        do {
            let _: (CBChannelSoundingSessionConfiguration.Role) -> CBChannelSoundingSessionConfiguration = CBChannelSoundingSessionConfiguration.init(role:)
            uses.row(248, "public init(role: CBChannelSoundingSessionConfiguration.Role)", true)
        }
        do {
            let _: KeyPath<CBChannelSoundingSessionConfiguration, CBChannelSoundingSessionConfiguration.Role> = \.role
            uses.row(249, "public var role: CBChannelSoundingSessionConfiguration.Role { get }", true)
        }
        do {
            let _ = CBChannelSoundingSessionConfiguration.Role.self
            let _: CBChannelSoundingSessionConfiguration.Role.RawValue.Type = Int.self
            conformsSendable(CBChannelSoundingSessionConfiguration.Role.self)
            uses.row(250, "public enum Role : Int, @unchecked Sendable", CBChannelSoundingSessionConfiguration.Role(rawValue: 0x7A)?.rawValue == 0x7A && MemoryLayout<CBChannelSoundingSessionConfiguration.Role>.size == MemoryLayout<Int>.size)
        }
    }

    @available(*, deprecated)
    private func use_CBChannelSoundingSessionConfiguration_Role(_ uses: inout RowUses) {
        do {
            let value: CBChannelSoundingSessionConfiguration.Role = .initiator
            uses.row(251, "case initiator = 0", value.rawValue == 0 && value == CBChannelSoundingSessionConfiguration.Role(rawValue: 0))
        }
        do {
            let value: CBChannelSoundingSessionConfiguration.Role? = CBChannelSoundingSessionConfiguration.Role(rawValue: 3)
            uses.row(252, "public init?(rawValue: Int)", value?.rawValue == 3)
        }
        do {
            let _: KeyPath<CBChannelSoundingSessionConfiguration.Role, Int> = \.rawValue
            uses.row(253, "public var rawValue: Int { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBChannelSoundingProcedureResults(_ uses: inout RowUses) {
        do {
            let _ = CBChannelSoundingProcedureResults.self
            let _: NSObject.Type = CBChannelSoundingProcedureResults.self
            uses.row(254, "public class CBChannelSoundingProcedureResults : NSObject", true)
        }
        do {
            let _: KeyPath<CBChannelSoundingProcedureResults, Double> = \.distance
            uses.row(255, "public var distance: Double { get }", true)
        }
    }

    @available(*, deprecated)
    private func use_CBError(_ uses: inout RowUses) {
        do {
            let _: (CBError.Code, [String : Any]) -> CBError = CBError.init(_:userInfo:)
            let _: (CBError.Code) -> Void = { _ = CBError($0) }
            uses.row(257, "public init(_ code: CBError.Code, userInfo: [String : Any] = [:])", true)
        }
        do {
            let _: CBError.Code = CBError.alreadyAdvertising
            uses.row(258, "public static var alreadyAdvertising: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.channelSoundingConfigurationFailed
            uses.row(259, "public static var channelSoundingConfigurationFailed: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.channelSoundingProcedureFailed
            uses.row(260, "public static var channelSoundingProcedureFailed: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.connectionFailed
            uses.row(261, "public static var connectionFailed: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.connectionLimitReached
            uses.row(262, "public static var connectionLimitReached: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.connectionTimeout
            uses.row(263, "public static var connectionTimeout: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.encryptionTimedOut
            uses.row(264, "public static var encryptionTimedOut: CBError.Code { get }", true)
        }
        do {
            let _: String = CBError.errorDomain
            uses.row(265, "public static var errorDomain: String { get }", true)
        }
        do {
            let _: CBError.Code = CBError.invalidHandle
            uses.row(266, "public static var invalidHandle: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.invalidParameters
            uses.row(267, "public static var invalidParameters: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.leGattExceededBackgroundNotificationLimit
            uses.row(268, "public static var leGattExceededBackgroundNotificationLimit: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.leGattNearBackgroundNotificationLimit
            uses.row(269, "public static var leGattNearBackgroundNotificationLimit: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.notConnected
            uses.row(270, "public static var notConnected: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.operationCancelled
            uses.row(271, "public static var operationCancelled: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.operationNotSupported
            uses.row(272, "public static var operationNotSupported: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.outOfSpace
            uses.row(273, "public static var outOfSpace: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.peerRemovedPairingInformation
            uses.row(274, "public static var peerRemovedPairingInformation: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.peripheralDisconnected
            uses.row(275, "public static var peripheralDisconnected: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.tooManyLEPairedDevices
            uses.row(276, "public static var tooManyLEPairedDevices: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.unknown
            uses.row(277, "public static var unknown: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.unknownDevice
            uses.row(278, "public static var unknownDevice: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.unkownDevice
            uses.row(279, "public static var unkownDevice: CBError.Code { get }", true)
        }
        do {
            let _: CBError.Code = CBError.uuidNotAllowed
            uses.row(280, "public static var uuidNotAllowed: CBError.Code { get }", true)
        }
        do {
            let _: KeyPath<CBError, CBError.Code> = \.code
            uses.row(281, "public var code: CBError.Code { get }", true)
        }
        do {
            let _: KeyPath<CBError, Int> = \.errorCode
            uses.row(282, "public var errorCode: Int { get }", true)
        }
        do {
            let _: KeyPath<CBError, [String : Any]> = \.errorUserInfo
            uses.row(283, "public var errorUserInfo: [String : Any] { get }", true)
        }
        do {
            let _: KeyPath<CBError, String> = \.localizedDescription
            uses.row(284, "public var localizedDescription: String { get }", true)
        }
        do {
            let _: KeyPath<CBError, [String : Any]> = \.userInfo
            uses.row(285, "public var userInfo: [String : Any] { get }", true)
        }
        do {
            var hasher = Hasher()
            CBError(CBError.Code(rawValue: 1)!).hash(into: &hasher)
            uses.row(286, "public func hash(into hasher: inout Hasher)", true)
        }
        do {
            let one = CBError(CBError.Code(rawValue: 1)!)
            uses.row(287, "public static func == (lhs: CBError, rhs: CBError) -> Bool", one == one)
        }
        do {
            let _ = CBError.Code.self
            let _: CBError.Code.RawValue.Type = Int.self
            conformsSendable(CBError.Code.self)
            uses.row(288, "public enum Code : Int, @unchecked Sendable", CBError.Code(rawValue: 0x7A)?.rawValue == 0x7A && MemoryLayout<CBError.Code>.size == MemoryLayout<Int>.size)
        }
    }

    @available(*, deprecated)
    private func use_CBError_Code(_ uses: inout RowUses) {
        do {
            let value: CBError.Code = .unknown
            uses.row(289, "case unknown = 0", value.rawValue == 0 && value == CBError.Code(rawValue: 0))
        }
        do {
            let value: CBError.Code = .invalidParameters
            uses.row(290, "case invalidParameters = 1", value.rawValue == 1 && value == CBError.Code(rawValue: 1))
        }
        do {
            let value: CBError.Code = .invalidHandle
            uses.row(291, "case invalidHandle = 2", value.rawValue == 2 && value == CBError.Code(rawValue: 2))
        }
        do {
            let value: CBError.Code = .notConnected
            uses.row(292, "case notConnected = 3", value.rawValue == 3 && value == CBError.Code(rawValue: 3))
        }
        do {
            let value: CBError.Code = .outOfSpace
            uses.row(293, "case outOfSpace = 4", value.rawValue == 4 && value == CBError.Code(rawValue: 4))
        }
        do {
            let value: CBError.Code = .operationCancelled
            uses.row(294, "case operationCancelled = 5", value.rawValue == 5 && value == CBError.Code(rawValue: 5))
        }
        do {
            let value: CBError.Code = .connectionTimeout
            uses.row(295, "case connectionTimeout = 6", value.rawValue == 6 && value == CBError.Code(rawValue: 6))
        }
        do {
            let value: CBError.Code = .peripheralDisconnected
            uses.row(296, "case peripheralDisconnected = 7", value.rawValue == 7 && value == CBError.Code(rawValue: 7))
        }
        do {
            let value: CBError.Code = .uuidNotAllowed
            uses.row(297, "case uuidNotAllowed = 8", value.rawValue == 8 && value == CBError.Code(rawValue: 8))
        }
        do {
            let value: CBError.Code = .alreadyAdvertising
            uses.row(298, "case alreadyAdvertising = 9", value.rawValue == 9 && value == CBError.Code(rawValue: 9))
        }
        do {
            let value: CBError.Code = .connectionFailed
            uses.row(299, "case connectionFailed = 10", value.rawValue == 10 && value == CBError.Code(rawValue: 10))
        }
        do {
            let value: CBError.Code = .connectionLimitReached
            uses.row(300, "case connectionLimitReached = 11", value.rawValue == 11 && value == CBError.Code(rawValue: 11))
        }
        do {
            let value: CBError.Code = .unkownDevice
            uses.row(301, "case unkownDevice = 12", value.rawValue == 12 && value == CBError.Code(rawValue: 12))
        }
        do {
            let value: CBError.Code = .operationNotSupported
            uses.row(302, "case operationNotSupported = 13", value.rawValue == 13 && value == CBError.Code(rawValue: 13))
        }
        do {
            let value: CBError.Code = .peerRemovedPairingInformation
            uses.row(303, "case peerRemovedPairingInformation = 14", value.rawValue == 14 && value == CBError.Code(rawValue: 14))
        }
        do {
            let value: CBError.Code = .encryptionTimedOut
            uses.row(304, "case encryptionTimedOut = 15", value.rawValue == 15 && value == CBError.Code(rawValue: 15))
        }
        do {
            let value: CBError.Code = .tooManyLEPairedDevices
            uses.row(305, "case tooManyLEPairedDevices = 16", value.rawValue == 16 && value == CBError.Code(rawValue: 16))
        }
        do {
            let value: CBError.Code = .leGattExceededBackgroundNotificationLimit
            uses.row(306, "case leGattExceededBackgroundNotificationLimit = 17", value.rawValue == 17 && value == CBError.Code(rawValue: 17))
        }
        do {
            let value: CBError.Code = .leGattNearBackgroundNotificationLimit
            uses.row(307, "case leGattNearBackgroundNotificationLimit = 18", value.rawValue == 18 && value == CBError.Code(rawValue: 18))
        }
        do {
            let value: CBError.Code = .channelSoundingConfigurationFailed
            uses.row(308, "case channelSoundingConfigurationFailed = 19", value.rawValue == 19 && value == CBError.Code(rawValue: 19))
        }
        do {
            let value: CBError.Code = .channelSoundingProcedureFailed
            uses.row(309, "case channelSoundingProcedureFailed = 20", value.rawValue == 20 && value == CBError.Code(rawValue: 20))
        }
        do {
            let value: CBError.Code? = CBError.Code(rawValue: 3)
            uses.row(310, "public init?(rawValue: Int)", value?.rawValue == 3)
        }
        do {
            let _: CBError.Code = CBError.Code.unknownDevice
            uses.row(311, "public static var unknownDevice: CBError.Code { get }", true)
        }
        do {
            let _: KeyPath<CBError.Code, Int> = \.rawValue
            uses.row(312, "public var rawValue: Int { get }", true)
        }
        do {
            uses.row(313, "public static func ~= (match: CBError.Code, error: any Error) -> Bool", CBError.Code(rawValue: 1)! ~= (CBError(CBError.Code(rawValue: 1)!) as any Error))
        }
    }

    @available(*, deprecated)
    private func use_CBATTError(_ uses: inout RowUses) {
        do {
            let _: (CBATTError.Code, [String : Any]) -> CBATTError = CBATTError.init(_:userInfo:)
            let _: (CBATTError.Code) -> Void = { _ = CBATTError($0) }
            uses.row(315, "public init(_ code: CBATTError.Code, userInfo: [String : Any] = [:])", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.attributeNotFound
            uses.row(316, "public static var attributeNotFound: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.attributeNotLong
            uses.row(317, "public static var attributeNotLong: CBATTError.Code { get }", true)
        }
        do {
            let _: String = CBATTError.errorDomain
            uses.row(318, "public static var errorDomain: String { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.insufficientAuthentication
            uses.row(319, "public static var insufficientAuthentication: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.insufficientAuthorization
            uses.row(320, "public static var insufficientAuthorization: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.insufficientEncryption
            uses.row(321, "public static var insufficientEncryption: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.insufficientEncryptionKeySize
            uses.row(322, "public static var insufficientEncryptionKeySize: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.insufficientResources
            uses.row(323, "public static var insufficientResources: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.invalidAttributeValueLength
            uses.row(324, "public static var invalidAttributeValueLength: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.invalidHandle
            uses.row(325, "public static var invalidHandle: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.invalidOffset
            uses.row(326, "public static var invalidOffset: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.invalidPdu
            uses.row(327, "public static var invalidPdu: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.prepareQueueFull
            uses.row(328, "public static var prepareQueueFull: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.readNotPermitted
            uses.row(329, "public static var readNotPermitted: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.requestNotSupported
            uses.row(330, "public static var requestNotSupported: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.success
            uses.row(331, "public static var success: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.unlikelyError
            uses.row(332, "public static var unlikelyError: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.unsupportedGroupType
            uses.row(333, "public static var unsupportedGroupType: CBATTError.Code { get }", true)
        }
        do {
            let _: CBATTError.Code = CBATTError.writeNotPermitted
            uses.row(334, "public static var writeNotPermitted: CBATTError.Code { get }", true)
        }
        do {
            let _: KeyPath<CBATTError, CBATTError.Code> = \.code
            uses.row(335, "public var code: CBATTError.Code { get }", true)
        }
        do {
            let _: KeyPath<CBATTError, Int> = \.errorCode
            uses.row(336, "public var errorCode: Int { get }", true)
        }
        do {
            let _: KeyPath<CBATTError, [String : Any]> = \.errorUserInfo
            uses.row(337, "public var errorUserInfo: [String : Any] { get }", true)
        }
        do {
            let _: KeyPath<CBATTError, String> = \.localizedDescription
            uses.row(338, "public var localizedDescription: String { get }", true)
        }
        do {
            let _: KeyPath<CBATTError, [String : Any]> = \.userInfo
            uses.row(339, "public var userInfo: [String : Any] { get }", true)
        }
        do {
            var hasher = Hasher()
            CBATTError(CBATTError.Code(rawValue: 1)!).hash(into: &hasher)
            uses.row(340, "public func hash(into hasher: inout Hasher)", true)
        }
        do {
            let one = CBATTError(CBATTError.Code(rawValue: 1)!)
            uses.row(341, "public static func == (lhs: CBATTError, rhs: CBATTError) -> Bool", one == one)
        }
        do {
            let _ = CBATTError.Code.self
            let _: CBATTError.Code.RawValue.Type = Int.self
            conformsSendable(CBATTError.Code.self)
            uses.row(342, "public enum Code : Int, @unchecked Sendable", CBATTError.Code(rawValue: 0x7A)?.rawValue == 0x7A && MemoryLayout<CBATTError.Code>.size == MemoryLayout<Int>.size)
        }
    }

    @available(*, deprecated)
    private func use_CBATTError_Code(_ uses: inout RowUses) {
        do {
            let value: CBATTError.Code = .success
            uses.row(343, "case success = 0", value.rawValue == 0 && value == CBATTError.Code(rawValue: 0))
        }
        do {
            let value: CBATTError.Code = .invalidHandle
            uses.row(344, "case invalidHandle = 1", value.rawValue == 1 && value == CBATTError.Code(rawValue: 1))
        }
        do {
            let value: CBATTError.Code = .readNotPermitted
            uses.row(345, "case readNotPermitted = 2", value.rawValue == 2 && value == CBATTError.Code(rawValue: 2))
        }
        do {
            let value: CBATTError.Code = .writeNotPermitted
            uses.row(346, "case writeNotPermitted = 3", value.rawValue == 3 && value == CBATTError.Code(rawValue: 3))
        }
        do {
            let value: CBATTError.Code = .invalidPdu
            uses.row(347, "case invalidPdu = 4", value.rawValue == 4 && value == CBATTError.Code(rawValue: 4))
        }
        do {
            let value: CBATTError.Code = .insufficientAuthentication
            uses.row(348, "case insufficientAuthentication = 5", value.rawValue == 5 && value == CBATTError.Code(rawValue: 5))
        }
        do {
            let value: CBATTError.Code = .requestNotSupported
            uses.row(349, "case requestNotSupported = 6", value.rawValue == 6 && value == CBATTError.Code(rawValue: 6))
        }
        do {
            let value: CBATTError.Code = .invalidOffset
            uses.row(350, "case invalidOffset = 7", value.rawValue == 7 && value == CBATTError.Code(rawValue: 7))
        }
        do {
            let value: CBATTError.Code = .insufficientAuthorization
            uses.row(351, "case insufficientAuthorization = 8", value.rawValue == 8 && value == CBATTError.Code(rawValue: 8))
        }
        do {
            let value: CBATTError.Code = .prepareQueueFull
            uses.row(352, "case prepareQueueFull = 9", value.rawValue == 9 && value == CBATTError.Code(rawValue: 9))
        }
        do {
            let value: CBATTError.Code = .attributeNotFound
            uses.row(353, "case attributeNotFound = 10", value.rawValue == 10 && value == CBATTError.Code(rawValue: 10))
        }
        do {
            let value: CBATTError.Code = .attributeNotLong
            uses.row(354, "case attributeNotLong = 11", value.rawValue == 11 && value == CBATTError.Code(rawValue: 11))
        }
        do {
            let value: CBATTError.Code = .insufficientEncryptionKeySize
            uses.row(355, "case insufficientEncryptionKeySize = 12", value.rawValue == 12 && value == CBATTError.Code(rawValue: 12))
        }
        do {
            let value: CBATTError.Code = .invalidAttributeValueLength
            uses.row(356, "case invalidAttributeValueLength = 13", value.rawValue == 13 && value == CBATTError.Code(rawValue: 13))
        }
        do {
            let value: CBATTError.Code = .unlikelyError
            uses.row(357, "case unlikelyError = 14", value.rawValue == 14 && value == CBATTError.Code(rawValue: 14))
        }
        do {
            let value: CBATTError.Code = .insufficientEncryption
            uses.row(358, "case insufficientEncryption = 15", value.rawValue == 15 && value == CBATTError.Code(rawValue: 15))
        }
        do {
            let value: CBATTError.Code = .unsupportedGroupType
            uses.row(359, "case unsupportedGroupType = 16", value.rawValue == 16 && value == CBATTError.Code(rawValue: 16))
        }
        do {
            let value: CBATTError.Code = .insufficientResources
            uses.row(360, "case insufficientResources = 17", value.rawValue == 17 && value == CBATTError.Code(rawValue: 17))
        }
        do {
            let value: CBATTError.Code? = CBATTError.Code(rawValue: 3)
            uses.row(361, "public init?(rawValue: Int)", value?.rawValue == 3)
        }
        do {
            let _: KeyPath<CBATTError.Code, Int> = \.rawValue
            uses.row(362, "public var rawValue: Int { get }", true)
        }
        do {
            uses.row(363, "public static func ~= (match: CBATTError.Code, error: any Error) -> Bool", CBATTError.Code(rawValue: 1)! ~= (CBATTError(CBATTError.Code(rawValue: 1)!) as any Error))
        }
    }

    @available(*, deprecated)
    func useAll(_ uses: inout RowUses) {
        use_CBManager(&uses)
        use_constants(&uses)
        use_CBManagerState(&uses)
        use_CBManagerAuthorization(&uses)
        use_CBCentralManager(&uses)
        use_CBCentralManager_Feature(&uses)
        use_CBCentralManagerState(&uses)
        use_CBConnectionEvent(&uses)
        use_CBConnectionEventMatchingOption(&uses)
        use_CBCentralManagerDelegate(&uses)
        use_CBPeripheralManager(&uses)
        use_CBPeripheralManagerAuthorizationStatus(&uses)
        use_CBPeripheralManagerState(&uses)
        use_CBPeripheralManagerConnectionLatency(&uses)
        use_CBPeripheralManagerDelegate(&uses)
        use_CBPeer(&uses)
        use_CBCentral(&uses)
        use_CBPeripheral(&uses)
        use_CBPeripheralState(&uses)
        use_CBCharacteristicWriteType(&uses)
        use_CBPeripheralDelegate(&uses)
        use_CBAttribute(&uses)
        use_CBService(&uses)
        use_CBMutableService(&uses)
        use_CBCharacteristic(&uses)
        use_CBCharacteristicProperties(&uses)
        use_CBAttributePermissions(&uses)
        use_CBMutableCharacteristic(&uses)
        use_CBDescriptor(&uses)
        use_CBMutableDescriptor(&uses)
        use_CBATTRequest(&uses)
        use_CBL2CAPChannel(&uses)
        use_CBUUID(&uses)
        use_CBChannelSoundingSessionConfiguration(&uses)
        use_CBChannelSoundingSessionConfiguration_Role(&uses)
        use_CBChannelSoundingProcedureResults(&uses)
        use_CBError(&uses)
        use_CBError_Code(&uses)
        use_CBATTError(&uses)
        use_CBATTError_Code(&uses)
    }
}
