// In the manner of libraries that put an actor around a peripheral, on a queue of its own. One import, a submodule.
import CoreBluetooth.CBPeripheral

extension CBPeripheral: @retroactive @unchecked Sendable {}
extension CBCharacteristic: @retroactive @unchecked Sendable {}

actor QueueBoundCentral {
    nonisolated let queue = DispatchSerialQueue(label: "actor.central")
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private var manager: CBCentralManager?
    private var waiters: [CheckedContinuation<CBManagerState, Never>] = []
    private var pending: [UUID: CheckedContinuation<CBPeripheral, any Error>] = [:]
    private lazy var proxy = Proxy(owner: self)

    func start(in environment: BluetoothEnvironment) {
        manager = CBCentralManager(delegate: proxy, queue: queue, options: nil, environment: environment)
    }

    func state() async -> CBManagerState {
        if let manager, manager.state != .unknown { return manager.state }
        return await withCheckedContinuation { waiters.append($0) }
    }

    func connect(_ peripheral: CBPeripheral) async throws -> CBPeripheral {
        try await withCheckedThrowingContinuation { continuation in
            pending[peripheral.identifier] = continuation
            manager?.connect(peripheral, options: [CBConnectPeripheralOptionNotifyOnConnectionKey: true])
        }
    }

    fileprivate func updated(_ state: CBManagerState) {
        for waiter in waiters { waiter.resume(returning: state) }
        waiters = []
    }

    fileprivate func connected(_ peripheral: CBPeripheral, _ error: (any Error)?) {
        let waiter = pending.removeValue(forKey: peripheral.identifier)
        if let error { waiter?.resume(throwing: error) } else { waiter?.resume(returning: peripheral) }
    }

    private final class Proxy: NSObject, CBCentralManagerDelegate {
        private weak let owner: QueueBoundCentral?

        init(owner: QueueBoundCentral) { self.owner = owner }

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            owner?.assumeIsolated { $0.updated(central.state) }
        }

        func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
            owner?.assumeIsolated { $0.connected(peripheral, nil) }
        }

        func centralManager(
            _ central: CBCentralManager,
            didFailToConnect peripheral: CBPeripheral,
            error: (any Error)?
        ) {
            owner?.assumeIsolated { $0.connected(peripheral, error ?? CBError(.connectionFailed)) }
        }
    }
}

/// Events of a peripheral as a stream.
final class PeripheralEvents: NSObject, CBPeripheralDelegate, Sendable {
    enum Event: Sendable {
        case services([CBUUID])
        case value(CBUUID, Data?)
        case failed(CBError.Code)
    }

    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    override init() {
        (events, continuation) = AsyncStream.makeStream()
        super.init()
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        continuation.yield(.services(peripheral.services?.map(\.uuid) ?? []))
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let error = error as? CBError {
            continuation.yield(.failed(error.code))
        } else {
            continuation.yield(.value(characteristic.uuid, characteristic.value))
        }
    }
}
