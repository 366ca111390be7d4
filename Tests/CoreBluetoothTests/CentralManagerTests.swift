import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import CoreBluetooth
import Foundation
import Testing

@testable import CoreBluetoothStrangers

@Suite("CBCentralManager and CBPeripheral on a phone that is a script")
struct CentralManagerTests {
    let port = ScriptedPort()
    let recorder = CentralRecorder()
    let manager: CBCentralManager
    let peer = PeerID(high: 0x1122_3344_5566_7788, low: 0x99AA_BBCC_DDEE_FF00)
    let link = LinkID(number: 1)

    init() {
        let environment = BluetoothEnvironment(port: port, delivery: .inline)
        manager = CBCentralManager(delegate: recorder, queue: nil, options: nil, environment: environment)
    }

    // MARK: State

    @Test("The state is unknown until the delegate is told [H; G]")
    func state() {
        #expect(manager.state == .unknown)
        #expect(recorder.heard.isEmpty)
        port.tell(.state(.poweredOn))
        #expect(manager.state == .poweredOn)
        port.tell(.state(.poweredOff))
        #expect(recorder.heard == ["state 5", "state 4"])
    }

    @Test("A command while Bluetooth is not on is dropped, and its developer is told in Apple's words [O; M]")
    func misuse() {
        manager.scanForPeripherals(withServices: nil)
        #expect(!manager.isScanning)
        #expect(manager.retrievePeripherals(withIdentifiers: [UUID()]).isEmpty)
        #expect(port.misuse.count == 2)
        #expect(
            port.misuse.allSatisfy {
                $0.hasPrefix("API MISUSE: <CBCentralManager: 0x")
                    && $0.hasSuffix("> can only accept this command while in the powered on state")
            }
        )
        #expect(port.takeOrders().isEmpty)
    }

    @Test("Where there is no Bluetooth the delegate is told so on its queue")
    func nowhere() async {
        let delegate = StateWaiter()
        let manager = CBCentralManager(
            delegate: delegate,
            queue: DispatchQueue(label: "nowhere"),
            environment: .withoutBluetooth
        )
        #expect(await delegate.state() == .unsupported)
        withExtendedLifetime(manager) {}
    }

    @Test("A manager takes the environment of the task in which it is made")
    func taskLocal() {
        let other = ScriptedPort()
        other.authorization = .denied
        BluetoothEnvironment.$current.withValue(BluetoothEnvironment(port: other, delivery: .inline)) {
            #expect(CBManager.authorization == .denied)
            let manager = CBCentralManager(
                delegate: nil,
                queue: nil,
                options: [CBCentralManagerOptionRestoreIdentifierKey: "me"]
            )
            #expect(other.sessions.first?.restoreIdentifier == "me")
            #expect(other.sessions.first?.showsPowerAlert == true)
            other.tell(.state(.unauthorized))
            #expect(manager.state == .unauthorized)
        }
        #expect(other.closed.count == 1, "a manager that is gone has ended its session")
    }

    // MARK: Scanning

    @Test("A scan is ordered with its services and options")
    func scan() throws {
        port.tell(.state(.poweredOn))
        manager.scanForPeripherals(
            withServices: [CBUUID(string: "180D")],
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: NSNumber(value: true)]
        )
        #expect(manager.isScanning)
        guard case .central(.scan(let request))? = port.takeOrders().first else {
            Issue.record("there is no order")
            return
        }
        #expect(request == ScanRequest(services: [0x180D], allowsDuplicates: true))
        manager.stopScan()
        #expect(!manager.isScanning)
    }

    @Test("A sighting becomes a dictionary of the types that apps expect, without keys for what was not heard [H]")
    func sighting() throws {
        port.tell(.state(.poweredOn))
        discover(
            .completeLocalName("Fob"),
            .uuids(.completeUUIDs16, [0xFFE0]),
            .init(.manufacturerSpecific, [0x0D, 0x00, 1]),
            .init(.serviceData16, [0x0F, 0x18, 99]),
            .txPowerLevel(SignalStrength(dBm: -4))
        )
        let advertisement = try #require(recorder.advertisements.first)
        #expect(advertisement[CBAdvertisementDataLocalNameKey] as? String == "Fob")
        #expect(advertisement[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "FFE0")])
        #expect(advertisement["kCBAdvDataManufacturerData"] as? Data == Data([0x0D, 0x00, 1]))
        #expect(
            advertisement[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data]
                == [CBUUID(string: "180F"): Data([99])]
        )
        #expect((advertisement[CBAdvertisementDataTxPowerLevelKey] as? NSNumber)?.intValue == -4)
        #expect((advertisement[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue == true)
        #expect(advertisement.count == 6)
        let peripheral = try #require(recorder.peripherals.first)
        #expect(peripheral.identifier.uuidString == "11223344-5566-7788-99AA-BBCCDDEEFF00")
        #expect(peripheral.name == "Fob")
        #expect(recorder.heard.last == "discovered Fob -60")
    }

    @Test(
        "There is one object for a peer as long as the app keeps it, and a known peer can be retrieved [H; product decision]"
    )
    func identity() throws {
        port.tell(.state(.poweredOn))
        discover(.completeLocalName("Fob"))
        let peripheral = try #require(recorder.peripherals.first)
        discover(.completeLocalName("Fob"))
        #expect(recorder.peripherals.allSatisfy { $0 === peripheral })
        let retrieved = manager.retrievePeripherals(withIdentifiers: [UUID(), peripheral.identifier])
        #expect(retrieved.map(ObjectIdentifier.init) == [ObjectIdentifier(peripheral)])
        #expect(manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180F")]).isEmpty)
        port.tell(.central(.peerKnown(PeerSummary(id: peer, name: "Fob", connectedServices: [0x180F]))))
        #expect(
            manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180F")]).first === peripheral
        )
    }

    // MARK: Connections

    @Test("A connection's states are those that the delegate hears of [H]")
    func connection() throws {
        let peripheral = try connected()
        #expect(recorder.heard.suffix(1) == ["connected 2"])
        manager.cancelPeripheralConnection(peripheral)
        #expect(peripheral.state == .disconnecting)
        port.tell(.central(.disconnected(peer, Disconnection(time: 0))))
        #expect(peripheral.state == .disconnected)
        #expect(recorder.heard.last == "disconnected 0 nil")
    }

    @Test(
        "Of the two callbacks for a disconnection only the older is called, where the delegate has it [product decision]"
    )
    func bothCallbacks() throws {
        _ = try connected()
        let fault = ServiceFault.local(.connectionTimeout)
        port.tell(.central(.disconnected(peer, Disconnection(fault: fault, time: 7, isReconnecting: true))))
        #expect(recorder.heard.last == "disconnected 1 The connection has timed out unexpectedly.")

        let newer = NewerRecorder()
        manager.delegate = newer
        port.tell(.central(.disconnected(peer, Disconnection(fault: fault, time: 7, isReconnecting: true))))
        #expect(newer.heard == ["7.0 true timeout"])
    }

    @Test("An app that lets go of a peripheral wants no connection to it, and is told what it did [H; W13; O]")
    func letGo() throws {
        try {
            let peripheral = try connected()
            recorder.peripherals = []
            _ = port.takeOrders()
            withExtendedLifetime(peripheral) {}
        }()
        #expect(
            port.misuse.first?.hasPrefix("API MISUSE: Cancelling connection for unused peripheral <CBPeripheral: 0x")
                == true
        )
        guard case .central(.forget(peer))? = port.takeOrders().first else {
            Issue.record("the service does not know")
            return
        }
    }

    @Test("When Bluetooth goes off, nothing is connected or looked for [H; D]")
    func powerOff() throws {
        let peripheral = try connected()
        manager.scanForPeripherals(withServices: nil)
        port.tell(.state(.poweredOff))
        #expect(peripheral.state == .disconnected && peripheral.services == nil)
        #expect(!manager.isScanning)
    }

    // MARK: GATT

    @Test("Discovered attributes know where they belong, and are the same objects when found again [D]")
    func discovery() throws {
        let peripheral = try connected()
        let level = try discoverBattery(of: peripheral)
        #expect(path(of: try #require(level.descriptors?.first)).hasSuffix("FF00/Battery/Battery Level"))
        #expect(level.service.peripheral === peripheral)
        let again = try discoverBattery(of: peripheral)
        #expect(again === level)
        #expect(level.description.contains("UUID = Battery Level, properties = 0x12, value = (null)"))
    }

    @Test("A value is in its characteristic when the delegate hears of it, and an error leaves it [H]")
    func values() throws {
        let peripheral = try connected()
        let level = try discoverBattery(of: peripheral)
        peripheral.readValue(for: level)
        guard case .central(.peer(peer, link, .read(handle(3))))? = port.takeOrders().last else {
            Issue.record("nothing was asked")
            return
        }
        tell(.value(handle(3), .success([99])))
        #expect(recorder.heard.last == "value 1 nil")
        #expect(level.value == Data([99]))
        tell(.value(handle(3), .failure(.att(.insufficientEncryption))))
        #expect(recorder.heard.last == "value 1 Encryption is insufficient.")
        #expect(level.value == Data([99]))
        tell(.notifying(handle(3), .success(true)))
        #expect(level.isNotifying)
        tell(.descriptorValue(handle(4), .success([1, 0])))
        #expect(level.descriptors?.first?.value as? NSNumber == 1)
    }

    @Test(
        "Writes without response are taken until the window is full, and the app hears when there is room again [H; W17]"
    )
    func writeWindow() throws {
        let peripheral = try connected(window: 2)
        let level = try discoverBattery(of: peripheral)
        for _ in 0..<2 {
            #expect(peripheral.canSendWriteWithoutResponse)
            peripheral.writeValue(Data([1]), for: level, type: .withoutResponse)
        }
        tell(.writesSent(0))
        #expect(recorder.heard.last != "ready", "nobody was refused")
        #expect(!peripheral.canSendWriteWithoutResponse)
        tell(.writesSent(1))
        #expect(recorder.heard.last == "ready")
        #expect(peripheral.canSendWriteWithoutResponse)
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 182)
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
    }

    @Test(
        "What comes late, for a connection that has ended, is dropped; so is what is asked about its attributes [H; D]"
    )
    func stale() throws {
        let peripheral = try connected()
        let level = try discoverBattery(of: peripheral)
        port.tell(.central(.disconnected(peer, Disconnection(time: 0))))
        tell(.value(handle(3), .success([1])))
        #expect(recorder.heard.last == "disconnected 0 nil" && level.value == nil)
        _ = port.takeOrders()
        peripheral.readValue(for: level)
        #expect(port.misuse.first?.hasSuffix("can only accept commands while in the connected state") == true)
        port.tell(.central(.connected(peer, LinkID(number: 2), LinkLimits(writeWindow: 1))))
        peripheral.readValue(for: level)
        #expect(port.takeOrders().isEmpty)
    }

    @Test("Services that have changed are gone, and the delegate hears of those that the app knew [D; W13]")
    func invalidation() throws {
        let peripheral = try connected()
        _ = try discoverBattery(of: peripheral)
        tell(.servicesInvalidated([handle(1), handle(40)]))
        #expect(recorder.heard.last == "modified [Battery]")
        #expect(peripheral.services?.isEmpty == true)
    }

    // MARK: Help

    private func handle(_ number: UInt16) -> AttributeHandle { AttributeHandle(rawValue: number)! }

    private func tell(_ event: PeerEvent) { port.tell(.central(.peer(peer, link, event))) }

    private func discover(_ structures: AdvertisingData.Structure...) {
        let data = AdvertisingData(structures)
        let sighting = Sighting(
            peer: peer,
            name: data.localName,
            advertisement: data,
            isConnectable: true,
            signalStrength: SignalStrength(dBm: -60)
        )
        port.tell(.central(.discovered(sighting)))
    }

    private func connected(window: Int = 4) throws -> CBPeripheral {
        port.tell(.state(.poweredOn))
        discover(.completeLocalName("Fob"))
        let peripheral = try #require(recorder.peripherals.last)
        peripheral.delegate = recorder
        manager.connect(peripheral)
        #expect(peripheral.state == .connecting)
        port.tell(.central(.connected(peer, link, LinkLimits(writeWithoutResponse: 182, writeWindow: window))))
        return peripheral
    }

    private func discoverBattery(of peripheral: CBPeripheral) throws -> CBCharacteristic {
        let service = RemoteService(uuid: 0x180F, handles: handle(1)...handle(4))
        tell(.servicesDiscovered(.success([service])))
        let level = RemoteCharacteristic(
            uuid: 0x2A19,
            properties: [.read, .notify],
            handle: handle(2),
            valueHandle: handle(3),
            endHandle: handle(4)
        )
        tell(.characteristicsDiscovered(of: handle(1), .success([level])))
        tell(.descriptorsDiscovered(of: handle(3), .success([RemoteDescriptor(handle: handle(4), uuid: 0x2902)])))
        let services = try #require(peripheral.services)
        #expect(services.count == 1)
        return try #require(services.first?.characteristics?.first)
    }
}

/// A delegate with the older methods and the newer, which writes down what it hears.
final class CentralRecorder: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    var heard: [String] = []
    var advertisements: [[String: Any]] = []
    var peripherals: [CBPeripheral] = []

    func centralManagerDidUpdateState(_ central: CBCentralManager) { heard.append("state \(central.state.rawValue)") }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        heard.append("discovered \(peripheral.name ?? "?") \(RSSI)")
        advertisements.append(advertisementData)
        peripherals.append(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        heard.append("connected \(peripheral.state.rawValue)")
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        heard.append("disconnected \(peripheral.state.rawValue) \(error?.localizedDescription ?? "nil")")
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool,
        error: (any Error)?
    ) {
        heard.append("disconnected twice")
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        heard.append("value \(characteristic.value?.count ?? 0) \(error?.localizedDescription ?? "nil")")
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { heard.append("ready") }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        heard.append("modified \(invalidatedServices.map(\.uuid))")
    }
}

/// A delegate with the newer method alone.
final class NewerRecorder: NSObject, CBCentralManagerDelegate {
    var heard: [String] = []

    func centralManagerDidUpdateState(_ central: CBCentralManager) {}

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool,
        error: (any Error)?
    ) {
        heard.append("\(timestamp) \(isReconnecting) \(error.map(describe) ?? "nil")")
    }
}

/// Waits for the first state.
final class StateWaiter: NSObject, CBCentralManagerDelegate, Sendable {
    private let (states, told) = AsyncStream<CBManagerState>.makeStream()

    func centralManagerDidUpdateState(_ central: CBCentralManager) { told.yield(central.state) }

    func state() async -> CBManagerState? {
        for await state in states { return state }
        return nil
    }
}
