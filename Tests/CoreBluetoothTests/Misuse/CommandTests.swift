import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// Orders in states in which they cannot be carried out. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("Commands that cannot be taken")
struct CommandTests {
    private let port = ScriptedPort()
    private let recorder = CentralRecorder()
    private let peer = PeerID(high: 1, low: 2)
    private let link = LinkID(number: 1)
    private let misuse = "> can only accept this command while in the powered on state"
    private var environment: BluetoothEnvironment { BluetoothEnvironment(port: port, delivery: .inline) }

    private func central() -> CBCentralManager {
        CBCentralManager(delegate: recorder, queue: nil, environment: environment)
    }

    /// A peripheral that was discovered.
    private func peripheral(_ manager: CBCentralManager) throws -> CBPeripheral {
        port.tell(.state(.poweredOn), .central(.peerKnown(PeerSummary(id: peer, connectedServices: [0x180F]))))
        let found = manager.retrievePeripherals(withIdentifiers: [UUID(uuidString: identifier)!]).first
        return try #require(found)
    }

    private var identifier: String { "00000000-0000-0001-0000-000000000002" }

    private func connected(_ manager: CBCentralManager) throws -> CBPeripheral {
        let peripheral = try peripheral(manager)
        peripheral.delegate = recorder
        port.tell(.central(.connected(peer, link, LinkLimits(writeWindow: 4))))
        let handles = try (1...4).map { try #require(AttributeHandle(rawValue: $0)) }
        tell(.servicesDiscovered(.success([RemoteService(uuid: 0x180F, handles: handles[0]...handles[3])])))
        let level = RemoteCharacteristic(
            uuid: 0x2A19,
            properties: [.read, .notify],
            handle: handles[1],
            valueHandle: handles[2],
            endHandle: handles[3]
        )
        tell(.characteristicsDiscovered(of: handles[0], .success([level])))
        tell(.descriptorsDiscovered(of: handles[2], .success([RemoteDescriptor(handle: handles[3], uuid: 0x2901)])))
        return peripheral
    }

    private func tell(_ event: PeerEvent) { port.tell(.central(.peer(peer, link, event))) }

    @Test("The states stand in the order of the header: what is below on takes no commands [H]")
    func order() {
        let states: [CBManagerState] = [
            .unknown, .resetting, .unsupported, .unauthorized, .poweredOff, .poweredOn,
        ]
        #expect(states.map(\.rawValue) == Array(0...5))
    }

    @Test(
        "A central takes no command in any state but on: dropped, logged, not queued, without a callback [H; O; M]",
        arguments: [RadioState.unknown, .resetting, .unsupported, .unauthorized, .poweredOff]
    )
    func centralCommands(state: RadioState) throws {
        let manager = central()
        let peripheral = try peripheral(manager)
        port.tell(.state(state))
        _ = port.takeOrders()
        recorder.heard = []
        manager.scanForPeripherals(withServices: nil)
        manager.stopScan()
        manager.connect(peripheral)
        manager.cancelPeripheralConnection(peripheral)
        #expect(manager.retrievePeripherals(withIdentifiers: [peripheral.identifier]).isEmpty)
        #expect(manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180F")]).isEmpty)
        manager.registerForConnectionEvents(options: nil)
        peripheral.discoverServices(nil)
        peripheral.readRSSI()
        peripheral.openL2CAPChannel(0x80)
        #expect(port.misuse.count == 10 && port.misuse.allSatisfy { $0.hasSuffix(misuse) })
        #expect(port.misuse.allSatisfy { $0.hasPrefix("API MISUSE: <CBCentralManager: 0x") })
        #expect(port.takeOrders().isEmpty && peripheral.state == .disconnected && !manager.isScanning)
        port.tell(.state(.poweredOn))
        #expect(port.takeOrders().isEmpty && recorder.heard == ["state 5"])
    }

    @Test(
        "A peripheral manager takes no command in any state but on [H; O; M]",
        arguments: [RadioState.unknown, .resetting, .unsupported, .unauthorized, .poweredOff]
    )
    func peripheralCommands(state: RadioState) throws {
        let manager = CBPeripheralManager(delegate: nil, queue: nil, environment: environment)
        let value = CBMutableCharacteristic("FFE1", .notify, [])
        let service = CBMutableService("FFE0", [value])
        port.tell(.peripheral(.updateWindow(4)), .state(.poweredOn))
        manager.add(service)
        guard case .peripheral(.add(let copy))? = port.takeOrders().first else { throw CBError(.unknown) }
        let subscriber = SubscribedCentral(id: peer)
        port.tell(.peripheral(.subscribed(subscriber, copy.characteristics[0].id)))
        let central = try #require(value.subscribedCentrals?.first)
        port.tell(.state(state))
        #expect(value.subscribedCentrals == [], "nobody is connected below on")
        manager.startAdvertising(nil)
        manager.stopAdvertising()
        manager.add(CBMutableService("FFA0"))
        manager.remove(service)
        manager.removeAllServices()
        #expect(!manager.updateValue(Data([1]), for: value, onSubscribedCentrals: nil))
        manager.setDesiredConnectionLatency(.low, for: central)
        manager.publishL2CAPChannel(withEncryption: false)
        manager.unpublishL2CAPChannel(0x80)
        #expect(port.misuse.count == 9 && port.misuse.allSatisfy { $0.hasSuffix(misuse) })
        #expect(port.takeOrders().isEmpty)
        port.tell(.state(.poweredOn))
        #expect(port.takeOrders().isEmpty)
    }

    @Test("Without a connection a peripheral is asked nothing, and the developer is told [product decision]")
    func notConnected() throws {
        let manager = central()
        let peripheral = try peripheral(manager)
        _ = port.takeOrders()
        peripheral.discoverServices(nil)
        peripheral.readRSSI()
        peripheral.openL2CAPChannel(0x80)
        #expect(port.misuse.count == 3)
        #expect(port.misuse.allSatisfy { $0.hasSuffix("can only accept commands while in the connected state") })
        #expect(port.takeOrders().isEmpty)
        withExtendedLifetime(manager) {}
    }

    @Test("What is gone from a peripheral's table cannot be asked about; the developer is told [D didModifyServices]")
    func invalidated() throws {
        let manager = central()
        let peripheral = try connected(manager)
        let service = try #require(peripheral.services?.first)
        let level = try #require(service.characteristics?.first)
        let text = try #require(level.descriptors?.first)
        _ = port.takeOrders()
        peripheral.readValue(for: level)
        #expect(port.takeOrders().count == 1)
        tell(.servicesInvalidated([try #require(AttributeHandle(rawValue: 1))]))
        peripheral.discoverCharacteristics(nil, for: service)
        peripheral.readValue(for: level)
        peripheral.writeValue(Data([1]), for: level, type: .withoutResponse)
        peripheral.readValue(for: text)
        #expect(port.misuse.count == 4 && port.misuse.allSatisfy { $0.contains("is not a valid attribute") })
        #expect(port.takeOrders().isEmpty)
        withExtendedLifetime(manager) {}
    }

    @Test("A peripheral belongs to the manager that has found it; another one does not take it [M; G]")
    func foreign() throws {
        let manager = central()
        let peripheral = try peripheral(manager)
        let otherPort = ScriptedPort()
        let other = CBCentralManager(
            delegate: nil,
            queue: nil,
            environment: BluetoothEnvironment(port: otherPort, delivery: .inline)
        )
        otherPort.tell(.state(.poweredOn))
        other.connect(peripheral)
        other.cancelPeripheralConnection(peripheral)
        #expect(
            otherPort.misuse.count == 2 && otherPort.misuse.allSatisfy { $0.contains("does not know <CBPeripheral") }
        )
        #expect(otherPort.takeOrders().isEmpty && peripheral.state == .disconnected)
        manager.connect(peripheral)
        #expect(peripheral.state == .connecting)
    }

    @Test(
        "Below off, peripherals are invalid and must be retrieved again; while off they stay [H]",
        arguments: [RadioState.resetting, .unsupported, .unauthorized, .poweredOff]
    )
    func invalid(state: RadioState) throws {
        let manager = central()
        let peripheral = try connected(manager)
        port.tell(.state(state))
        #expect(peripheral.state == .disconnected && peripheral.services == nil)
        port.tell(.state(.poweredOn))
        let again = try #require(manager.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first)
        #expect((again === peripheral) == (state == .poweredOff))
        #expect(again.identifier == peripheral.identifier)
        _ = port.takeOrders()
        manager.connect(peripheral)
        #expect(port.takeOrders().count == (state == .poweredOff ? 1 : 0))
        manager.connect(again)
        #expect(again.state == .connecting)
    }

    @Test("Connection events: nil clears, and no more than four services are watched [H]")
    func watching() throws {
        let manager = central()
        port.tell(.state(.poweredOn))
        let services = ["AA01", "AA02", "AA03", "AA04", "AA05"].map { CBUUID(string: $0) }
        manager.registerForConnectionEvents(options: [.serviceUUIDs: services])
        #expect(port.misuse.count == 1 && port.misuse[0].contains("4 services"))
        manager.registerForConnectionEvents(options: nil)
        let orders = port.takeOrders()
        guard orders.count == 2, case .central(.watchConnections(let first)) = orders[0],
            case .central(.watchConnections(nil)) = orders[1]
        else {
            Issue.record("other orders: \(orders)")
            return
        }
        #expect(first == ConnectionWatch(services: [0xAA01, 0xAA02, 0xAA03, 0xAA04], peers: []))
    }

    @Test("What a host here cannot do, the delegate is told: code 13 [D]")
    func channelSounding() throws {
        let it = AppScene(Accessory())
        let peripheral = try it.connect()
        let delegate = SoundingRecorder()
        peripheral.delegate = delegate
        peripheral.startChannelSoundingSession(CBChannelSoundingSessionConfiguration(role: .initiator))
        it.run(.seconds(1))
        #expect(delegate.error?.code == .operationNotSupported)
        #expect(delegate.error?.localizedDescription == "The operation is not supported.")
    }
}

private final class SoundingRecorder: NSObject, CBPeripheralDelegate {
    private(set) var error: CBError?

    func peripheral(_ peripheral: CBPeripheral, didCompleteChannelSoundingSession error: (any Error)?) {
        self.error = error as? CBError
    }
}
