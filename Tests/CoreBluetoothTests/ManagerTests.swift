import BluethroatPhoneService
import CoreBluetooth
import Testing

@testable import CoreBluetoothStrangers

@Suite("What managers of both roles promise")
struct ManagerTests {
    let port = ScriptedPort()
    var environment: BluetoothEnvironment { BluetoothEnvironment(port: port, delivery: .inline) }

    @Test("Authorization is known before any manager is made, and making none asks nothing [H; D]", arguments: 0..<4)
    func authorization(raw: Int) throws {
        port.authorization = try #require(Authorization(rawValue: raw))
        let expected = try #require(CBManagerAuthorization(rawValue: raw))
        BluetoothEnvironment.$current.withValue(environment) {
            #expect(CBManager.authorization == expected)
            #expect(CBCentralManager.authorization == expected)
            #expect(CBPeripheralManager.authorization == expected)
        }
        #expect(port.sessions.isEmpty)
    }

    @Test("init() makes managers without a delegate or options; one can be set before they hear anything [D]")
    func plainInitialisers() {
        BluetoothEnvironment.$current.withValue(environment) {
            let central = CBCentralManager()
            let peripheral = CBPeripheralManager()
            #expect(central.delegate == nil && peripheral.delegate == nil)
            #expect(central.state == .unknown && peripheral.state == .unknown)
            #expect(!central.isScanning && !peripheral.isAdvertising)
            #expect(port.sessions.map(\.role) == [.central, .peripheral])
            #expect(port.sessions.allSatisfy { $0.restoreIdentifier == nil })
            let delegate = StateCounter()
            central.delegate = delegate
            peripheral.delegate = delegate
            port.tell(.state(.poweredOn), session: 0)
            port.tell(.state(.poweredOff), session: 1)
            #expect(delegate.states == [.poweredOn, .poweredOff])
        }
    }

    @Test("Subclasses have the initialisers of their managers, and may be their own delegates")
    func ownDelegates() {
        BluetoothEnvironment.$current.withValue(environment) {
            let server = BeaconServer.begin()
            let finder = BeaconFinder(), other = BeaconFinder(on: .main)
            port.tell(.state(.poweredOn), session: 0)
            port.tell(.state(.poweredOn), session: 2)
            #expect(server.heard == [.poweredOn] && other.heard == [.poweredOn])
            #expect(finder.heard.isEmpty && port.sessions.map(\.role) == [.peripheral, .central, .central])
        }
    }

    @Test("A central shows the power alert unless told not to, a peripheral only if told to [D]")
    func powerAlert() {
        BluetoothEnvironment.$current.withValue(environment) {
            _ = CBCentralManager(delegate: nil, queue: nil)
            _ = CBPeripheralManager(delegate: nil, queue: nil)
            _ = CBCentralManager(
                delegate: nil,
                queue: nil,
                options: [CBCentralManagerOptionShowPowerAlertKey: false]
            )
            _ = CBPeripheralManager(
                delegate: nil,
                queue: nil,
                options: [CBPeripheralManagerOptionShowPowerAlertKey: NSNumber(value: 1)]
            )
        }
        #expect(port.sessions.map(\.showsPowerAlert) == [true, false, false, true])
    }

    @Test("No host here can do what may be asked with supports(_:), and nothing asked is always supported [D]")
    func features() {
        #expect(!CBCentralManager.supports(.extendedScanAndConnect))
        #expect(!CBCentralManager.supports([.extendedScanAndConnect]))
        #expect(CBCentralManager.supports([]))
    }

    @Test("Options that ask for alerts reach the phone, each by itself [H; D]")
    func alertOptions() throws {
        let manager = CBCentralManager(delegate: nil, queue: nil, options: nil, environment: environment)
        let peer = PeerID(high: 0, low: 7)
        port.tell(.state(.poweredOn), .central(.peerKnown(PeerSummary(id: peer))))
        let identifier = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7))
        let peripheral = try #require(manager.retrievePeripherals(withIdentifiers: [identifier]).first)
        #expect(!peripheral.ancsAuthorized)
        let expected = [
            CBConnectPeripheralOptionNotifyOnConnectionKey: ConnectRequest(notifiesOnConnection: true),
            CBConnectPeripheralOptionNotifyOnDisconnectionKey: ConnectRequest(notifiesOnDisconnection: true),
            CBConnectPeripheralOptionNotifyOnNotificationKey: ConnectRequest(notifiesOnNotification: true),
        ]
        for (key, expected) in expected {
            _ = port.takeOrders()
            manager.connect(peripheral, options: [key: true])
            guard case .central(.connect(let id, let request))? = port.takeOrders().first else {
                Issue.record("there is no order")
                return
            }
            #expect(id == peer && request == expected)
        }
    }
}

private final class StateCounter: NSObject, CBCentralManagerDelegate, CBPeripheralManagerDelegate {
    var states: [CBManagerState] = []

    func centralManagerDidUpdateState(_ central: CBCentralManager) { states.append(central.state) }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) { states.append(peripheral.state) }
}
