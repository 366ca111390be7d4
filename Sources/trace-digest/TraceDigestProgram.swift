import BluetoothValues
import Foundation
import Host
import KeyFob
import LinkLayer
import RadioMedium
import Simulation
import VirtualTime

/// Prints the digest of a seeded life: four key fobs and six centrals that walk about for a minute, with loss, drift and
/// pressed keys. The same seed prints the same line in every process: `trace-digest [SEED]`
@main
struct TraceDigestProgram {
    static func main() {
        let argument = CommandLine.arguments.dropFirst().first ?? "1"
        guard let seed = UInt64(argument) else {
            FileHandle.standardError.write(Data("trace-digest: a seed is a whole number, not \(argument)\n".utf8))
            exit(2)
        }
        var program = Self(seed: seed)
        program.live()
        print("seed \(seed) digest \(program.world.digest) frames \(program.world.transmissionCount)")
    }

    private let world: World
    private var walk: SeededRandom
    private var fobs: [(id: DeviceID, fob: KeyFobDevice)] = []

    private init(seed: UInt64) {
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
            world.addDevice(
                named: "wanderer \(number)",
                at: somewhere(),
                drift: drift(),
                application: Wanderer(seed: seed, number: UInt64(number))
            )
        }
        world.setLossEverywhere(.percent(5))
    }

    /// A minute, in each second of which somebody moves and somebody clicks.
    private mutating func live() {
        for _ in 0..<60 {
            world.run(for: .seconds(1))
            let ids = world.deviceIDs
            world.move(ids[Int(walk.next(below: UInt64(ids.count)))], to: somewhere())
            let (id, fob) = fobs[Int(walk.next(below: UInt64(fobs.count)))]
            let key: KeyFobKey = walk.next(below: 2) == 0 ? .left : .right
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
