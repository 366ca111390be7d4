import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("What the system keeps for central managers")
struct CentralRestorationTests {
    private static let relaunch = AppLaunch(reason: .bluetooth, centrals: ["main"])

    private func scene(isOnAir: Bool = true) -> LifeScene {
        LifeScene(modes: .bluetoothCentral, central: "main", sender(isOnAir: isOnAir))
    }

    /// Has the accessory stop or begin to advertise.
    private func advertise(_ it: LifeScene, _ isOnAir: Bool) {
        it.world.perform(on: it.devices[0]) { host, now, actions in
            if isOnAir {
                it.accessories[0].advertise(host: host, at: now, into: &actions)
            } else {
                try? host.stopAdvertising(at: now, into: &actions)
            }
        }
    }

    @Test(
        "A pending connection survives; when it is made the app is launched, restored, told the state, then of it [G; W13]"
    )
    func pending() throws {
        let it = scene()
        let identifier = try it.find().identifier
        advertise(it, false)
        try it.live.central.connect(try #require(try it.live.peripheral))
        it.run(.seconds(5))
        it.app.terminate()
        it.run(.seconds(60))
        #expect(it.app.state == .terminated && it.app.root == nil)
        advertise(it, true)
        it.world.run(for: .seconds(20)) { it.app.state == .background }
        try it.wait(for: "connected")
        #expect(it.app.launches.last == Self.relaunch)
        #expect(it.app.launches.last?.options == ["UIApplicationLaunchOptionsBluetoothCentralsKey": ["main"]])
        #expect(try it.live.heard == ["restored", "state 5", "connected"])
        #expect(try it.live.restoredStates == [.connecting])
        #expect(try it.live.peripheral?.identifier == identifier && it.live.peripheral?.state == .connected)
        it.run(.seconds(15))
        #expect(it.app.state == .suspended && it.accessories[0].connection != nil)
    }

    @Test("A restored peripheral has no delegate until the app gives it one again [W13]")
    func delegates() throws {
        let it = scene()
        _ = try it.subscribe()
        it.app.suspend()
        it.app.terminate()
        it.notify([42])
        try it.wait(for: "restored")
        #expect(try it.live.restoredDelegates == [false])
        try it.wait(for: "value [42]")
    }

    @Test(
        "A connection survives, and with it what was found and what is subscribed to; a value brings the app back [H]"
    )
    func connected() throws {
        let it = scene()
        _ = try it.subscribe()
        it.app.suspend()
        it.app.terminate()
        it.run(.seconds(60))
        #expect(it.accessories[0].connections == 1 && it.accessories[0].connection != nil)
        it.notify([42])
        try it.wait(for: "value [42]")
        #expect(it.app.launches.last == Self.relaunch)
        #expect(try it.live.heard == ["restored", "state 5", "value [42]"])
        let peripheral = try #require(try it.live.peripheral)
        #expect(try it.live.restoredStates == [.connected] && peripheral.state == .connected)
        #expect(peripheral.services?.map(\.uuid) == [CBUUID(string: "FFE0")])
        let value = try #require(try it.live.characteristic("FFE1"))
        #expect(value.isNotifying && value.service === peripheral.services?.first)
        peripheral.readValue(for: value)
        peripheral.setNotifyValue(false, for: value)
        try it.wait(for: "notifying false")
        #expect(try it.live.count("value [1]") == 1)
    }

    @Test("That a connection ends brings the app back, too [G]")
    func lost() throws {
        let it = scene()
        _ = try it.connect()
        it.app.terminate()
        it.run(.seconds(5))
        try it.drop()
        try it.wait(for: "disconnected")
        #expect(try it.live.heard == ["restored", "state 5", "disconnected"])
        #expect(try it.live.restoredStates == [.connected] && it.live.peripheral?.state == .disconnected)
    }

    @Test("A scan for services survives, with its options; what it finds brings the app back [H; W17]")
    func scan() throws {
        let it = scene(isOnAir: false)
        let services = [CBUUID(string: "FFE0")]
        try it.live.central.scanForPeripherals(
            withServices: services,
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        )
        it.run(.seconds(1))
        it.app.terminate()
        advertise(it, true)
        it.world.run(for: .seconds(60)) { it.app.state == .background }
        try it.wait(for: "discovered")
        let live = try it.live
        #expect(live.heard == ["restored", "state 5", "discovered"] && live.central.isScanning)
        #expect(live.restored[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID] == services)
        let options = live.restored[CBCentralManagerRestoredStateScanOptionsKey] as? [String: Any]
        #expect(options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? Bool == true)
        #expect(live.restored[CBCentralManagerRestoredStatePeripheralsKey] == nil, "any key may be missing")
    }

    @Test("Where its person opens the app, it is restored as well [H; G]")
    func byPerson() throws {
        let it = scene()
        _ = try it.subscribe()
        it.app.terminate()
        it.run(.seconds(5))
        it.app.launch()
        it.run(.seconds(1))
        #expect(it.app.launches.last == AppLaunch(reason: .person))
        #expect(try it.live.heard == ["restored", "state 5"] && it.live.restoredStates == [.connected])
    }

    @Test("Nothing to restore: the state is the first that an app hears [G]")
    func nothing() throws {
        let it = scene()
        #expect(try it.live.heard == ["state 5"])
    }

    @Test(
        "Who swipes the app away, or switches Bluetooth off in the settings, ends it [W17]",
        arguments: [true, false]
    )
    func ended(byPerson: Bool) throws {
        let it = scene()
        _ = try it.subscribe()
        if byPerson {
            it.app.forceQuit()
        } else {
            it.app.terminate()
            it.run(.seconds(1))
            it.phone.switchPower(false)
            it.run(.seconds(1))
            it.phone.switchPower(true)
        }
        it.run(.seconds(5))
        #expect(it.accessories[0].connection == nil)
        it.run(.seconds(60))
        #expect(it.app.launches.count == 1)
        it.app.launch()
        it.run(.seconds(1))
        #expect(try it.live.heard == ["state 5"])
    }

    @Test("A manager that is not made again within ten seconds is given up [W13]")
    func discarded() throws {
        let it = LifeScene(sender())
        var makesManager = true
        let app = it.phone.install(named: "other", backgroundModes: .bluetoothCentral) { _ in
            makesManager ? LivingApp(central: "main") : nil
        }
        app.launch()
        it.run(.seconds(1))
        let live = try #require(app.root(as: LivingApp.self))
        live.central.scanForPeripherals(withServices: nil)
        it.run(.seconds(2))
        live.central.connect(try #require(live.peripheral))
        it.run(.seconds(2))
        makesManager = false
        app.terminate()
        #expect(it.accessories[0].connection != nil)
        app.launch()
        it.run(.seconds(9))
        #expect(it.accessories[0].connection != nil)
        it.run(.seconds(2))
        #expect(it.accessories[0].connection == nil)
    }

    @Test(
        "Without an identifier nothing is kept; nor without the background mode, and then the developer is told [H; G]"
    )
    func refused() throws {
        for (modes, identifier) in [(BackgroundModes.bluetoothCentral, ""), ([], "main")] {
            let it = LifeScene(modes: modes, central: identifier, sender())
            _ = try it.connect()
            it.app.terminate()
            it.run(.seconds(1))
            #expect(it.accessories[0].connection == nil)
            let sentence =
                "State restoration of CBCentralManager is only allowed for applications that have specified the "
                + "\"bluetooth-central\" background mode"
            #expect(it.app.misuse.map(\.sentence) == (modes.isEmpty ? [sentence] : []))
        }
    }

    /// An app that wants to be restored, and cannot hear of it.
    private final class Forgetful: NSObject, CBCentralManagerDelegate {
        private(set) var manager: CBCentralManager!
        private(set) var found: CBPeripheral?

        override init() {
            super.init()
            let options = [CBCentralManagerOptionRestoreIdentifierKey: "main"]
            manager = CBCentralManager(delegate: self, queue: nil, options: options)
        }

        func centralManagerDidUpdateState(_ central: CBCentralManager) {}

        func centralManager(
            _ central: CBCentralManager,
            didDiscover peripheral: CBPeripheral,
            advertisementData: [String: Any],
            rssi RSSI: NSNumber
        ) {
            found = peripheral
            central.connect(peripheral)
        }
    }

    @Test("A delegate without willRestoreState cannot be restored, and the developer is told [O]")
    func deaf() throws {
        let it = LifeScene(sender())
        let app = it.phone.install(named: "other", backgroundModes: .bluetoothCentral) { _ in Forgetful() }
        app.launch()
        it.run(.seconds(1))
        try #require(app.root(as: Forgetful.self)).manager.scanForPeripherals(withServices: nil)
        it.run(.seconds(2))
        #expect(it.accessories[0].connection != nil)
        app.terminate()
        app.launch()
        it.run(.seconds(1))
        #expect(it.accessories[0].connection == nil, "nobody keeps the peripheral")
        #expect(
            app.misuse.first?.sentence.contains(
                "has provided a restore identifier but the delegate doesn't implement the "
                    + "centralManager:willRestoreState: method"
            ) == true
        )
    }

    @Test("Each manager of an app is restored under its own identifier [H; G]")
    func several() throws {
        let it = LifeScene(sender())
        let app = it.phone.install(named: "two", backgroundModes: .bluetoothCentral) { _ in
            Pair(LivingApp(central: "first"), LivingApp(central: "second"))
        }
        app.launch()
        it.run(.seconds(1))
        let pair = try #require(app.root(as: Pair.self))
        pair.second.central.scanForPeripherals(withServices: nil)
        it.run(.seconds(2))
        pair.second.central.connect(try #require(pair.second.peripheral))
        it.run(.seconds(2))
        pair.second.central.stopScan()
        it.run(.zero)
        app.terminate()
        it.run(.seconds(1))
        try it.drop()
        it.run(.seconds(1))
        #expect(app.launches.last == AppLaunch(reason: .bluetooth, centrals: ["first", "second"]))
        let again = try #require(app.root(as: Pair.self))
        #expect(again.first.heard == ["restored", "state 5"] && again.first.restored.isEmpty)
        #expect(again.second.heard == ["restored", "state 5", "disconnected"])
    }

    private final class Pair {
        let first: LivingApp
        let second: LivingApp

        init(_ first: LivingApp, _ second: LivingApp) {
            self.first = first
            self.second = second
        }
    }
}

@Suite("What the system keeps for peripheral managers")
struct PeripheralRestorationTests {
    /// An app that publishes FFE0 with a value, and a central that has subscribed to it.
    private func scene() throws -> (LifeScene, CentralProbe) {
        let it = LifeScene(modes: .bluetoothPeripheral, publisher: "shop")
        try it.live.publisher.add(
            CBMutableService(
                "FFE0",
                [
                    CBMutableCharacteristic("FFE1", [.read, .write, .notify], [.readable, .writeable]),
                    CBMutableCharacteristic("FFE2", .read, .readable, value: Data([9])),
                ]
            )
        )
        try it.live.publisher.startAdvertising([
            CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "C007")], CBAdvertisementDataLocalNameKey: "Fred",
        ])
        it.run(.seconds(1))
        let probe = CentralProbe(in: it.world)
        try probe.connect(to: it.phone.device)
        return (it, probe)
    }

    @Test(
        "Services, subscribers and advertisement survive; a write brings the app back, which goes on as before [H; G]"
    )
    func written() throws {
        let (it, probe) = try scene()
        let characteristic = try #require(try probe.database().service(0xFFE0)?.characteristic(0xFFE1))
        _ = try probe.subscribe(characteristic)
        #expect(try it.live.count("subscribed") == 1)
        it.app.terminate()
        it.run(.seconds(30))
        #expect(probe.connection != nil && it.app.root == nil)
        #expect(try probe.write([5], characteristic) == .written)
        #expect(it.app.launches.last == AppLaunch(reason: .bluetooth, peripherals: ["shop"]))
        let live = try it.live
        #expect(live.heard == ["restored publisher", "publisher 5", "written [5]"])
        let advertisement = live.restored[CBPeripheralManagerRestoredStateAdvertisementDataKey] as? [String: Any]
        #expect(advertisement?[CBAdvertisementDataLocalNameKey] as? String == "Fred")
        #expect(advertisement?[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "C007")])
        #expect(live.publisher.isAdvertising)
        let service = try #require(live.services.first)
        #expect(live.services.count == 1 && service.uuid == CBUUID(string: "FFE0"))
        let values = try #require(service.characteristics as? [CBMutableCharacteristic])
        #expect(values.map(\.value) == [nil, Data([9])])
        #expect(values[0].subscribedCentrals?.count == 1 && values[0].properties == [.read, .write, .notify])
        probe.forget()
        #expect(live.publisher.updateValue(Data([6]), for: values[0], onSubscribedCentrals: nil))
        it.run(.seconds(1))
        #expect(probe.notifications == [[6]])
        live.publisher.remove(service)
        it.run(.seconds(1))
        #expect(try probe.database().service(0xFFE0) == nil)
    }

    @Test("A request to what the app has removed before it hears of it is refused, and never an empty list")
    func removedAtOnce() throws {
        /// Publishes anew at each start, as many apps do.
        final class Starter: NSObject, CBPeripheralManagerDelegate {
            var manager: CBPeripheralManager!
            var writes: [Int] = []

            override init() {
                super.init()
                let options = [CBPeripheralManagerOptionRestoreIdentifierKey: "starter"]
                manager = CBPeripheralManager(delegate: self, queue: nil, options: options)
            }

            func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {}

            func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
                guard peripheral.state == .poweredOn else { return }
                peripheral.removeAllServices()
                let value = CBMutableCharacteristic("FFE1", [.read, .write], [.readable, .writeable])
                peripheral.add(CBMutableService("FFE0", [value]))
                if !peripheral.isAdvertising { peripheral.startAdvertising(nil) }
            }

            func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
                peripheral.respond(to: request, withResult: .success)
            }

            func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
                writes.append(requests.count)
                if let first = requests.first { peripheral.respond(to: first, withResult: .success) }
            }
        }
        let world = World(seed: 1), phone = Phone(named: "phone", in: world)
        let app = phone.install(named: "app", backgroundModes: .bluetoothPeripheral) { _ in Starter() }
        app.launch()
        world.run(for: .seconds(1))
        let probe = CentralProbe(in: world)
        try probe.connect(to: phone.device)
        for isWrite in [true, false] {
            let characteristic = try #require(try probe.database().service(0xFFE0)?.characteristic(0xFFE1))
            app.terminate()
            world.run(for: .seconds(1))
            let result = try isWrite ? probe.write([5], characteristic) : probe.read(characteristic)
            guard case .failed(.refused(.unlikelyError, _, _)) = result else {
                Issue.record("\(result as Any)")
                continue
            }
            #expect(try #require(app.root(as: Starter.self)).writes.isEmpty && phone.service.misuse.isEmpty)
            world.run(for: .seconds(1))
        }
    }

    @Test("A read waits for the app, which is launched for it; what never changes is answered without")
    func read() throws {
        let (it, probe) = try scene()
        let service = try #require(try probe.database().service(0xFFE0))
        it.app.terminate()
        it.run(.seconds(1))
        #expect(try probe.read(try #require(service.characteristic(0xFFE2))) == .value([9]))
        #expect(it.app.state == .terminated)
        #expect(try probe.read(try #require(service.characteristic(0xFFE1))) == .value([7]))
        #expect(try it.app.state == .background && it.live.heard.last == "read")
    }

    @Test("Subscribing and leaving bring the app back")
    func subscribed() throws {
        let (it, probe) = try scene()
        let characteristic = try #require(try probe.database().service(0xFFE0)?.characteristic(0xFFE1))
        it.app.terminate()
        _ = try probe.subscribe(characteristic)
        it.run(.seconds(1))
        #expect(try it.live.heard == ["restored publisher", "publisher 5", "subscribed"])
        it.app.terminate()
        try probe.disconnect()
        it.run(.seconds(1))
        #expect(try it.live.heard == ["restored publisher", "publisher 5", "unsubscribed"])
        #expect(it.app.launches.count == 3)
    }

    @Test("While the app does not run its services stay in the overflow area")
    func onAir() throws {
        let (it, _) = try scene()
        it.app.terminate()
        let other = CentralProbe(in: it.world, named: "other")
        let air = try other.scan()
        var mask = [UInt8](repeating: 0, count: 16)
        mask[4] = 0x10
        #expect(air.advertisement == [2, 1, 0x1A, 0x14, 0xFF, 0x4C, 0x00, 0x01] + mask && air.scanResponse.isEmpty)
        it.app.forceQuit()
        #expect(try !other.hears(it.phone.device))
    }
}
