import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

/// A manager on the air's phone, powered on, with one service.
struct Publisher {
    let air: Air
    let manager: PeripheralManager
    let service: MutableService
    let characteristic: MutableCharacteristic

    /// - Parameter count: how many characteristics there are besides the one that is looked at.
    init(
        _ properties: CBCharacteristicProperties = [.read, .write, .notify],
        value: Data? = nil,
        others: [MutableCharacteristic] = [],
        options: [String: Any]? = nil
    ) throws {
        air = .current
        manager = PeripheralManager(options: options)
        service = MutableService(uuid: "FFF0")
        characteristic = MutableCharacteristic(
            UUID: "FFF1",
            properties: properties,
            permissions: [.readable, .writeable],
            value: value
        )
        service.characteristics = [characteristic] + others
        let manager = manager
        try air.run(until: manager.poweredOn)
        try finish(manager.add(service))
    }

    /// Advertises, and waits until it does.
    func advertise() throws { try finish(manager.startAdvertising("Tag", uuids: [CBUUID(string: "FFF0")])) }

    /// A central that has found everything.
    func centralConnects(_ name: String = "central") throws -> NearbyCentral {
        if !manager.isAdvertising { try advertise() }
        let central = NearbyCentral(name)
        try central.connect()
        return central
    }

    /// Waits for a future, and for what it was completed with.
    @discardableResult
    func finish<T>(_ future: Future<T>) throws -> T { try air.value(of: future) }
}

extension Air {
    /// Lets time pass until a future is completed.
    @discardableResult
    func value<T>(of future: Future<T>, within limit: Duration = .seconds(30)) throws -> T {
        try run(within: limit, "a future", until: { future.completed })
        switch try #require(future.result) {
        case .success(let value): return value
        case .failure(let error): throw error
        }
    }
}

extension FutureStream {
    /// The values that it keeps.
    var values: [T] {
        futures.compactMap { future in if case .success(let value)? = future.result { value } else { nil } }
    }

    /// The errors that it keeps.
    var errors: [any Error] {
        futures.compactMap { future in if case .failure(let error)? = future.result { error } else { nil } }
    }
}
