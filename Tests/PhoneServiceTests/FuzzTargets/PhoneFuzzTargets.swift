import BluethroatBluetoothValues
import BluethroatVirtualTime
import FuzzInputs

/// A phone whose app orders anything, with a hostile device at the other end of its connection.
enum PhoneFuzzTargets {
    static let all = [
        FuzzTarget(machine: "phone-central", upTo: 700) { try play(.central, &$0) },
        FuzzTarget(machine: "phone-peripheral", upTo: 700) { try play(.peripheral, &$0) },
    ]

    private static func play(_ role: ConnectionRole, _ input: inout FuzzInput) throws {
        var world = HostilePhonePeer(role)
        while !input.isEmpty { world.step(&input) }
        world.checkWorks()
    }
}
