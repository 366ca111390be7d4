import BluethroatPhoneService
import CoreBluetooth

/// Another app on the same phone, which connects to peripherals and keeps them.
final class OtherApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    private struct State {
        var manager: CBCentralManager?
        /// By the identifiers under which this app knows them.
        var wanted: [UUID] = []
        /// Held, since the connection of one that nobody holds ends.
        var peripherals: [UUID: CBPeripheral] = [:]
    }

    let app: AppID
    private let state = Locked(State())

    init(_ environment: BluetoothEnvironment, _ app: AppID) {
        self.app = app
        super.init()
        let queue = environment.delivery == .inline ? nil : DispatchQueue(label: "another app")
        state.withLock {
            $0.manager = CBCentralManager(delegate: self, queue: queue, environment: environment)
        }
    }

    /// Connects to a peer that the phone knows, now or when Bluetooth is on.
    func connect(_ peer: UUID) {
        let manager = state.withLock { state in
            if !state.wanted.contains(peer) { state.wanted.append(peer) }
            return state.manager
        }
        if let manager { connectAll(manager) }
    }

    /// Gives up a connection, or the wish for one.
    func leave(_ peer: UUID) {
        let (manager, peripheral) = state.withLock { state in
            state.wanted.removeAll { $0 == peer }
            return (state.manager, state.peripherals.removeValue(forKey: peer))
        }
        if let manager, let peripheral, manager.state == .poweredOn { manager.cancelPeripheralConnection(peripheral) }
    }

    private func connectAll(_ manager: CBCentralManager) {
        guard manager.state == .poweredOn else { return }
        for peer in state.withLock(\.wanted) {
            manager.remember(peer, name: nil)
            guard let peripheral = manager.retrievePeripherals(withIdentifiers: [peer]).first else { continue }
            state.withLock { $0.peripherals[peer] = peripheral }
            peripheral.delegate = self
            if peripheral.state == .disconnected { manager.connect(peripheral) }
        }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { connectAll(central) }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        state.withLock { $0.wanted.removeAll { $0 == peripheral.identifier } }
        peripheral.discoverServices(nil)
    }
}
