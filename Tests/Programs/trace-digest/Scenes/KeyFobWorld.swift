import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// Four key fobs and six centrals that walk about, with loss, drift and pressed keys.
struct KeyFobWorld {
    let world: World
    /// How often a key was pressed.
    private(set) var presses = 0
    private var walk: SeededRandom
    private var wanderers: [Wanderer] = []
    /// Connections between centrals and key fobs so far.
    var meetings: Int { wanderers.reduce(0) { $0 + $1.meetings } }
    private var fobs: [(id: DeviceID, fob: KeyFobDevice)] = []

    init(seed: UInt64) {
        world = World(seed: seed)
        walk = SeededRandom(seed: seed, purpose: "walk")
        var options = KeyFobOptions()
        options.advertisesAtStart = true
        for number in 0..<4 {
            let fob = KeyFobDevice(options: options)
            let id = world.addDevice(
                named: "fob \(number)",
                controller: ControllerConfiguration(publicAddress: KeyFobDevice.address(number: number)),
                at: somewhere(),
                drift: drift(),
                application: fob
            )
            fobs.append((id, fob))
        }
        for number in 0..<6 {
            let wanderer = Wanderer(seed: seed, number: UInt64(number))
            wanderers.append(wanderer)
            world.addDevice(
                named: "wanderer \(number)",
                at: somewhere(),
                drift: drift(),
                application: wanderer
            )
        }
        world.setLossEverywhere(.percent(5))
    }

    /// Whole seconds, in each of which a device moves and a key is pressed.
    mutating func run(seconds: Int) {
        for _ in 0..<seconds {
            world.run(for: .seconds(1))
            let ids = world.deviceIDs
            world.move(ids[Int(walk.next(below: UInt64(ids.count)))], to: somewhere())
            let (id, fob) = fobs[Int(walk.next(below: UInt64(fobs.count)))]
            let key: KeyFobKey = walk.next(below: 2) == 0 ? .left : .right
            presses += 1
            world.perform(on: id) { host, now, actions in
                _ = fob.click(key, host: host, at: now, into: &actions)
            }
        }
    }

    /// Somewhere on a floor of 80 by 80 metres, to the millimetre.
    private mutating func somewhere() -> Position {
        Position(x: Int32(walk.next(below: 80_000)), y: Int32(walk.next(below: 80_000)))
    }

    private mutating func drift() -> ClockDrift {
        ClockDrift(partsPerMillion: Int64(walk.next(below: 81)) - 40) ?? .none
    }
}
