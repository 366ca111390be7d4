import BluethroatBluetoothValues
import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime

/// Two victims, and between them a device with two radios.
struct MiddleScene {
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
        central: PairingSettings,
        peripheral: PairingSettings,
        attackerIO: IOCapability,
        seed: UInt64
    ) {
        var attacker = PairingSettings()
        attacker.inputOutput = attackerIO
        self.init(central: central, peripheral: peripheral, towardsCentral: attacker, seed: seed)
    }

    /// The attacker's settings towards the peripheral are the same unless they are given to `beginPairing`.
    init(
        central centralSettings: PairingSettings,
        peripheral peripheralSettings: PairingSettings,
        towardsCentral attacker: PairingSettings,
        seed: UInt64
    ) {
        let world = World(seed: seed)
        self.world = world
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
        try connect()
        try beginPairing(centralID, central)
        try beginPairing(towardsPeripheralID, towardsPeripheral)
        world.run(for: .seconds(5))
    }

    func connect() throws {
        try PairingDevice.connect(central, centralID, to: towardsCentral, towardsCentralID, in: world)
        try PairingDevice.connect(towardsPeripheral, towardsPeripheralID, to: peripheral, peripheralID, in: world)
    }

    /// Lets the central of one leg begin to pair.
    func beginPairing(_ id: DeviceID, _ device: PairingDevice, _ settings: PairingSettings? = nil) throws {
        guard let link = device.link else { throw PairingSceneError.noConnection }
        try world.perform(on: id) { host, now, actions throws(PairingOrderError) in
            try host.pair(link, settings: settings, at: now, into: &actions)
        }
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
