import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("Whether apps may use Bluetooth")
struct AuthorizationTests {
    @Test(
        "A manager of an app that its person was not asked about makes the phone ask; the state is unknown until then [O]"
    )
    func prompt() throws {
        let it = LifeScene(central: "", publisher: "", authorization: .notDetermined, sender())
        #expect(it.app.isPrompting && it.phone.prompts.map(\.name) == ["app"])
        #expect(try it.live.heard.isEmpty && it.live.central.state == .unknown)
        #expect(it.app.run { CBManager.authorization } == .notDetermined)
        it.run(.seconds(100))
        it.app.answerPrompt(true)
        #expect(!it.app.isPrompting && it.app.run { CBManager.authorization } == .allowedAlways)
        it.run(.zero)
        #expect(try it.live.heard == ["state 5", "publisher 5"])
        _ = try it.find()
    }

    @Test(
        "Denied and restricted apps are told that they may not, and find nothing",
        arguments: [Authorization.denied, .restricted]
    )
    func refused(authorization: Authorization) throws {
        let it = LifeScene(central: "", authorization: authorization, sender())
        #expect(try it.live.heard == ["state 3"] && it.live.central.state == .unauthorized)
        #expect(it.app.run { CBManager.authorization.rawValue } == authorization.rawValue)
        #expect(!it.app.isPrompting)
        try it.live.central.scanForPeripherals(withServices: nil)
        it.run(.seconds(5))
        #expect(try it.live.heard == ["state 3"])
        #expect(
            it.app.misuse.first?.sentence.contains("can only accept this command while in the powered on state") == true
        )
    }

    @Test("The phone asks once the app is on the screen, and does not ask where there is no manager")
    func later() {
        let world = World(seed: 1)
        let phone = Phone(named: "phone", in: world)
        let app = phone.install(named: "app", authorization: .notDetermined) { _ in LivingApp(central: "") }
        let other = phone.install(named: "other", authorization: .notDetermined) { _ in nil }
        app.launchInBackground()
        other.launch()
        world.run(for: .seconds(1))
        #expect(phone.prompts.isEmpty)
        app.enterForeground()
        #expect(phone.prompts.map(\.name) == ["app"])
        app.answerPrompt(false)
        #expect(app.authorization == .denied && phone.prompts.isEmpty)
    }

    @Test(
        "Taken away at any moment: connections end, nothing is published or advertised; given again, all is to be ordered anew"
    )
    func takenAway() throws {
        let it = LifeScene(modes: [.bluetoothCentral, .bluetoothPeripheral], central: "", publisher: "", sender())
        let peripheral = try it.subscribe()
        try it.live.publisher.add(CBMutableService("FFA0"))
        try it.live.publisher.startAdvertising(nil)
        it.run(.seconds(1))
        let probe = CentralProbe(in: it.world)
        #expect(try probe.hears(it.phone.device))
        try it.live.forget()
        it.app.authorization = .denied
        it.run(.seconds(1))
        #expect(try it.live.heard == ["state 3", "publisher 3"])
        #expect(peripheral.state == .disconnected && it.accessories[0].connection == nil)
        #expect(try !it.live.publisher.isAdvertising && !probe.hears(it.phone.device))
        it.app.authorization = .allowedAlways
        it.run(.seconds(5))
        #expect(try it.live.heard == ["state 3", "publisher 3", "state 5", "publisher 5"])
        #expect(it.accessories[0].connection == nil)
        #expect(try !probe.hears(it.phone.device))
        // Below off, the object that the app has is of no use any more.
        try it.live.central.connect(peripheral)
        it.run(.seconds(5))
        #expect(try it.live.count("connected") == 0)
        let again = try #require(
            it.live.central.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first
        )
        try it.live.central.connect(again)
        try it.wait(for: "connected")
    }

    @Test("What one app may not, another may")
    func perApp() throws {
        let it = LifeScene(central: "", authorization: .denied, sender())
        let other = it.phone.install(named: "other") { _ in LivingApp(central: "") }
        other.launch()
        it.run(.seconds(1))
        let live = try #require(other.root(as: LivingApp.self))
        #expect(live.heard == ["state 5"])
        #expect(other.run { CBManager.authorization } == .allowedAlways)
        #expect(it.app.run { CBManager.authorization } == .denied)
    }

    @Test("Where the phone is set so, an app is ended when its person changes what it may do")
    func ends() throws {
        var settings = PhoneSettings()
        settings.endsAppsOnAuthorizationChange = true
        let it = LifeScene(central: "", settings: settings)
        it.app.authorization = .denied
        #expect(it.app.state == .terminated && it.app.root == nil)
        it.app.launch()
        it.run(.seconds(1))
        #expect(try it.live.heard == ["state 3"])
    }

    @Test("Without authorization nothing is kept for an app that was ended")
    func kept() throws {
        let it = LifeScene(modes: .bluetoothCentral, central: "main", sender())
        _ = try it.subscribe()
        it.app.terminate()
        it.run(.seconds(1))
        #expect(it.accessories[0].connection != nil)
        it.app.authorization = .denied
        it.run(.seconds(1))
        #expect(it.accessories[0].connection == nil && it.app.state == .terminated)
    }
}
