import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobPhone
import BluethroatLinkLayer
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import SceneRecords

/// Phones with apps that know Apple's API: on the screen and off it, ended and restored, with key fobs and as key fobs.
enum PhoneScenes {
    static let all = [
        RecordedScene("two-phones", seeds: 10, run: twoPhones),
        RecordedScene("app-lives", seeds: 10, run: appLives),
        RecordedScene("phone-and-fob", seeds: 6, run: phoneAndFob),
        RecordedScene("phone-as-fob", seeds: 6, run: phoneAsFob),
    ]

    /// An app on one phone visits an app on another; screens go dark, Bluetooth is switched off and on.
    private static func twoPhones(seed: UInt64) throws -> SceneRecord {
        let world = World(seed: seed)
        world.setLossEverywhere(.percent([0, 4, 10][Int(seed % 3)]))
        let host = Phone(named: "host", in: world)
        let guest = Phone(named: "guest", in: world, at: .metres(x: 2))
        let publishing = host.addApp(backgroundModes: .bluetoothPeripheral)
        let visiting = guest.addApp(backgroundModes: .bluetoothCentral)
        let publisher = publishing.run { PublishingApp(named: "host") }
        let visitor = visiting.run { VisitingApp(lookingFor: PublishingApp.service) }
        try world.expect("everything discovered", within: .seconds(30)) { visitor.isReady }
        visitor.subscribe(PublishingApp.value)
        try world.expect("subscribed", within: .seconds(10)) { publisher.subscribers > 0 }
        publisher.send(20)
        try world.expect("values", within: .seconds(20)) { visitor.values >= 20 }
        if seed % 2 == 0 {
            visiting.enterBackground()
            publishing.enterBackground()
        } else {
            host.lock()
        }
        publisher.send(5)
        world.run(for: .seconds(2))
        visitor.write([1, 2, 3], PublishingApp.value)
        visitor.read(PublishingApp.secret)
        world.run(for: .seconds(4))
        host.unlock()
        visiting.enterForeground()
        publishing.enterForeground()
        if seed % 3 == 0 {
            guest.switchPower(false)
            world.run(for: .seconds(1))
            guest.switchPower(true)
        } else {
            visitor.leave()
        }
        try world.expect("disconnected", within: .seconds(10)) { !visitor.isConnected }
        world.run(for: .milliseconds(500))
        visitor.comeBack()
        try world.expect("connected again", within: .seconds(30)) { visitor.isReady }
        visitor.read(PublishingApp.value)
        world.run(for: .seconds(1))
        return SceneRecord(world)
    }

    /// Apps are suspended, ended by the system, and launched again for what happens meanwhile.
    private static func appLives(seed: UInt64) throws -> SceneRecord {
        let world = World(seed: seed)
        world.setLossEverywhere(.percent(seed % 2 == 0 ? 5 : 0))
        let host = Phone(named: "host", in: world)
        let guest = Phone(named: "guest", in: world, at: .metres(x: 3))
        let publishing = host.install(named: "publisher", backgroundModes: .bluetoothPeripheral) { _ in
            PublishingApp(named: "host", restoredAs: "publisher")
        }
        let visiting = guest.install(named: "visitor", backgroundModes: .bluetoothCentral) { _ in
            VisitingApp(lookingFor: PublishingApp.service, restoredAs: "visitor")
        }
        publishing.launch()
        visiting.launch()
        func visitor() -> VisitingApp? { visiting.root(as: VisitingApp.self) }
        func publisher() -> PublishingApp? { publishing.root(as: PublishingApp.self) }
        try world.expect("everything discovered", within: .seconds(30)) { visitor()?.isReady == true }
        visitor()?.subscribe(PublishingApp.value)
        try world.expect("subscribed", within: .seconds(10)) { publisher()?.subscribers == 1 }
        world.run(for: .milliseconds(500))
        if seed % 2 == 0 {
            visiting.suspend()
            visiting.terminate()
            world.run(for: .seconds(2))
            publisher()?.send(3)
            try world.expect("the visitor is restored", within: .seconds(30)) { visitor()?.restorations == 1 }
            try world.expect("a value", within: .seconds(30)) { (visitor()?.values ?? 0) > 0 }
        } else {
            publishing.suspend()
            publishing.terminate()
            world.run(for: .seconds(2))
            visitor()?.read(PublishingApp.value)
            try world.expect("the publisher is restored", within: .seconds(30)) { publisher()?.restorations == 1 }
            try world.expect("a value", within: .seconds(30)) { (visitor()?.values ?? 0) > 0 }
        }
        // Out of range and back, with a pending connection.
        world.move(guest.device, to: .metres(x: 100_000))
        try world.expect("the link is lost", within: .seconds(40)) { visitor()?.isConnected != true }
        visitor()?.comeBack()
        world.run(for: .seconds(1))
        world.move(guest.device, to: .metres(x: 4))
        world.run(for: .seconds(6))
        visiting.forceQuit()
        world.run(for: .seconds(1))
        visiting.launch()
        try world.expect("launched again", within: .seconds(30)) { (visitor()?.connections ?? 0) > 0 }
        return SceneRecord(world)
    }

    /// An app and TI's key fob, whose keys are pressed.
    private static func phoneAndFob(seed: UInt64) throws -> SceneRecord {
        let world = World(seed: seed)
        world.setLossEverywhere(.percent(Int32(seed)))
        let phone = Phone(named: "phone", in: world)
        let app = phone.addApp()
        let visitor = app.run { VisitingApp(lookingFor: nil) }
        var options = KeyFobOptions()
        options.advertisesAtStart = true
        options.pairing.demand = seed % 3 == 0 ? .encryption : .nothing
        let fob = KeyFobDevice(options: options)
        let id = world.addDevice(
            named: "fob",
            controller: .core40(publicAddress: KeyFobDevice.address(), company: .texasInstruments),
            host: KeyFobDevice.hostConfiguration(seed: seed, device: 100, pairing: options.pairing),
            at: .metres(x: 1),
            application: fob
        )
        try world.expect("everything discovered", within: .seconds(40)) { visitor.isReady }
        visitor.subscribe("FFE1")
        visitor.read("2A19")
        world.run(for: .seconds(2))
        for key in [KeyFobKey.left, .right, .left] {
            world.perform(on: id) { host, now, actions in _ = fob.click(key, host: host, at: now, into: &actions) }
            world.run(for: .milliseconds(700))
        }
        visitor.write([2], "2A06", .withoutResponse)
        world.run(for: .seconds(1))
        guard visitor.values >= 3 || visitor.failures > 0 else { throw SceneFailure("\(visitor.values) values") }
        world.move(id, to: .metres(x: 100_000))
        try world.expect("the link is lost", within: .seconds(30)) { !visitor.isConnected }
        return SceneRecord(world)
    }

    /// A phone that plays a key fob, and a visitor on another.
    private static func phoneAsFob(seed: UInt64) throws -> SceneRecord {
        let world = World(seed: seed)
        var settings = PhoneSettings()
        settings.allowsReservedServices = true
        settings.name = "iPhone"
        let phone = Phone(named: "phone", in: world, settings: settings)
        let app = phone.addApp()
        let fob = app.run {
            KeyFobSimulator(
                limits: seed % 2 == 0 ? .all : [],
                random: SeededRandom(seed: seed, purpose: "key fob app"),
                clock: .of(world)
            )
        }
        let guest = Phone(named: "guest", in: world, at: .metres(x: 2))
        let visitor = guest.addApp().run { VisitingApp(lookingFor: nil) }
        world.run(for: .milliseconds(500))
        guard fob.switchAdvertising(true) else { throw SceneFailure("the app does not advertise") }
        try world.expect("everything discovered", within: .seconds(40)) { visitor.isReady }
        visitor.subscribe("FFE1")
        for uuid in ["FFA3", "FFA4", "FFA5"] { visitor.subscribe(uuid) }
        visitor.write([1], "FFA1")
        world.run(for: .seconds(1))
        for number in 0..<4 {
            fob.touchDown(number % 2 == 0 ? .left : .right)
            world.run(for: .milliseconds(300))
            fob.touchUp(number % 2 == 0 ? .left : .right)
            fob.tilt(x: Double(number) / 4, y: Double(seed) / 10, z: -1)
            world.run(for: .milliseconds(400))
        }
        fob.slide(to: 20)
        visitor.read("2A19")
        world.run(for: .seconds(1))
        guard visitor.values > 4 else { throw SceneFailure("only \(visitor.values) values") }
        return SceneRecord(world)
    }
}
