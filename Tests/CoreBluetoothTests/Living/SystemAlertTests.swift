import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("What the phone shows for apps that do not run")
struct SystemAlertTests {
    private static var all: [String: Any] {
        [
            CBConnectPeripheralOptionNotifyOnConnectionKey: true,
            CBConnectPeripheralOptionNotifyOnDisconnectionKey: true,
            CBConnectPeripheralOptionNotifyOnNotificationKey: true,
        ]
    }

    private func kinds(_ alerts: [SystemAlert]) -> [String] {
        alerts.map { alert in
            switch alert.occasion {
            case .connected: "connected"
            case .disconnected: "disconnected"
            case .notification: "notification"
            case .bluetoothIsOff: "off"
            }
        }
    }

    @Test("Connections, values and disconnections of a suspended app that asked for it; none while it runs [H]")
    func suspended() throws {
        let it = LifeScene(central: "", sender())
        _ = try it.subscribe(Self.all)
        it.notify([1])
        it.run(.seconds(1))
        #expect(it.phone.alerts.isEmpty)
        it.app.suspend()
        let instant = it.world.now
        it.notify([2])
        it.run(.seconds(1))
        try it.drop()
        it.run(.seconds(1))
        #expect(kinds(it.app.alerts) == ["notification", "disconnected"])
        #expect(it.app.alerts.allSatisfy { $0.time >= instant && $0.app == it.app.id })
        it.app.enterForeground()
        it.run(.zero)
        it.app.suspend()
        try it.live.central.connect(try #require(try it.live.peripheral), options: Self.all)
        it.run(.seconds(5))
        #expect(kinds(it.app.alerts) == ["notification", "disconnected"], "what is ordered waits for the app")
    }

    @Test("A connection that is made while the app is suspended")
    func connection() throws {
        let it = LifeScene(central: "", sender())
        let peripheral = try it.find()
        it.world.setLossEverywhere(.always)
        try it.live.central.connect(peripheral, options: Self.all)
        it.app.suspend()
        it.world.setLossEverywhere(.never)
        it.run(.seconds(10))
        #expect(kinds(it.app.alerts) == ["connected"] && it.accessories[0].connection != nil)
        #expect(try it.live.count("connected") == 0)
    }

    @Test("Without the options there are none")
    func none() throws {
        let it = LifeScene(central: "", sender())
        _ = try it.subscribe()
        it.app.suspend()
        it.notify([2])
        it.run(.seconds(1))
        try it.drop()
        it.run(.seconds(1))
        #expect(it.phone.alerts.isEmpty)
    }

    @Test("Of several apps that ask for it, the one is shown that was on the screen last [H]")
    func latest() throws {
        let it = LifeScene(central: "", sender())
        let other = it.phone.install(named: "other") { _ in LivingApp(central: "") }
        other.launch()
        _ = try it.connect(Self.all)
        let theirs = try #require(other.root(as: LivingApp.self))
        let peripheral = try #require(
            theirs.central.retrieveConnectedPeripherals(withServices: [CBUUID(string: "FFE0")]).first
        )
        theirs.central.connect(peripheral, options: Self.all)
        it.run(.seconds(1))
        #expect(peripheral.state == .connected)
        other.suspend()
        it.app.suspend()
        try it.drop()
        it.run(.seconds(1))
        #expect(it.app.alerts.isEmpty && kinds(other.alerts) == ["disconnected"])
    }

    @Test("That Bluetooth is off: for central managers unless they say no, for peripheral managers if they say yes [D]")
    func power() {
        let it = LifeScene()
        it.phone.switchPower(false)
        it.run(.seconds(1))
        let quiet = [CBCentralManagerOptionShowPowerAlertKey: false]
        let loud = [CBPeripheralManagerOptionShowPowerAlertKey: true]
        it.app.run {
            withExtendedLifetime(CBCentralManager(delegate: nil, queue: nil, options: quiet)) { it.run(.zero) }
            withExtendedLifetime(CBPeripheralManager(delegate: nil, queue: nil)) { it.run(.zero) }
            #expect(it.phone.alerts.isEmpty)
            withExtendedLifetime(CBCentralManager(delegate: nil, queue: nil)) { it.run(.zero) }
            withExtendedLifetime(CBPeripheralManager(delegate: nil, queue: nil, options: loud)) { it.run(.zero) }
        }
        #expect(kinds(it.phone.alerts) == ["off", "off"])
    }

    @Test("An app that watches connections is woken for those that another app makes [H]")
    func connectionEvents() throws {
        let it = LifeScene(modes: .bluetoothCentral, central: "", sender())
        let peripheral = try it.find()
        try it.live.central.registerForConnectionEvents(options: [.peripheralUUIDs: [peripheral.identifier]])
        it.run(.seconds(1))
        it.app.suspend()
        let other = it.phone.install(named: "other") { _ in LivingApp(central: "") }
        other.launch()
        it.run(.seconds(1))
        let theirs = try #require(other.root(as: LivingApp.self))
        theirs.central.scanForPeripherals(withServices: nil)
        it.run(.seconds(2))
        theirs.central.connect(try #require(theirs.peripheral))
        try it.wait(for: "peer connected")
        #expect(it.app.state == .background)
    }
}
