import BluetoothValues
import Host
import Simulation
import Testing
import VirtualTime

/// Somebody stands between two devices and pairs with each of them in the name of the other.
@Suite("A man in the middle")
struct ManInTheMiddleTests {
    @Test("With numeric comparison the two victims see different digits", arguments: UInt64(1)...20)
    func numericComparison(seed: UInt64) throws {
        let scene = MiddleScene(.displayYesNo, seed: seed)
        try scene.begin()
        let victims = try [scene.central, scene.peripheral].map { try #require($0.asked.first) }
        #expect(victims[0] != victims[1])
        // Each leg is sound in itself: the attacker sees what his victim sees.
        #expect(scene.towardsCentral.asked.first == victims[0])
        #expect(scene.towardsPeripheral.asked.first == victims[1])
    }

    @Test("People who see different digits say no, and nothing of either pairing is left")
    func refused() throws {
        let scene = MiddleScene(.displayYesNo, seed: 4)
        try scene.begin()
        try scene.answerAll(victims: .refuse, attacker: .agree)
        scene.world.run(for: .seconds(5))
        for device in scene.all {
            #expect(device.result == nil)
            #expect(device.savedBonds.isEmpty)
        }
        #expect(scene.central.failure == .refused(.numericComparisonFailed))
        #expect(scene.peripheral.failure == .refused(.numericComparisonFailed))
    }

    @Test("A passkey shown on one victim and typed into the other helps the attacker to nothing")
    func passkey() throws {
        // The central shows, and its person types the digits into the peripheral: the attacker has to answer on both
        // sides with digits that he does not know.
        var central = PairingSettings(), peripheral = PairingSettings()
        central.inputOutput = .displayOnly
        peripheral.inputOutput = .keyboardOnly
        let scene = MiddleScene(central: central, peripheral: peripheral, attackerIO: .keyboardDisplay, seed: 6)
        try scene.begin()
        let digits = try #require(scene.central.shown)
        try scene.answer(.passkey(digits), scene.peripheralID, scene.peripheral)
        let guess = try #require(Passkey(123_456))
        try scene.answer(.passkey(guess), scene.towardsCentralID, scene.towardsCentral)
        scene.world.run(for: .seconds(5))
        #expect(scene.central.result == nil && scene.peripheral.result == nil)
        // The responder checks first, on either leg: the peripheral finds the attacker out. Towards the central it is the
        // attacker who sees that he has nothing to answer with.
        #expect(scene.peripheral.failure == .refused(.confirmValueFailed))
        #expect(scene.central.failure == .refusedByPeer(.confirmValueFailed))
    }

    @Test("Just Works notices nothing, which is why it does not count as authenticated")
    func justWorks() throws {
        let scene = MiddleScene(.noInputNoOutput, seed: 5)
        try scene.begin()
        scene.world.run(for: .seconds(5))
        for device in scene.all {
            #expect(device.result?.linkKey.isAuthenticated == false)
        }
    }
}

/// Two victims, and between them a device with two radios.
private struct MiddleScene {
    let world: World
    let central = PairingDevice(), peripheral = PairingDevice()
    /// The attacker's two sides: one plays the peripheral for the central, one the central for the peripheral.
    let towardsCentral = PairingDevice(), towardsPeripheral = PairingDevice()
    let centralID: DeviceID, peripheralID: DeviceID, towardsCentralID: DeviceID, towardsPeripheralID: DeviceID

    var all: [PairingDevice] { [central, peripheral, towardsCentral, towardsPeripheral] }

    init(_ io: IOCapability, seed: UInt64) {
        var settings = PairingSettings()
        settings.inputOutput = io
        self.init(central: settings, peripheral: settings, attackerIO: io, seed: seed)
    }

    init(
        central centralSettings: PairingSettings,
        peripheral peripheralSettings: PairingSettings,
        attackerIO: IOCapability,
        seed: UInt64
    ) {
        let world = World(seed: seed)
        self.world = world
        var attacker = PairingSettings()
        attacker.inputOutput = attackerIO
        func add(_ device: PairingDevice, _ settings: PairingSettings, _ number: UInt64) -> DeviceID {
            var configuration = HostConfiguration(seed: seed, device: number)
            configuration.pairing = settings
            return world.addDevice(
                named: "device \(number)",
                host: configuration,
                bonds: device.store,
                application: device
            )
        }
        centralID = add(central, centralSettings, 1)
        peripheralID = add(peripheral, peripheralSettings, 2)
        towardsCentralID = add(towardsCentral, attacker, 3)
        towardsPeripheralID = add(towardsPeripheral, attacker, 4)
    }

    /// Connects both legs, begins to pair on both, and runs until people are asked.
    func begin() throws {
        try PairingDevice.connect(central, centralID, to: towardsCentral, towardsCentralID, in: world)
        try PairingDevice.connect(towardsPeripheral, towardsPeripheralID, to: peripheral, peripheralID, in: world)
        for (id, device) in [(centralID, central), (towardsPeripheralID, towardsPeripheral)] {
            guard let link = device.link else { throw PairingSceneError.noConnection }
            try world.perform(on: id) { host, now, actions throws(PairingOrderError) in
                try host.pair(link, at: now, into: &actions)
            }
        }
        world.run(for: .seconds(5))
    }

    func answerAll(victims: PairingAnswer, attacker: PairingAnswer) throws {
        try answer(victims, centralID, central)
        try answer(victims, peripheralID, peripheral)
        // The pairing may be over before the attacker has his say.
        try? answer(attacker, towardsCentralID, towardsCentral)
        try? answer(attacker, towardsPeripheralID, towardsPeripheral)
    }

    func answer(_ answer: PairingAnswer, _ id: DeviceID, _ device: PairingDevice) throws {
        guard let link = device.link else { throw PairingSceneError.noConnection }
        try world.perform(on: id) { host, now, actions throws(PairingOrderError) in
            try host.answer(answer, on: link, at: now, into: &actions)
        }
    }
}
