import BluethroatHost
import BluethroatLinkLayer
import BluethroatSimulation
import BluethroatTesting
import CoreBluetooth
import Testing

@testable import BluethroatLivePhones

@Suite("Secrets of simulated peripherals in real time")
struct SecretTests {
    /// Runs a test's world for simulated peripherals; a live air configures the controller, the host, both or neither.
    private final class Runner: WorldRunner, @unchecked Sendable {
        private let world: World
        private let live = LiveAir(seed: 1)
        private let configuresController: Bool
        private let configuresHost: Bool

        init(_ world: World, configuresController: Bool, configuresHost: Bool) {
            self.world = world
            self.configuresController = configuresController
            self.configuresHost = configuresHost
        }

        var isOnWorldsThread: Bool { true }

        func enter(_ action: @escaping @Sendable (World) -> Void) { action(world) }

        func configure(_ controller: inout ControllerConfiguration, _ host: inout HostConfiguration) {
            var (liveController, liveHost) = (controller, host)
            live.configure(&liveController, &liveHost)
            if configuresController { controller = liveController }
            if configuresHost { host = liveHost }
        }
    }

    /// What is on the air when an app reads what only those may read who have paired.
    private func digest(configuresController: Bool, configuresHost: Bool) throws -> String {
        try withAir(seed: 30) { air in
            let runner = Runner(
                air.world,
                configuresController: configuresController,
                configuresHost: configuresHost
            )
            runner.add(
                SimulatedPeripheral(
                    named: "Thing",
                    services: [
                        SimulatedService(
                            "AA00",
                            characteristics: [
                                SimulatedCharacteristic("AA01", .read, value: [7], security: .encrypted)
                            ]
                        )
                    ]
                )
            )
            let app = OrderingApp { peripheral, find in peripheral.readValue(for: find("AA01")) }
            let manager = CBCentralManager(delegate: app, queue: nil)
            try air.run(until: app.listener.events.contains { $0.name == "value AA01 [7]" })
            withExtendedLifetime((manager, runner)) {}
            return air.digest
        }
    }

    @Test(
        "Neither what its controller nor what its host keeps secret follows from the air's seed",
        arguments: [(true, false), (false, true)]
    )
    func system(configuresController: Bool, configuresHost: Bool) throws {
        let digests = try (0..<2).map { _ in
            try digest(configuresController: configuresController, configuresHost: configuresHost)
        }
        #expect(digests[0] != digests[1])
    }

    @Test("Where nobody gives secrets everything follows from the seed")
    func seed() throws {
        #expect(
            try digest(configuresController: false, configuresHost: false)
                == digest(configuresController: false, configuresHost: false)
        )
    }
}
