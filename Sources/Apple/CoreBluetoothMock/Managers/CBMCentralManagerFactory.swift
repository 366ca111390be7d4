import BluethroatPhones
public import CoreBluetooth

/// Makes central managers: simulated ones, or native ones where there is a real adapter.
///
/// A real adapter is one that `BLUETHROAT_HCI` names in the environment of the process, and that no test has replaced by a
/// phone of its own.
public class CBMCentralManagerFactory {
    /// A manager without a delegate, on the main queue.
    public static func instance(forceMock: Bool = false) -> CBMCentralManager {
        instance(delegate: nil, queue: nil, options: nil, forceMock: forceMock)
    }

    /// A manager whose delegate is called on a queue; nil means the main queue.
    public static func instance(
        delegate: (any CBMCentralManagerDelegate)?,
        queue: DispatchQueue?,
        forceMock: Bool = false
    ) -> CBMCentralManager {
        instance(delegate: delegate, queue: queue, options: nil, forceMock: forceMock)
    }

    /// A manager whose delegate is called on a queue; nil means the main queue.
    ///
    /// - Parameter forceMock: simulated also where there is a real adapter.
    public static func instance(
        delegate: (any CBMCentralManagerDelegate)?,
        queue: DispatchQueue?,
        options: [String: Any]?,
        forceMock: Bool = false
    ) -> CBMCentralManager {
        make(delegate, queue, options, forceMock: forceMock, ProcessInfo.processInfo.environment)
    }

    /// The same in a process with these variables in its environment.
    static func make(
        _ delegate: (any CBMCentralManagerDelegate)?,
        _ queue: DispatchQueue?,
        _ options: [String: Any]?,
        forceMock: Bool,
        _ variables: [String: String]
    ) -> CBMCentralManager {
        forceMock || !hasAdapter(variables)
            ? CBMCentralManagerMock(delegate: delegate, queue: queue, options: options)
            : CBMCentralManagerNative(delegate: delegate, queue: queue, options: options)
    }

    /// Whether managers are native, unless something else is asked for.
    ///
    /// - Parameter variables: the environment of the process.
    static func hasAdapter(_ variables: [String: String] = ProcessInfo.processInfo.environment) -> Bool {
        BluetoothEnvironment.current?.leadsToPhone != true && variables["BLUETHROAT_HCI"]?.isEmpty == false
    }
}
