import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("Apps live as on iOS")
struct AppLifeTests {
    @Test("An app is launched by its person, leaves the screen, is suspended five seconds later, and comes back")
    func states() throws {
        let world = World(seed: 1)
        let phone = Phone(named: "phone", in: world)
        let app = phone.install(named: "app") { _ in LivingApp(central: "") }
        #expect(app.state == .notRunning && app.root == nil)
        app.launch()
        #expect(app.state == .foreground && app.launches == [AppLaunch(reason: .person)])
        world.run(for: .seconds(1))
        #expect(try #require(app.root(as: LivingApp.self)).heard == ["state 5"])
        app.enterBackground()
        world.run(for: .milliseconds(4_999))
        #expect(app.state == .background)
        world.run(for: .milliseconds(2))
        #expect(app.state == .suspended)
        app.launch()
        #expect(app.state == .foreground && app.launches.count == 1)
    }

    @Test("While an app without background modes is suspended none of its code runs; what happened waits for it [G]")
    func queued() throws {
        let it = LifeScene(central: "", sender())
        let peripheral = try it.subscribe()
        it.app.enterBackground()
        it.run(.seconds(6))
        try it.live.forget()
        it.notify([2])
        it.run(.seconds(1))
        try it.drop()
        it.run(.seconds(60))
        #expect(try it.live.heard.isEmpty && peripheral.state == .connected)
        it.app.enterForeground()
        it.run(.zero)
        #expect(try it.live.heard == ["value [2]", "disconnected"])
        #expect(peripheral.state == .disconnected)
    }

    @Test("An app with bluetooth-central is woken for an event, runs for ten seconds, and is suspended again [G]")
    func woken() throws {
        let it = LifeScene(modes: .bluetoothCentral, central: "", sender())
        _ = try it.subscribe()
        it.app.suspend()
        it.run(.seconds(10))
        #expect(it.app.state == .suspended)
        it.notify([3])
        try it.wait(for: "value [3]")
        #expect(it.app.state == .background)
        it.run(.milliseconds(9_990))
        #expect(it.app.state == .background)
        it.run(.milliseconds(20))
        #expect(it.app.state == .suspended)
        it.notify([4])
        try it.wait(for: "value [4]")
        it.run(.seconds(8))
        it.notify([5])
        it.run(.seconds(8))
        #expect(it.app.state == .background, "each event counts anew")
        it.run(.seconds(3))
        #expect(it.app.state == .suspended)
    }

    @Test("An app that sends values is woken only where its delegate may hear that there is room again")
    func notWokenByUpdates() throws {
        var settings = PhoneSettings()
        settings.updateWindow = 2
        let it = LifeScene(modes: .bluetoothPeripheral, publisher: "", settings: settings)
        let value = CBMutableCharacteristic("FFE1", [.notify], [.readable])
        try it.live.publisher.add(CBMutableService("FFE0", [value]))
        it.run(.seconds(1))
        func send() throws -> Bool {
            try it.live.publisher.updateValue(Data([1]), for: value, onSubscribedCentrals: nil)
        }
        // Nobody has subscribed.
        it.app.enterBackground()
        for _ in 0..<6 {
            _ = try it.app.state == .background && send()
            it.run(.seconds(1))
        }
        #expect(it.app.state == .suspended)
        it.app.enterForeground()
        try it.live.publisher.startAdvertising(nil)
        let probe = CentralProbe(in: it.world)
        try probe.connect(to: it.phone.device)
        _ = try probe.subscribe(try #require(try probe.database().service(0xFFE0)?.characteristic(0xFFE1)))
        // One value goes, and there was room for another one.
        it.app.enterBackground()
        #expect(try send())
        it.run(.seconds(6))
        #expect(it.app.state == .suspended)
        // Of a full window the app hears that there is room.
        it.app.enterForeground()
        it.world.setLoss(.percent(100), from: it.phone.device, to: probe.device)
        var hasRoom = true
        while hasRoom {
            hasRoom = try send()
            if !hasRoom { break }
            while try send() {}
            it.run(.milliseconds(10))
        }
        it.app.enterBackground()
        it.app.suspend()
        it.world.setLoss(.percent(0), from: it.phone.device, to: probe.device)
        it.run(.seconds(5))
        #expect(it.app.state == .background)
    }

    @Test("What a suspended app orders is carried out when it runs again")
    func orders() throws {
        let it = LifeScene(central: "", sender())
        it.app.suspend()
        try it.live.central.scanForPeripherals(withServices: nil)
        it.run(.seconds(5))
        it.app.enterForeground()
        #expect(try it.live.count("discovered") == 0)
        try it.wait(for: "discovered")
    }

    @Test(
        "An app that is ended leaves nothing behind: no connection, no service, no advertisement",
        arguments: [true, false]
    )
    func ended(byPerson: Bool) throws {
        let it = LifeScene(modes: [.bluetoothCentral, .bluetoothPeripheral], central: "", publisher: "", sender())
        _ = try it.subscribe()
        let publisher = try #require(try it.live.publisher)
        publisher.add(CBMutableService("FFA0", [CBMutableCharacteristic("FFA1", .read, .readable)]))
        publisher.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "FFA0")]])
        it.run(.seconds(1))
        let probe = CentralProbe(in: it.world)
        #expect(try !probe.scan().advertisement.isEmpty && it.accessories[0].connection != nil)
        if byPerson { it.app.forceQuit() } else { it.app.terminate() }
        #expect(it.app.state == (byPerson ? .forceQuit : .terminated) && it.app.root == nil)
        it.run(.seconds(1))
        #expect(it.accessories[0].connection == nil)
        #expect(try !probe.hears(it.phone.device))
        it.run(.seconds(60))
        #expect(it.app.launches.count == 1)
    }

    @Test("What is left of an earlier run of an app does not reach the phone any more")
    func leftovers() throws {
        let it = LifeScene(central: "", sender())
        let old = try it.live
        it.app.terminate()
        it.app.launch()
        it.run(.seconds(1))
        old.central.scanForPeripherals(withServices: nil)
        old.forget()
        it.run(.seconds(5))
        #expect(old.heard.isEmpty)
        #expect(try it.live !== old && it.live.heard == ["state 5"])
    }

    @Test("A manager that is made while its app does not run reaches nobody, and the developer is told")
    func notRunning() {
        let world = World(seed: 1)
        let phone = Phone(named: "phone", in: world)
        let app = phone.install(named: "app") { _ in nil }
        let live = app.run { LivingApp(central: "") }
        world.run(for: .seconds(1))
        #expect(live.heard.isEmpty && live.central.state == .unknown)
        #expect(app.misuse.map(\.sentence) == ["your app makes a manager while it does not run: launch it first"])
    }

    @Test("Locking the phone takes apps off a dark screen, unlocking brings them back")
    func locked() {
        let it = LifeScene(central: "")
        it.phone.lock()
        #expect(!it.phone.isScreenOn && it.app.state == .background)
        it.run(.seconds(10))
        #expect(it.app.state == .suspended)
        it.phone.unlock()
        #expect(it.phone.isScreenOn && it.app.state == .foreground)
    }

    @Test("The same happens in every run")
    func deterministic() throws {
        func run() throws -> [String] {
            let it = LifeScene(seed: 9, modes: .bluetoothCentral, central: "main", sender())
            _ = try it.subscribe()
            it.app.suspend()
            it.run(.seconds(3))
            it.notify([1])
            it.run(.seconds(20))
            it.app.terminate()
            it.run(.seconds(3))
            try it.drop()
            try it.wait(for: "disconnected")
            return try it.live.heard + ["\(it.world.now)", "\(it.app.launches)"]
        }
        #expect(try run() == run())
    }
}
