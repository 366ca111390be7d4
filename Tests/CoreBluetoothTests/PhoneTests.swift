import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@testable import CoreBluetoothStrangers

@Suite("Apps on phones in a world")
struct PhoneTests {
    @Test("A manager's state is unknown until the host of its phone is up, and follows the switch from then on")
    func state() {
        let world = World(seed: 1)
        let phone = Phone(named: "phone", in: world)
        let app = CentralRecorder()
        let manager = CBCentralManager(
            delegate: app,
            queue: nil,
            environment: phone.addApp().environment
        )
        #expect(manager.state == .unknown && app.heard.isEmpty)
        world.run(for: .seconds(1))
        #expect(app.heard == ["state 5"])
        phone.switchPower(false)
        world.run(for: .milliseconds(1))
        #expect(manager.state == .poweredOff)
        phone.switchPower(true)
        world.run(for: .seconds(1))
        #expect(app.heard == ["state 5", "state 4", "state 5"])
    }

    @Test("Two apps share a phone, another phone is another; one that comes late is told at once")
    func several() {
        let world = World(seed: 2)
        let phone = Phone(named: "phone", in: world)
        let other = Phone(named: "other", in: world)
        let environment = phone.addApp().environment
        let first = HeartRatePublisher(environment: environment)
        world.run(for: .seconds(1))
        #expect(first.manager.state == .poweredOn)

        let app = CentralRecorder()
        let second = CBCentralManager(delegate: app, queue: nil, environment: environment)
        let foreign = CBCentralManager(
            delegate: nil,
            queue: nil,
            environment: other.addApp().environment
        )
        other.switchPower(false)
        world.run(for: .zero)
        #expect(app.heard == ["state 5"] && second.state == .poweredOn)
        #expect(foreign.state == .poweredOff)
    }

    @Test("The phone keeps what developers should know, with its instant")
    func misuse() {
        let world = World(seed: 3)
        let phone = Phone(named: "phone", in: world)
        let manager = CBCentralManager(
            delegate: nil,
            queue: nil,
            environment: phone.addApp().environment
        )
        var heard: [BluetoothService.Misuse] = []
        phone.observer = { if case .misused(let misuse) = $0 { heard.append(misuse) } }
        phone.switchPower(false)
        world.run(for: .milliseconds(5))
        manager.stopScan()
        world.run(for: .milliseconds(5))
        #expect(phone.service.misuse.map(\.time) == [.zero + .milliseconds(5)])
        #expect(phone.service.misuse.first?.sentence.contains("powered on state") == true)
        #expect(heard == phone.service.misuse, "whoever watches the phone hears it at once")
    }
}
