import BluethroatPhones
public import CoreBluetooth

// The peripheral role, which the original does not have: CoreBluetooth's own classes, on the simulated phone.

public typealias CBMPeripheralManager = CBPeripheralManager
public typealias CBMPeripheralManagerDelegate = CBPeripheralManagerDelegate
public typealias CBMPeripheralManagerConnectionLatency = CBPeripheralManagerConnectionLatency
public typealias CBMMutableService = CBMutableService
public typealias CBMMutableCharacteristic = CBMutableCharacteristic
public typealias CBMMutableDescriptor = CBMutableDescriptor
public typealias CBMAttributePermissions = CBAttributePermissions
public typealias CBMATTRequest = CBATTRequest
public typealias CBMCentral = CBCentral

/// Makes peripheral managers: on the simulated phone, or on a real adapter where `CBMCentralManagerFactory` uses one, too.
public enum CBMPeripheralManagerFactory {
    /// A manager whose delegate is called on a queue; nil means the main queue.
    ///
    /// - Parameter forceMock: simulated also where there is a real adapter.
    public static func instance(
        delegate: (any CBMPeripheralManagerDelegate)?,
        queue: DispatchQueue?,
        options: [String: Any]? = nil,
        forceMock: Bool = false
    ) -> CBMPeripheralManager {
        guard forceMock || !CBMCentralManagerFactory.hasAdapter() else {
            return CBPeripheralManager(delegate: delegate, queue: queue, options: options)
        }
        let simulation = MockSimulation.current
        simulation.begin()
        let manager = CBPeripheralManager(
            delegate: delegate,
            queue: queue,
            options: options,
            environment: simulation.home.environment
        )
        simulation.add(manager)
        return manager
    }

    /// Puts these centrals on the air, and takes all others off. One that is there already stays as it is.
    public static func simulateCentrals(_ centrals: [CBMCentralSpec]) { MockSimulation.current.simulate(centrals) }
}
