import BluethroatBluetoothValues
import BluethroatHost
import BluethroatOfficeDay
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkstationLogin
import CoreBluetooth
import Foundation
import SceneRecords

/// Texts between two phones, desks that let people in, and an office.
enum LoginScenes {
    static let all = [
        RecordedScene("texts", seeds: 8, run: texts),
        RecordedScene("desk-logins", seeds: 8, run: desk),
        RecordedScene("office-days", seeds: 3, run: office),
    ]

    private static func texts(seed: UInt64) throws -> SceneRecord {
        let world = World(seed: seed)
        world.setLossEverywhere(.percent([0, 3, 8, 15][Int(seed % 4)]))
        func phone(_ name: String, at metres: Double) -> Phone {
            var host = HostConfiguration(seed: seed, device: UInt64(world.nextID.rawValue))
            host.maximumATTMTU = [23, 185, 517][Int(seed % 3)]
            return Phone(named: name, in: world, at: .metres(x: metres), host: host)
        }
        let (serverPhone, clientPhone) = (phone("server", at: 0), phone("client", at: 2))
        let server = serverPhone.addApp().run {
            TextServer(offersFramedMode: seed % 4 != 0, clock: .of(world), random: .seeded(seed))
        }
        let client = clientPhone.addApp().run {
            TextClient(usesFramedMode: seed % 5 != 0, clock: .of(world), random: .seeded(seed &+ 1))
        }
        try world.expect("both are on", within: .seconds(5)) {
            server.state == .poweredOn && client.state == .poweredOn
        }
        server.switchAdvertising(true)
        client.search()
        try world.expect("found", within: .seconds(20)) { client.found != nil }
        for _ in 0..<5 where client.mode == nil {
            client.connect()
            world.run(for: .seconds(15)) { client.mode != nil || client.found?.state == .disconnected }
        }
        guard client.mode != nil else { throw SceneFailure("no connection") }
        let before = (server.pad.lines.count, client.pad.lines.count)
        let text = String(repeating: "text \(seed) ", count: 30)
        client.send(text)
        server.send("answer \(seed)")
        try world.expect("texts arrived", within: .seconds(60)) {
            server.pad.lines.count > before.0 && client.pad.lines.count > before.1
        }
        world.run(for: .seconds(2))
        client.disconnect()
        world.run(for: .seconds(1))
        return SceneRecord(world)
    }

    /// A phone as both ends want it: LE Secure Connections and nothing less.
    private static func phone(
        _ name: String,
        in world: World,
        at position: Position,
        settings: PhoneSettings? = nil
    ) -> Phone {
        var host = HostConfiguration(seed: world.seed, device: UInt64(world.nextID.rawValue))
        host.pairing.inputOutput = .displayYesNo
        host.pairing.secureConnections = .only
        return Phone(named: name, in: world, at: position, settings: settings, host: host)
    }

    private static func desk(seed: UInt64) throws -> SceneRecord {
        let world = World(seed: seed)
        world.setLossEverywhere(.percent(seed % 3 == 0 ? 5 : 0))
        guard let identifier = DeskIdentifier("4711"), let cost = ScryptCost(logarithm: 1) else {
            throw SceneFailure("no desk of that name")
        }
        let alice = Credentials(user: "alice", password: "correct horse")
        var users = UserList()
        guard users.set(alice, cost: cost, random: .seeded(1)) else { throw SceneFailure("no user") }
        var settings = Desk.Settings()
        settings.code = seed % 4 == 0 ? .always : .firstTime
        let deskPhone = phone("desk", in: world, at: .origin), own = phone("phone", in: world, at: .metres(x: 1))
        let desk = deskPhone.addApp().run {
            Desk(
                identifier: identifier,
                key: DeskKey(random: .seeded(seed &+ 50)),
                verifier: users,
                settings: settings,
                clock: .of(world),
                random: .seeded(seed &+ 100)
            )
        }
        let app = own.addApp().run {
            LoginPhone(
                vault: CredentialVault(MemoryVaultStorage(), cost: cost, random: .seeded(seed &+ 200)),
                clock: .of(world),
                random: .seeded(seed &+ 300),
                isLinkEncrypted: { [unowned own] in own.isLinkEncrypted(to: $0) }
            )
        }
        try world.expect("looked around", within: .seconds(20)) { app.screen.isBluetoothOn && !app.screen.isScanning }
        for round in 0..<2 {
            app.choose(identifier)
            try answer(app, desk, alice, in: world)
            world.run(for: .seconds(1))
            if round == 0 || seed % 2 == 0 {
                app.askToEnd()
                app.confirmEnd()
            } else {
                world.move(own.device, to: .metres(x: 100_000))
            }
            try world.expect("the session ended", within: .seconds(60)) { desk.screen.session == nil }
            try world.expect("the phone is at its start", within: .seconds(60)) { app.screen.page == .start }
        }
        return SceneRecord(world)
    }

    /// Says what is asked for, until the session is there.
    private static func answer(_ app: LoginPhone, _ desk: Desk, _ credentials: Credentials, in world: World) throws {
        for _ in 0..<6 {
            switch app.screen.page {
            case .credentials: app.submit(credentials)
            case .code:
                try world.expect("a code is shown", within: .seconds(2)) { desk.screen.code != nil }
                app.enterCode(desk.screen.code ?? "")
            case .connected: return
            default: break
            }
            let page = app.screen.page
            world.run(for: .seconds(20)) { app.screen.page != page }
        }
        throw SceneFailure("no session: \(app.screen.page)")
    }

    private static func office(seed: UInt64) throws -> SceneRecord {
        let world = World(seed: seed)
        guard let plan = OfficePlan(desks: 3, people: 3, seconds: 60), let cost = ScryptCost(logarithm: 1) else {
            throw SceneFailure("no plan")
        }
        let day = OfficeDay(plan, seed: seed, in: world, cost: cost) { name, position in
            var settings = PhoneSettings()
            settings.name = name
            settings.advertisingInterval = AdvertisingInterval(steps: 510)
            return phone(name, in: world, at: position, settings: settings)
        }
        world.run(for: .seconds(60)) { day.isOver }
        guard day.report.logins > 0 else { throw SceneFailure("no login: \(day.report)") }
        return SceneRecord(world)
    }
}
