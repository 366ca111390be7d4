import BluethroatTesting
import CoreBluetoothMock
import Foundation
import Testing

// Each declaration of the original's API is used here as its users do. That this compiles is most of the test; what the calls
// answer is looked at where that says something.

/// A delegate that leaves everything out, and one whose methods are all there.
private final class SilentCentralDelegate: CBMCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBMCentralManager) {}
}

private final class SilentPeripheralDelegate: CBMPeripheralDelegate {}

private struct SilentSpecDelegate: CBMPeripheralSpecDelegate {}

private final class FullCentralDelegate: CBMCentralManagerDelegate {
    var heard: [String] = []

    func centralManagerDidUpdateState(_ central: CBMCentralManager) { heard.append("state") }

    func centralManager(_ central: CBMCentralManager, willRestoreState dict: [String: Any]) { heard.append("restore") }

    func centralManager(
        _ central: CBMCentralManager,
        didDiscover peripheral: any CBMPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) { heard.append("discover") }

    func centralManager(_ central: CBMCentralManager, didConnect peripheral: any CBMPeripheral) {
        heard.append("connect")
    }

    func centralManager(
        _ central: CBMCentralManager,
        didFailToConnect peripheral: any CBMPeripheral,
        error: (any Error)?
    ) {
        heard.append("fail")
    }

    func centralManager(
        _ central: CBMCentralManager,
        didDisconnectPeripheral peripheral: any CBMPeripheral,
        error: (any Error)?
    ) {
        heard.append("disconnect")
    }

    func centralManager(
        _ central: CBMCentralManager,
        didDisconnectPeripheral peripheral: any CBMPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool,
        error: (any Error)?
    ) { heard.append("disconnect anew") }

    func centralManager(
        _ central: CBMCentralManager,
        connectionEventDidOccur event: CBMConnectionEvent,
        for peripheral: any CBMPeripheral
    ) { heard.append("event") }

    func centralManager(_ central: CBMCentralManager, didUpdateANCSAuthorizationFor peripheral: any CBMPeripheral) {
        heard.append("ANCS")
    }
}

private final class FullPeripheralDelegate: CBMPeripheralDelegate {
    var heard: [String] = []

    func peripheralDidUpdateName(_ peripheral: any CBMPeripheral) { heard.append("name") }
    func peripheral(_ peripheral: any CBMPeripheral, didModifyServices invalidatedServices: [CBMService]) {
        heard.append("modified")
    }
    func peripheral(_ peripheral: any CBMPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        heard.append("RSSI \(RSSI)")
    }
    func peripheral(_ peripheral: any CBMPeripheral, didDiscoverServices error: (any Error)?) {
        heard.append("services")
    }
    func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverIncludedServicesFor service: CBMService,
        error: (any Error)?
    ) { heard.append("included") }
    func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverCharacteristicsFor service: CBMService,
        error: (any Error)?
    ) { heard.append("characteristics") }
    func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverDescriptorsFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) { heard.append("descriptors") }
    func peripheral(
        _ peripheral: any CBMPeripheral,
        didUpdateNotificationStateFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) { heard.append("notifying") }
    func peripheral(
        _ peripheral: any CBMPeripheral,
        didUpdateValueFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) { heard.append("value") }
    func peripheral(_ peripheral: any CBMPeripheral, didUpdateValueFor descriptor: CBMDescriptor, error: (any Error)?) {
        heard.append("descriptor value")
    }
    func peripheral(
        _ peripheral: any CBMPeripheral,
        didWriteValueFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) { heard.append("written") }
    func peripheral(_ peripheral: any CBMPeripheral, didWriteValueFor descriptor: CBMDescriptor, error: (any Error)?) {
        heard.append("descriptor written")
    }
    func peripheralIsReady(toSendWriteWithoutResponse peripheral: any CBMPeripheral) { heard.append("ready") }
    func peripheral(_ peripheral: any CBMPeripheral, didOpen channel: CBML2CAPChannel?, error: (any Error)?) {
        heard.append("channel")
    }
}

// What may be subclassed.
private final class OwnManager: CBMCentralManager, @unchecked Sendable {
    override var state: CBMManagerState { .poweredOff }
}

private final class OwnMockManager: CBMCentralManagerMock, @unchecked Sendable {}
private final class OwnServiceMock: CBMServiceMock, @unchecked Sendable {}
private final class OwnCharacteristicMock: CBMCharacteristicMock, @unchecked Sendable {}
private final class OwnDescriptorMock: CBMDescriptorMock, @unchecked Sendable {}
private final class OwnPreview: CBMPeripheralPreview, @unchecked Sendable {}

@Suite("The declarations of the original", .air)
struct DeclarationTests {
    let air = Air.current
    private let delegate = SilentSpecDelegate()

    private func spec(_ services: [CBMServiceMock] = []) -> CBMPeripheralSpec {
        CBMPeripheralSpec.simulatePeripheral()
            .advertising(advertisementData: [CBMAdvertisementDataIsConnectable: true as NSNumber])
            .connectable(name: "thing", services: services, delegate: delegate)
            .build()
    }

    @Test("Attributes of specifications")
    func attributes() {
        let configuration: CBMCCCDescriptorMock = CBMClientCharacteristicConfigurationDescriptorMock()
        let text = CBMDescriptorMock(type: CBMUUID(string: "2901"))
        let one = CBMCharacteristicMock(
            type: CBMUUID(string: "FFE1"),
            properties: [.read, .notify],
            descriptors: configuration,
            text
        )
        let other = OwnCharacteristicMock(type: CBMUUID(string: "FFE2"), properties: .write)
        let included = CBMServiceMock(type: CBMUUID(string: "FFE3"), primary: false)
        let service = CBMServiceMock(
            type: CBMUUID(string: "FFE0"),
            primary: true,
            includedServices: included,
            characteristics: one,
            other
        )
        let same = OwnServiceMock(
            type: CBMUUID(string: "FFE0"),
            primary: true,
            includedServices: [included],
            characteristics: [one, other]
        )
        #expect(service != same && service.isEqual(service) && !service.isEqual(nil) && service.isPrimary)
        #expect(service.uuid == same.uuid && service.peripheral == nil)
        #expect(service.includedServices == [included] && service.characteristics == [one, other])
        #expect(one.isEqual(one) && one != other && one.service === same && one.properties == [.read, .notify])
        #expect(one.uuid.uuidString == "FFE1" && one.value == nil && !one.isNotifying)
        #expect(one.descriptors == [configuration, text] && text.characteristic === one && text.value == nil)
        #expect(text.isEqual(text) && text != configuration && configuration.uuid.uuidString == "2902")
        other.descriptors = [OwnDescriptorMock(type: CBMUUID(string: "2901"))]
        #expect(other.descriptors?.first?.characteristic === other)
        let attributes: [CBMAttribute] = [service, one, text]
        let plain: (CBMService, CBMCharacteristic, CBMDescriptor) = (service, one, text)
        #expect(attributes.map(\.uuid) == [plain.0.uuid, plain.1.uuid, plain.2.uuid])
    }

    @Test("Specifications, step by step")
    func specifications() {
        let identifier = UUID()
        let data: [String: Any] = [CBMAdvertisementDataLocalNameKey: "thing"]
        let service = CBMServiceMock(type: CBMUUID(string: "FFE0"), primary: true)
        let spec = CBMPeripheralSpec.simulatePeripheral(identifier: identifier, proximity: .near)
            .advertising(advertisementData: data, withInterval: 0.25, delay: 1, alsoWhenConnected: true)
            .advertising(advertisementData: data)
            .connectable(
                name: "thing",
                services: [service],
                delegate: delegate,
                connectionInterval: 0.02,
                supervisionTimeout: 2,
                mtu: 100
            )
            .allowForRetrieval()
            .build()
        #expect(spec.identifier == identifier && spec.name == "thing" && spec.proximity == .near && spec.isKnown)
        #expect(spec.services == [service] && spec.mtu == 100 && !spec.isConnected)
        #expect(spec.connectionInterval == 0.02 && spec.supervisionTimeout == 2 && spec.connectionDelegate != nil)
        #expect(spec.advertisement?.count == 2)
        let config = CBMAdvertisementConfig(data: data, interval: 1, delay: 2, isAdvertisingWhenConnected: true)
        #expect(
            config.interval == 1 && config.delay == 2 && config.isAdvertisingWhenConnected && config.data.count == 1
        )
        #expect(config == config && config != CBMAdvertisementConfig(data: data, interval: 1))
        #expect(Set([config, config]).count == 1)
        let builder: CBMPeripheralSpec.Builder = CBMPeripheralSpec.simulatePeripheral(identifier: identifier)
        let other = builder.connected(name: "other", services: [], delegate: nil).build()
        #expect(spec == other && spec != CBMPeripheralSpec.simulatePeripheral().build())
        #expect(other.connectionInterval == 0.045 && other.supervisionTimeout == 4 && other.mtu == 23)
        let places: [CBMProximity] = [.immediate, .near, .far, .outOfRange]
        let deviations: [CBMProximity.Deviation] = [.none, .default, .custom(3)]
        #expect(places.count == 4 && deviations.count == 3)
    }

    @Test("A specification that is not simulated is not changed, but for what the phone knows of it")
    func specificationsAlone() {
        let spec = spec()
        let identifier = spec.identifier
        spec.simulateConnection()
        spec.simulateDisconnection()
        spec.simulateDisconnection(withError: CBMATTError(.unlikelyError))
        spec.simulateReset()
        spec.simulateServiceChange(newName: nil, newServices: [])
        spec.simulateProximityChange(.far)
        spec.simulateValueUpdate(Data(), for: CBMCharacteristicMock(type: CBMUUID(string: "FFE1"), properties: .notify))
        spec.simulateAdvertisementChange(nil)
        #expect(spec.name == "thing" && spec.proximity == .immediate && spec.advertisement != nil && !spec.isKnown)
        spec.simulateCaching()
        #expect(spec.isKnown)
        spec.simulateMacChange()
        #expect(spec.identifier != identifier && !spec.isKnown)
    }

    @Test("A delegate that says nothing lets be connected to, and nothing be read or written")
    func silentSpecDelegate() throws {
        let service = CBMServiceMock(type: CBMUUID(string: "FFE0"), primary: true)
        let readable = CBMCharacteristicMock(type: CBMUUID(string: "FFE1"), properties: [.read, .write])
        let sent = CBMCharacteristicMock(type: CBMUUID(string: "FFE2"), properties: .notify)
        let text = CBMDescriptorMock(type: CBMUUID(string: "2901"))
        let spec = spec([service])
        delegate.reset()
        delegate.peripheral(spec, didDisconnect: nil)
        delegate.peripheral(spec, didReceiveWriteCommandFor: readable, data: Data())
        delegate.peripheral(spec, didUpdateNotificationStateFor: sent, error: nil)
        try delegate.peripheralDidReceiveConnectionRequest(spec).get()
        try delegate.peripheral(spec, didReceiveServiceDiscoveryRequest: nil).get()
        try delegate.peripheral(spec, didReceiveIncludedServiceDiscoveryRequest: nil, for: service).get()
        try delegate.peripheral(spec, didReceiveCharacteristicsDiscoveryRequest: nil, for: service).get()
        try delegate.peripheral(spec, didReceiveDescriptorsDiscoveryRequestFor: readable).get()
        try delegate.peripheral(spec, didReceiveSetNotifyRequest: true, for: sent).get()
        func code<Value>(_ result: Result<Value, any Error>) -> CBMATTError.Code? {
            guard case .failure(let error) = result else { return nil }
            return (error as? CBMATTError)?.code
        }
        #expect(code(delegate.peripheral(spec, didReceiveReadRequestFor: readable)) == .readNotPermitted)
        #expect(code(delegate.peripheral(spec, didReceiveReadRequestFor: text)) == .readNotPermitted)
        #expect(
            code(delegate.peripheral(spec, didReceiveWriteRequestFor: readable, data: Data())) == .writeNotPermitted
        )
        #expect(code(delegate.peripheral(spec, didReceiveWriteRequestFor: text, data: Data())) == .writeNotPermitted)
        let refusal = delegate.peripheral(spec, didReceiveSetNotifyRequest: true, for: readable)
        guard case .failure(let error) = refusal else { Issue.record("it can be subscribed to"); return }
        #expect((error as? CBMError)?.code == .invalidHandle)
    }

    @Test("Managers of every kind, and what is asked of them")
    func managers() {
        let central = SilentCentralDelegate()
        let queue = DispatchQueue(label: "app")
        let made: [CBMCentralManager] = [
            CBMCentralManagerFactory.instance(),
            CBMCentralManagerFactory.instance(forceMock: true),
            CBMCentralManagerFactory.instance(delegate: central, queue: queue),
            CBMCentralManagerFactory.instance(delegate: central, queue: nil, options: nil, forceMock: true),
            CBMCentralManagerMock(),
            CBMCentralManagerMock(delegate: central, queue: queue),
            OwnMockManager(delegate: central, queue: nil, options: [CBMCentralManagerOptionShowPowerAlertKey: false]),
            CBMCentralManagerNative(),
            CBMCentralManagerNative(delegate: central, queue: queue),
            CBMCentralManagerNative(delegate: central, queue: queue, options: nil),
            OwnManager(true),
        ]
        let peripheral = CBMPeripheralPreview(spec())
        for manager in made {
            manager.delegate = central
            #expect(manager.delegate === central && !manager.isScanning && manager.authorization == .allowedAlways)
            manager.scanForPeripherals(withServices: nil)
            manager.stopScan()
            _ = manager.retrievePeripherals(withIdentifiers: [UUID()])
            _ = manager.retrieveConnectedPeripherals(withServices: [CBMUUID(string: "FFE0")])
            manager.registerForConnectionEvents()
            manager.registerForConnectionEvents(options: [CBMConnectionEventMatchingOption.serviceUUIDs: [CBMUUID]()])
            manager.connect(peripheral)
            manager.cancelPeripheralConnection(peripheral)
        }
        #expect(made.dropLast().allSatisfy { $0.state == .unknown } && made.last?.state == .poweredOff)
        #expect(CBMCentralManager.authorization == .allowedAlways)
        #expect(CBMCentralManagerMock.authorization == .allowedAlways)
        let features: CBMCentralManager.Feature = []
        #expect(CBMCentralManager.supports(features) && CBMCentralManagerMock.supports(features))
        CBMCentralManagerMock.simulateFeaturesSupport = { _ in false }
        #expect(CBMCentralManagerMock.simulateFeaturesSupport != nil && !CBMCentralManagerMock.supports(features))
        CBMCentralManagerMock.simulateStateRestoration = nil
        CBMCentralManagerMock.simulateRSSIDeviation(.default)
        CBMCentralManagerMock.simulateAuthorization(.allowedAlways)
        CBMCentralManagerMock.simulatePowerOn()
        CBMCentralManagerMock.simulatePowerOff()
        CBMCentralManagerMock.tearDownSimulation()
    }

    @Test("A native manager is on the phone of the test, as CoreBluetooth's own is")
    func native() throws {
        air.add(HeartRateSensor(named: "Strap"))
        let delegate = CBMCentralManagerDelegateProxy(), peripheralDelegate = CBMPeripheralDelegateProxy()
        let manager = CBMCentralManagerNative(delegate: delegate, queue: nil)
        var found: (any CBMPeripheral)?
        var services: [String] = []
        delegate.didUpdateState = { central in
            if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBMUUID(string: "180D")]) }
        }
        delegate.didDiscoverPeripheral = { central, peripheral, _, _ in
            found = peripheral
            peripheral.delegate = peripheralDelegate
            central.connect(peripheral)
        }
        delegate.didConnect = { $1.discoverServices([CBMUUID(string: "180D")]) }
        peripheralDelegate.didDiscoverServices = { peripheral, _ in
            services = peripheral.services?.map(\.uuid.uuidString) ?? []
        }
        try air.run(until: services == ["180D"])
        #expect(found is CBMPeripheralNative && found?.name == "Strap" && manager.isScanning)
    }

    @Test("Proxies have a closure for each call")
    func proxies() {
        let manager = CBMCentralManager(true)
        let peripheral = CBMPeripheralPreview(spec())
        let service = CBMServiceMock(type: CBMUUID(string: "FFE0"), primary: true)
        let characteristic = CBMCharacteristicMock(type: CBMUUID(string: "FFE1"), properties: .read)
        let descriptor = CBMDescriptorMock(type: CBMUUID(string: "2901"))
        var heard = 0

        let central = CBMCentralManagerDelegateProxy()
        central.didUpdateState = { _ in heard += 1 }
        central.willRestoreState = { _, _ in heard += 1 }
        central.didDiscoverPeripheral = { _, _, _, _ in heard += 1 }
        central.didConnect = { _, _ in heard += 1 }
        central.didFailToConnect = { _, _, _ in heard += 1 }
        central.didDisconnect = { _, _, _, _, _ in heard += 1 }
        central.connectionEventDidOccur = { _, _, _ in heard += 1 }
        central.didUpdateANCSAuthorization = { _, _ in heard += 1 }
        let full = FullCentralDelegate()
        for delegate: any CBMCentralManagerDelegate in [central, full, SilentCentralDelegate()] {
            delegate.centralManagerDidUpdateState(manager)
            delegate.centralManager(manager, willRestoreState: [:])
            delegate.centralManager(manager, didDiscover: peripheral, advertisementData: [:], rssi: -40)
            delegate.centralManager(manager, didConnect: peripheral)
            delegate.centralManager(manager, didFailToConnect: peripheral, error: nil)
            delegate.centralManager(manager, didDisconnectPeripheral: peripheral, error: nil)
            delegate.centralManager(
                manager,
                didDisconnectPeripheral: peripheral,
                timestamp: 0,
                isReconnecting: false,
                error: nil
            )
            delegate.centralManager(manager, connectionEventDidOccur: .peerConnected, for: peripheral)
            delegate.centralManager(manager, didUpdateANCSAuthorizationFor: peripheral)
        }
        #expect(heard == 8 && full.heard.count == 9)

        let proxy = CBMPeripheralDelegateProxyWithL2CAPChannel()
        proxy.didUpdateName = { _ in heard += 1 }
        proxy.didModifyServices = { _, _ in heard += 1 }
        proxy.didReadRSSI = { _, _, _ in heard += 1 }
        proxy.didDiscoverServices = { _, _ in heard += 1 }
        proxy.didDiscoverIncludedServices = { _, _, _ in heard += 1 }
        proxy.didDiscoverCharacteristics = { _, _, _ in heard += 1 }
        proxy.didUpdateCharacteristicValue = { _, _, _ in heard += 1 }
        proxy.didWriteCharacteristicValue = { _, _, _ in heard += 1 }
        proxy.didUpdateNotificationState = { _, _, _ in heard += 1 }
        proxy.didDiscoverDescriptors = { _, _, _ in heard += 1 }
        proxy.didUpdateDescriptorValue = { _, _, _ in heard += 1 }
        proxy.didWriteDescriptorValue = { _, _, _ in heard += 1 }
        proxy.isReadyToSendWriteWithoutResponse = { _ in heard += 1 }
        proxy.didOpenChannel = { _, _, _ in heard += 1 }
        heard = 0
        for delegate: any CBMPeripheralDelegate in [proxy, SilentPeripheralDelegate()] {
            delegate.peripheralDidUpdateName(peripheral)
            delegate.peripheral(peripheral, didModifyServices: [])
            delegate.peripheral(peripheral, didReadRSSI: -40, error: nil)
            delegate.peripheral(peripheral, didDiscoverServices: nil)
            delegate.peripheral(peripheral, didDiscoverIncludedServicesFor: service, error: nil)
            delegate.peripheral(peripheral, didDiscoverCharacteristicsFor: service, error: nil)
            delegate.peripheral(peripheral, didDiscoverDescriptorsFor: characteristic, error: nil)
            delegate.peripheral(peripheral, didUpdateNotificationStateFor: characteristic, error: nil)
            delegate.peripheral(peripheral, didUpdateValueFor: characteristic, error: nil)
            delegate.peripheral(peripheral, didUpdateValueFor: descriptor, error: nil)
            delegate.peripheral(peripheral, didWriteValueFor: characteristic, error: nil)
            delegate.peripheral(peripheral, didWriteValueFor: descriptor, error: nil)
            delegate.peripheralIsReady(toSendWriteWithoutResponse: peripheral)
            delegate.peripheral(peripheral, didOpen: nil, error: nil)
        }
        #expect(heard == 14)
    }

    @Test("A preview has all services at once, answers each command, and can be retrieved and connected to")
    func preview() throws {
        let characteristic = CBMCharacteristicMock(
            type: CBMUUID(string: "FFE1"),
            properties: [.read, .notify],
            descriptors: CBMDescriptorMock(type: CBMUUID(string: "2901"))
        )
        let included = CBMServiceMock(type: CBMUUID(string: "FFE2"), primary: false)
        let service = CBMServiceMock(
            type: CBMUUID(string: "FFE0"),
            primary: true,
            includedServices: [included],
            characteristics: [characteristic]
        )
        let preview = OwnPreview(spec([service]), state: .connected)
        let delegate = FullPeripheralDelegate()
        preview.delegate = delegate
        #expect(preview.state == .connected && preview.name == "thing" && preview.canSendWriteWithoutResponse)
        #expect(!preview.ancsAuthorized && preview.maximumWriteValueLength(for: .withoutResponse) == 20)
        let found = try #require(preview.services?.first)
        let value = try #require(found.characteristics?.first), text = try #require(value.descriptors?.first)
        #expect(found.peripheral === preview && found.includedServices?.map(\.uuid.uuidString) == ["FFE2"])
        preview.readRSSI()
        preview.discoverServices(nil)
        preview.discoverIncludedServices(nil, for: found)
        preview.discoverCharacteristics(nil, for: found)
        preview.discoverDescriptors(for: value)
        preview.readValue(for: value)
        preview.readValue(for: text)
        preview.writeValue(Data(), for: value, type: .withResponse)
        preview.writeValue(Data(), for: value, type: .withoutResponse)
        preview.writeValue(Data(), for: text)
        preview.setNotifyValue(true, for: value)
        preview.openL2CAPChannel(0x80)
        #expect(value.isNotifying)
        #expect(
            delegate.heard == [
                "RSSI -40", "services", "included", "characteristics", "descriptors", "value", "descriptor value",
                "written", "descriptor written", "notifying", "channel",
            ]
        )
        let central = FullCentralDelegate()
        let manager = CBMCentralManagerMock(delegate: central, queue: nil)
        let retrieved = try #require(manager.retrievePeripherals(withIdentifiers: [preview.identifier]).first)
        #expect(retrieved === preview)
        #expect(manager.retrieveConnectedPeripherals(withServices: [found.uuid]).first === preview)
        manager.cancelPeripheralConnection(preview)
        #expect(preview.state == .disconnected)
        manager.connect(preview)
        #expect(preview.state == .connected && central.heard == ["disconnect anew", "connect"])
    }

    @Test("What a mock peripheral says of itself before it is connected, and commands that are too early")
    func unconnected() throws {
        let spec = spec()
        CBMCentralManagerMock.simulatePeripherals([spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        spec.simulateCaching()
        let manager = CBMCentralManagerMock(delegate: nil, queue: nil)
        try air.run(until: manager.state == .poweredOn)
        let found = manager.retrievePeripherals(withIdentifiers: [spec.identifier]).first
        let peripheral = try #require(found as? CBMPeripheralMock)
        let peer: CBMPeer = peripheral
        #expect(peer.identifier == spec.identifier && peripheral.state == .disconnected && peripheral.services == nil)
        #expect(!peripheral.canSendWriteWithoutResponse && !peripheral.ancsAuthorized && peripheral.delegate == nil)
        #expect(peripheral.hash == spec.identifier.hashValue && !peripheral.debugDescription.isEmpty)
        let service = CBMServiceMock(type: CBMUUID(string: "FFE0"), primary: true)
        let characteristic = CBMCharacteristicMock(type: CBMUUID(string: "FFE1"), properties: .read)
        let descriptor = CBMDescriptorMock(type: CBMUUID(string: "2901"))
        let delegate = FullPeripheralDelegate()
        peripheral.delegate = delegate
        peripheral.discoverServices(nil)
        peripheral.discoverIncludedServices(nil, for: service)
        peripheral.discoverCharacteristics(nil, for: service)
        peripheral.discoverDescriptors(for: characteristic)
        peripheral.readValue(for: characteristic)
        peripheral.readValue(for: descriptor)
        peripheral.writeValue(Data(), for: characteristic, type: .withResponse)
        peripheral.writeValue(Data(), for: descriptor)
        peripheral.setNotifyValue(true, for: characteristic)
        peripheral.readRSSI()
        peripheral.openL2CAPChannel(0x80)
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 0)
        air.run(for: .seconds(2))
        #expect(delegate.heard.isEmpty)
    }

    @Test("States have CoreBluetooth's numbers, and keys its strings")
    func names() {
        let states: [CBMManagerState] = [.unknown, .resetting, .unsupported, .unauthorized, .poweredOff, .poweredOn]
        #expect(states.map(\.rawValue) == Array(0...5))
        let keys = [
            CBMCentralManagerScanOptionAllowDuplicatesKey, CBMCentralManagerScanOptionSolicitedServiceUUIDsKey,
            CBMCentralManagerOptionShowPowerAlertKey, CBMCentralManagerOptionRestoreIdentifierKey,
            CBMCentralManagerRestoredStatePeripheralsKey, CBMCentralManagerRestoredStateScanServicesKey,
            CBMCentralManagerRestoredStateScanOptionsKey, CBMAdvertisementDataLocalNameKey,
            CBMAdvertisementDataServiceUUIDsKey, CBMAdvertisementDataIsConnectable,
            CBMAdvertisementDataTxPowerLevelKey, CBMAdvertisementDataServiceDataKey,
            CBMAdvertisementDataManufacturerDataKey, CBMAdvertisementDataOverflowServiceUUIDsKey,
            CBMAdvertisementDataSolicitedServiceUUIDsKey, CBMConnectPeripheralOptionStartDelayKey,
            CBMConnectPeripheralOptionRequiresANCS, CBMConnectPeripheralOptionNotifyOnConnectionKey,
            CBMConnectPeripheralOptionNotifyOnDisconnectionKey, CBMConnectPeripheralOptionNotifyOnNotificationKey,
            CBMConnectPeripheralOptionEnableTransportBridgingKey, CBMConnectPeripheralOptionEnableAutoReconnect,
        ]
        #expect(Set(keys).count == 22 && keys.allSatisfy { $0.hasPrefix("kCB") })
        let kinds: [Any.Type] = [
            CBMUUID.self, CBMError.self, CBMATTError.self, CBMConnectionEvent.self,
            CBMConnectionEventMatchingOption.self,
            CBMPeripheralState.self, CBMCharacteristicWriteType.self, CBMCharacteristicProperties.self,
            CBML2CAPPSM.self, CBML2CAPChannel.self, CBMManagerAuthorization.self,
        ]
        #expect(kinds.count == 11)
    }
}
