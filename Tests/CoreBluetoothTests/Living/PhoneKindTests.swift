import BluethroatAppEnvironment
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("iPhones, watches and televisions")
struct PhoneKindTests {
    /// The intervals of a phone's connections, in milliseconds.
    private func intervals(of phone: Phone, in world: World) -> [Double] {
        world.perform(on: phone.device) { host, _, _ in
            host.openConnections.map { Double($0.parameters.interval.span.nanoseconds) / 1e6 }
        } ?? []
    }

    @Test(
        "An iPhone's connections have an interval of 15 ms, those of a watch and a television 30 ms",
        arguments: [(PhoneSettings(), 30), (.iPhone, 15), (.watch, 30), (.television, 30)] as [(PhoneSettings, Double)]
    )
    func interval(settings: PhoneSettings, milliseconds: Double) throws {
        let it = LifeScene(central: "", settings: settings, sender())
        _ = try it.connect()
        #expect(intervals(of: it.phone, in: it.world) == [milliseconds])
    }

    @Test("An interval of one's own is used, but for one that is too short for a watch", arguments: PhoneKind.allCases)
    func ownInterval(kind: PhoneKind) throws {
        for (steps, milliseconds) in [(6, kind == .phone ? 7.5 : 30), (80, 100), (2_400, 3_000)] as [(UInt16, Double)] {
            var settings = PhoneSettings()
            settings.kind = kind
            settings.connectionInterval = ConnectionInterval(steps: steps)
            let it = LifeScene(central: "", settings: settings, sender())
            try it.live.central.connect(try it.find())
            try it.wait(for: "connected")
            #expect(intervals(of: it.phone, in: it.world) == [milliseconds])
        }
    }

    @Test(
        "An iPhone that asks for 15 ms gets them from a phone; a watch keeps its 30 ms, the longer of the two",
        arguments: [(PhoneSettings(), 15), (.watch, 30)] as [(PhoneSettings, Double)]
    )
    func longerOfTwo(settings: PhoneSettings, milliseconds: Double) throws {
        let world = World(seed: 12)
        let service = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
        let value = CBMutableCharacteristic(
            type: CBUUID(string: "FFF2"),
            properties: .notify,
            value: nil,
            permissions: .readable
        )
        service.characteristics = [value]
        let publishing = Phone(named: "publisher", in: world, settings: .iPhone)
        let publisher = BluetoothEnvironment.$current.withValue(publishing.addApp().environment) {
            PublishingApp([service], advertising: [CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "FFF0")]])
        }
        let phone = Phone(named: "central", in: world, at: .metres(x: 1), settings: settings)
        let app = CentralApp(phone.addApp().environment)
        app.connectsAtOnce = true
        world.run(for: .seconds(1))
        app.manager.scanForPeripherals(withServices: [CBUUID(string: "FFF0")])
        try #require(world.run(for: .seconds(20)) { app.count("connected") == 1 })
        try #require(app.peripheral).discoverServices(nil)
        try #require(world.run(for: .seconds(20)) { app.characteristic("FFF2") != nil })
        try #require(app.peripheral).setNotifyValue(true, for: #require(app.characteristic("FFF2")))
        try #require(world.run(for: .seconds(20)) { !publisher.centrals.isEmpty })
        let central = try #require(publisher.centrals.first)
        publisher.manager.setDesiredConnectionLatency(.low, for: central)
        world.run(for: .seconds(10))
        #expect(intervals(of: phone, in: world) == [milliseconds])
        // What is long enough is granted by both.
        publisher.manager.setDesiredConnectionLatency(.medium, for: central)
        world.run(for: .seconds(20))
        let later = try #require(intervals(of: phone, in: world).first)
        #expect((60...90).contains(later))
    }

    @Test("A watch and a television have two connections", arguments: [PhoneSettings.watch, .television])
    func limit(settings: PhoneSettings) throws {
        let it = AppScene(settings: settings, sender(), sender(), sender())
        try it.scan()
        let found = it.app.peripherals
        for peripheral in found.prefix(2) { it.app.manager.connect(peripheral) }
        try it.wait(for: "connected", times: 2)
        it.app.manager.connect(found[2])
        try it.wait(for: "failed")
        #expect((it.app.errors.last as? CBError)?.code == .connectionLimitReached)
        #expect(found.map(\.state) == [.connected, .connected, .disconnected])
        // Where one has ended there is room.
        it.app.manager.cancelPeripheralConnection(found[0])
        try it.wait(for: "disconnected")
        it.app.manager.connect(found[2])
        try it.wait(for: "connected", times: 3)
        #expect(it.app.count("failed") == 1)
    }

    @Test("Of three that are wanted at the same time a watch connects to two, and says so of the third; a phone to all")
    func threeAtOnce() throws {
        let watch = AppScene(settings: .watch, sender(), sender(), sender())
        try watch.scan()
        for peripheral in watch.app.peripherals { watch.app.manager.connect(peripheral) }
        try watch.wait(for: "failed")
        #expect(watch.app.count("connected") == 2)
        #expect((watch.app.errors.last as? CBError)?.code == .connectionLimitReached)
        let phone = AppScene(sender(), sender(), sender())
        try phone.scan()
        for peripheral in phone.app.peripherals { phone.app.manager.connect(peripheral) }
        try phone.wait(for: "connected", times: 3)
        #expect(phone.app.count("failed") == 0)
    }

    @Test("A watch and a television are centrals only", arguments: [PhoneSettings.watch, .television])
    func centralOnly(settings: PhoneSettings) throws {
        let it = LifeScene(central: "", publisher: "", settings: settings)
        let (central, publisher) = (try #require(try it.live.central), try #require(try it.live.publisher))
        #expect(central.state == .poweredOn && publisher.state == .unsupported)
        publisher.startAdvertising([CBAdvertisementDataLocalNameKey: "watch"])
        it.run(.seconds(2))
        #expect(!publisher.isAdvertising)
    }

    @Test(
        "Off the screen a television's app loses its connections at once, a watch's when it is suspended, a phone's never",
        arguments: [(.television, true, true), (.watch, false, true), (.iPhone, false, false)]
            as [(PhoneSettings, Bool, Bool)]
    )
    func background(settings: PhoneSettings, isLostAtOnce: Bool, isLostLater: Bool) throws {
        let it = LifeScene(modes: .bluetoothCentral, central: "kept", settings: settings, sender())
        let peripheral = try it.subscribe()
        #expect(it.phone.misuse.isEmpty)
        it.app.enterBackground()
        it.run(.seconds(2))
        #expect(intervals(of: it.phone, in: it.world).isEmpty == isLostAtOnce)
        it.run(.seconds(10))
        #expect(it.app.state == .suspended)
        #expect(intervals(of: it.phone, in: it.world).isEmpty == isLostLater)
        it.app.enterForeground()
        it.run(.seconds(1))
        #expect(peripheral.state == (isLostLater ? .disconnected : .connected))
        #expect(try it.live.heard.contains("disconnected") == isLostLater)
    }

    @Test("What a watch waits for ends with the suspension, and is not restored")
    func pending() throws {
        let it = LifeScene(modes: .bluetoothCentral, central: "kept", settings: .watch, sender())
        let peripheral = try it.find()
        it.world.move(it.devices[0], to: .metres(x: 100_000))
        try it.live.central.connect(peripheral)
        it.run(.seconds(1))
        #expect(peripheral.state == .connecting)
        it.app.suspend()
        it.world.move(it.devices[0], to: .metres(x: 1))
        it.run(.seconds(30))
        #expect(intervals(of: it.phone, in: it.world).isEmpty)
        it.app.enterForeground()
        it.run(.seconds(1))
        #expect(peripheral.state == .disconnected)
        try it.live.central.connect(peripheral)
        it.app.terminate()
        it.run(.seconds(30))
        #expect(it.app.launches.count == 1 && intervals(of: it.phone, in: it.world).isEmpty)
    }

    @Test("A television makes no connection for an app that has left the screen")
    func connectingInBackground() throws {
        let it = LifeScene(central: "", settings: .television, sender())
        let peripheral = try it.find()
        it.app.enterBackground()
        try it.live.central.connect(peripheral)
        it.run(.seconds(3))
        #expect(peripheral.state == .disconnected && intervals(of: it.phone, in: it.world).isEmpty)
        #expect(it.phone.misuse.contains { $0.sentence.contains("tvOS") })
    }
}
