import BluethroatAppEnvironment
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// Apps keep the way to their phone and its time, and a test may keep apps for longer than their world.
@Suite("What outlives a world, and what ends with it")
struct WorldEndTests {
    @Test("Clocks of a world that has ended stand still, call nothing, and an environment leads to no phone")
    func clocks() {
        let calls = Count()
        var world: World? = World(seed: 1)
        var environment = BluetoothEnvironment.withoutBluetooth
        var clocks: [AppClock] = []
        if let world {
            let phone = Phone(named: "phone", in: world)
            environment = phone.addApp(named: "app").environment
            clocks = [AppClock.of(world), environment.clock]
            world.run(for: .seconds(2))
            #expect(clocks.allSatisfy { $0.now == 2 } && environment.phone === phone && environment.leadsToPhone)
        }
        world = nil
        #expect(clocks.allSatisfy { $0.now == 0 } && environment.phone == nil && !environment.leadsToPhone)
        for clock in clocks { _ = clock.once(after: 0) { calls.number += 1 } }
        environment.call(after: 0) { calls.number += 1 }
        #expect(calls.number == 0)
    }

    @Test("Managers that outlive their world do nothing, and end without a word")
    func managers() {
        var kept: [CBManager] = []
        do {
            let world = World(seed: 1)
            let app = Phone(named: "phone", in: world).addApp(named: "app")
            let (central, publisher) = app.run { (CBCentralManager(), CBPeripheralManager()) }
            world.run(for: .seconds(1))
            central.scanForPeripherals(withServices: nil)
            publisher.startAdvertising([CBAdvertisementDataLocalNameKey: "phone"])
            world.run(for: .seconds(1))
            #expect(central.isScanning && publisher.isAdvertising)
            kept = [central, publisher]
        }
        (kept[0] as? CBCentralManager)?.stopScan()
        (kept[0] as? CBCentralManager)?.scanForPeripherals(withServices: nil)
        (kept[1] as? CBPeripheralManager)?.stopAdvertising()
        kept = []
    }

    @Test("An app that ends with its world may ask for the time, be called later, and give commands then")
    func lastWords() {
        let calls = Count()
        do {
            let world = World(seed: 1)
            let phone = Phone(named: "phone", in: world)
            let clock = AppClock.of(world)
            _ = phone.install(named: "app") { _ in
                let clocks = [BluetoothEnvironment.current?.clock, clock].compactMap(\.self)
                return LastWords(clocks, CBCentralManager(), calls)
            }
            phone.apps[0].launch()
            world.run(for: .seconds(1))
        }
        #expect(calls.number == 1)
    }
}

private final class Count: @unchecked Sendable {
    var number = 0
}

/// An app that still does something when it is taken away.
private final class LastWords {
    private let clocks: [AppClock]
    private let manager: CBCentralManager
    private let count: Count

    init(_ clocks: [AppClock], _ manager: CBCentralManager, _ count: Count) {
        self.clocks = clocks
        self.manager = manager
        self.count = count
    }

    deinit {
        count.number += 1
        manager.scanForPeripherals(withServices: nil)
        manager.stopScan()
        for clock in clocks where clock.now >= 0 { _ = clock.once(after: 0) { [count] in count.number += 1 } }
    }
}
