import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

/// A manager on the air's phone, and a sensor with something of every kind.
final class CentralScene {
    let air = Air.current
    let manager: CentralManager
    let sensor = SimulatedPeripheral(
        named: "Sensor",
        advertising: SimulatedAdvertisement(
            services: [CBUUID(string: "FFE0")],
            manufacturerData: Data([0xFF, 0xFF, 1]),
            txPower: 4
        ),
        services: [
            SimulatedService(
                "FFE0",
                characteristics: [
                    SimulatedCharacteristic("FFE1", [.read, .write], value: [5]),
                    SimulatedCharacteristic("FFE2", [.read, .notify], value: [7, 0]),
                    SimulatedCharacteristic("FFE3", [.writeWithoutResponse]),
                ]
            ),
            SimulatedService("FFF0", characteristics: [SimulatedCharacteristic("FFF1", .read, value: [1, 2])]),
        ]
    )

    init(profileManager: ProfileManager? = nil, options: [String: Any]? = nil) {
        manager = CentralManager(profileManager: profileManager, options: options)
        air.add(sensor, at: .near)
    }

    func powerOn() throws { try air.run(until: manager.poweredOn) }

    func discover() throws -> Peripheral {
        try powerOn()
        _ = manager.startScanning()
        try air.run(until: !manager.peripherals.isEmpty)
        manager.stopScanning()
        return try #require(manager.peripherals.first)
    }

    func connect() throws -> Peripheral {
        let peripheral = try discover()
        _ = peripheral.connect()
        try air.run(until: peripheral.state == .connected)
        return peripheral
    }

    /// A connected peripheral with all its services.
    func explore() throws -> Peripheral {
        let peripheral = try connect()
        try finish(peripheral.discoverAllServices())
        for service in peripheral.services { try finish(service.discoverAllCharacteristics()) }
        return peripheral
    }

    func characteristic(_ uuid: String) throws -> (Peripheral, Characteristic) {
        let peripheral = try explore()
        let found = peripheral.services.flatMap(\.characteristics).first { $0.uuid == CBUUID(string: uuid) }
        return (peripheral, try #require(found))
    }

    /// Lets time pass until a future is completed; its value, or what it failed with.
    @discardableResult
    func finish<T>(_ future: Future<T>, within limit: Duration = .seconds(30)) throws -> T {
        try air.run(until: future.completed, within: limit)
        return try #require(future.result).asResult.get()
    }
}

/// What a stream has told, in the order in which it did.
final class Record<T> {
    private(set) var values: [T] = []
    private(set) var errors: [any Error] = []
    /// "value" or the error's text.
    private(set) var texts: [String] = []

    init(_ stream: FutureStream<T>) {
        stream.onComplete { [self] event in
            switch event {
            case .success(let value):
                values.append(value)
                texts.append("value")
            case .failure(let error):
                errors.append(error)
                texts.append(error.localizedDescription)
            }
        }
    }

    var count: Int { texts.count }
}
