import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatWorkbench

/// TI's key fob in a live world.
final class HardwareFob: LiveFob {
    let device: KeyFobDevice
    private(set) var id: DeviceID?
    /// The keys that are held down at the panel, and how the fob is tilted there, in g.
    var held: KeyFobKeys = []
    var tilt = [0.0, 0.0, 0.0]
    /// What is in the battery, in percent; the fob itself knows only what it measured last.
    var charge = 100

    /// Which of several fobs in a world it is; the first has the number 0.
    private let number: Int

    var address: DeviceAddress { KeyFobDevice.address(number: number) }

    init(options: KeyFobOptions, number: Int = 0) {
        device = KeyFobDevice(options: options)
        self.number = number
    }

    func enter(_ session: LiveSession, identity: PersistentIdentity, at position: Position) -> DeviceID {
        let id = session.addDevice(
            named: "key fob",
            controller: controller,
            host: KeyFobDevice.hostConfiguration(
                seed: session.workbench.world.seed,
                device: UInt64(number),
                pairing: device.options.pairing,
                attMTU: device.options.attMTU
            ),
            identity: identity,
            at: position,
            application: device
        )
        self.id = id
        return id
    }

    /// What the fob's chip says of itself: a Bluetooth 4.0 controller of Texas Instruments.
    private var controller: ControllerConfiguration {
        .core40(publicAddress: address, company: .texasInstruments)
    }

    func obey(_ word: KeyFobWord, in world: World) -> String? {
        if case .battery(let percent) = word { charge = percent }
        guard let id else { return nil }
        let obedience = world.perform(on: id) { host, now, actions in
            device.obey(word, host: host, at: now, into: &actions)
        }
        return obedience == .tooManyKeys ? "the fob's keys are busy; wait until they have been pressed" : nil
    }

    func takeNotices() -> [FobNotice] { device.takeNotices().map { FobNotice($0) } }
}
