import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("Peripherals whose process has gone")
struct LostHostTests {
    @Test("Its controller ends the connections, so that apps hear of it at once and not by silence [O]")
    func ends() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        _ = try it.connect()
        it.run(.seconds(1))
        let (device, begin) = (it.devices[0], it.world.now)
        it.world.loseHost(of: device) { $0.remove(device) }
        try it.wait(for: "disconnected")
        #expect((it.app.errors.last as? CBError)?.code == .peripheralDisconnected)
        #expect(it.world.now < begin.after(.milliseconds(200)))
        it.run(.seconds(1))
        #expect(!it.world.deviceIDs.contains(device))
    }

    @Test(
        "Nobody who is out of reach keeps it for longer than the supervision timeout; without connections it goes at once"
    )
    func outOfReach() throws {
        let it = AppScene(Accessory(AttributeTests.services), Accessory())
        it.app.manager.scanForPeripherals(withServices: nil)
        try it.wait(for: "discovered", times: 2)
        for peripheral in it.app.peripherals { it.app.manager.connect(peripheral) }
        try it.wait(for: "connected", times: 2)
        it.run(.seconds(1))
        let device = it.devices[0]
        it.leave()
        it.world.loseHost(of: device) { $0.remove(device) }
        it.run(.seconds(40))
        #expect(!it.world.deviceIDs.contains(device) && it.app.count("disconnected") == 1)
        #expect((it.app.errors.last as? CBError)?.code == .connectionTimeout)

        var isGone = false
        let alone = it.world.addDevice(named: "alone", application: Accessory(isOnAir: false))
        it.world.loseHost(of: alone) { _ in isGone = true }
        #expect(isGone)
    }
}
