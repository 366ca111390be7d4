import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Testing

/// A workbench with one key fob, and what a test does on it.
final class Troupe {
    let workbench: Workbench
    let fob: DeviceID
    let device: KeyFobDevice

    init(seed: UInt64 = 1, options: KeyFobOptions? = nil) {
        workbench = Workbench(seed: seed)
        var own = options ?? KeyFobOptions()
        own.advertisesAtStart = true
        device = KeyFobDevice(options: own)
        fob = workbench.world.addDevice(
            named: "key fob",
            controller: .core40(publicAddress: KeyFobDevice.address(), company: .texasInstruments),
            host: KeyFobDevice.hostConfiguration(seed: seed, pairing: own.pairing, attMTU: own.attMTU),
            at: .metres(x: 1),
            application: device
        )
        workbench.register(fob, as: .keyFob(PlainFob(device, fob)), named: "key fob")
    }

    var address: DeviceAddress { KeyFobDevice.address() }

    func run(for span: TimeSpan) {
        workbench.world.run(for: span)
        workbench.ran()
    }

    func order<Answer, Failure: Error>(
        _ id: DeviceID,
        _ body: (WorkbenchCentral, Host, Instant, inout HostActions) throws(Failure) -> Answer
    ) throws(Failure) -> Answer? {
        try workbench.order(id, body)
    }

    /// Orders something and runs the world until there is an answer.
    func wait<Answer>(
        _ id: DeviceID,
        for limit: TimeSpan = .seconds(40),
        _ body: (WorkbenchCentral, Host, Instant, inout HostActions, @escaping WorkbenchCentral.Answer<Answer>) -> Void
    ) throws -> Answer {
        var result: Result<Answer, WorkbenchCentral.Refusal>?
        _ = workbench.order(id) { central, host, now, actions in
            body(central, host, now, &actions) { result = $0 }
        }
        workbench.world.run(for: limit) { result != nil }
        return try #require(result, "there was no answer").get()
    }

    /// A central that is connected to the fob and knows its services.
    func connectedCentral() throws -> (DeviceID, WorkbenchCentral) {
        let id = workbench.addCentral()
        let central = try #require(workbench.central(id))
        run(for: .seconds(1))
        _ = try wait(id) { central, host, now, actions, answer in
            central.connect(to: address, host: host, at: now, into: &actions, answer)
        }
        _ = try wait(id) { central, host, now, actions, answer in
            central.discover(address, host: host, at: now, into: &actions, answer)
        }
        return (id, central)
    }
}

/// As much of a fob as a workbench wants to know.
final class PlainFob: WorkbenchFob {
    private let device: KeyFobDevice
    private let id: DeviceID

    init(_ device: KeyFobDevice, _ id: DeviceID) {
        self.device = device
        self.id = id
    }

    var transmitPower: Int8 { device.transmitPower?.dBm ?? 0 }

    func look(in world: World) -> FobLook {
        var look = FobLook(kind: .hardware)
        look.isPowered = device.isPowered
        look.isAdvertising = device.model.isAdvertising
        look.transmitPower = transmitPower
        return look
    }

    func hold(_ keys: KeyFobKeys, in world: World) {
        world.perform(on: id) { host, now, actions in
            for key in KeyFobKey.allCases {
                if keys.contains(KeyFobKeys(key)) {
                    device.press(key, host: host, at: now, into: &actions)
                } else {
                    device.release(key, host: host, at: now, into: &actions)
                }
            }
        }
    }

    func setBattery(percent: Int, in world: World) {
        world.perform(on: id) { host, now, actions in
            device.setBattery(percent: percent, host: host, at: now, into: &actions)
        }
    }

    func tilt(x: Double, y: Double, z: Double, in world: World) {}

    func advertise(_ isOn: Bool, in world: World) -> Bool { false }

    func setPower(_ isOn: Bool, in world: World) {
        world.perform(on: id) { host, now, actions in
            isOn
                ? device.restorePower(host: host, at: now, into: &actions)
                : device.cutPower(host: host, at: now, into: &actions)
        }
    }
}
