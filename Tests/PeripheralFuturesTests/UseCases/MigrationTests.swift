import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

/// What docs/futures-migration.md says to write in place of names that are not here, and what it says of those that are.
@Suite("From BlueCap to here", .air(forbidsMisuse: true))
struct MigrationTests {
    let air = Air.current
    private let manager = PeripheralManager()

    private enum AppError: Error {
        case invalidState
        case resetting
        case poweredOff
        case unsupported
    }

    @Test("Adding services as the page does: removed and added when Bluetooth is on, made anew when it was not")
    func wholeBlock() throws {
        let (manager, service) = (manager, MutableService(uuid: TISensorTag.AccelerometerService.uuid))
        let characteristic = MutableCharacteristic(
            profile: RawArrayCharacteristicProfile<TISensorTag.AccelerometerService.Data>()
        )
        service.characteristics = [characteristic]
        let addServiceFuture = manager.whenStateChanges().flatMap { state -> Future<Void> in
            switch state {
            case .poweredOn:
                manager.removeAllServices()
                return manager.add(service)
            case .poweredOff: throw AppError.poweredOff
            case .unauthorized, .unknown: throw AppError.invalidState
            case .unsupported: throw AppError.unsupported
            case .resetting: throw AppError.resetting
            }
        }
        let startAdvertisingFuture = addServiceFuture.flatMap { _ -> Future<Void> in
            manager.startAdvertising(TISensorTag.AccelerometerService.name, uuids: [service.uuid])
        }
        var resets = 0
        startAdvertisingFuture.onFailure { error in
            switch error {
            case AppError.unsupported: break
            default:
                resets += 1
                manager.reset()
            }
        }
        try air.run(until: manager.isAdvertising)
        air.switchPower(false)
        try air.run(until: !manager.isAdvertising)
        resets = 0
        air.run(for: .seconds(2))
        // The new manager says at once that Bluetooth is off.
        #expect((15...25).contains(resets))
        air.switchPower(true)
        try air.run(until: manager.isAdvertising)
        #expect(manager.services == [service])
        let central = NearbyCentral()
        try central.connect()
        #expect(try central.read(TISensorTag.AccelerometerService.Data.uuid) == Data([0xC0, 0xE0, 0xA0]))
    }

    @Test("A manager that is reset because Bluetooth is off is made anew ten times a second, a central's as well")
    func pace() {
        air.switchPower(false)
        let (peripheral, central) = (manager, CentralManager())
        var counts = [0, 0]
        peripheral.whenStateChanges().withFilter { $0 == .poweredOff }.onSuccess { _ in
            counts[0] += 1
            peripheral.reset()
            // The one that is ordered already.
            peripheral.reset()
        }
        central.whenStateChanges().withFilter { $0 == .poweredOff }.onSuccess { _ in
            counts[1] += 1
            central.reset()
            central.reset()
        }
        air.run(for: .seconds(2))
        #expect(counts.allSatisfy { (15...25).contains($0) })
    }

    @Test("Services and characteristics can be compared, and each is equal to itself alone")
    func identity() {
        let services = [MutableService(uuid: "FFF0"), MutableService(uuid: "FFF0")]
        #expect(services[0] == services[0] && services[0] != services[1])
        #expect(Set(services + services).count == 2 && services.firstIndex(of: services[1]) == 1)
        let characteristics = [MutableCharacteristic(UUID: "FFF1"), MutableCharacteristic(UUID: "FFF1")]
        #expect(characteristics[0] == characteristics[0] && characteristics[0] != characteristics[1])
        #expect(Set(characteristics + characteristics).count == 2 && characteristics.contains(characteristics[1]))
    }

    @Test("addServices is a sequence of futures; powerOn is a filter of states; values are read with their type")
    func otherNames() throws {
        let (manager, services) = (manager, ["FFF0", "FFF2"].map { MutableService(uuid: $0) })
        services[0].characteristics = MutableCharacteristic.withProfiles([
            RawCharacteristicProfile<TISensorTag.AccelerometerService.Enabled>()
        ])
        let powerOn = manager.whenStateChanges().withFilter { $0 == .poweredOn }
        let added = powerOn.flatMap { _ in services.map { manager.add($0) }.sequence() }
        try air.run(until: manager.services.count == 2 && added.values.count == 1)
        let characteristic = try #require(manager.characteristics.first)
        characteristic.value = Serde.serialize(TISensorTag.AccelerometerService.Enabled.yes)
        let value: TISensorTag.AccelerometerService.Enabled? = characteristic.value.flatMap { SerDe.deserialize($0) }
        #expect(value == .yes)
    }
}
