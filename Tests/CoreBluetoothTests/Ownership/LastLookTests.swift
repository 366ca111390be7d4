import BluethroatHost
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("What an app has published, as it ends")
struct LastLookTests {
    @Test("It may ask its manager, when all services are removed and when Bluetooth is reset")
    func asking() {
        for resets in [false, true] {
            let world = World(seed: 1)
            let phone = Phone(named: "phone", in: world)
            let publisher = phone.addApp().run { Publisher() }
            world.run(for: .seconds(1))
            #expect(publisher.looks.isEmpty)
            if resets {
                world.perform(on: phone.device) { host, now, actions in host.loseController(at: now, into: &actions) }
            } else {
                publisher.manager.removeAllServices()
            }
            world.run(for: .seconds(1))
            #expect(publisher.looks == [false], "reset: \(resets)")
        }
    }
}

/// Publishes a service that it does not keep.
private final class Publisher: NSObject, CBPeripheralManagerDelegate {
    private(set) var manager: CBPeripheralManager!
    /// What the service has seen as it ended.
    fileprivate(set) var looks: [Bool] = []

    override init() {
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: nil)
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        if peripheral.state == .poweredOn, looks.isEmpty { peripheral.add(CuriousService(self)) }
    }
}

private final class CuriousService: CBMutableService, @unchecked Sendable {
    private weak var publisher: Publisher?

    init(_ publisher: Publisher) {
        self.publisher = publisher
        super.init(type: CBUUID(string: "FFE0"), primary: true)
    }

    deinit {
        guard let publisher else { return }
        publisher.looks.append(publisher.manager.isAdvertising)
    }
}
