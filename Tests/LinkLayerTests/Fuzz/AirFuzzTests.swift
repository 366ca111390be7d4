import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatLinkLayer

/// A hostile air: frames with right CRCs and any contents, to a controller in every state.
@Suite("Fuzz: frames from the air into a controller")
struct ControllerAirFuzzTests {
    @Test("Hostile control PDUs on a connection, in either role", arguments: [ConnectionRole.peripheral, .central])
    func controlPDUs(role: ConnectionRole) throws {
        var stream = FuzzInput(seed: role == .central ? 1 : 2, purpose: "control fuzz")
        var inputs = 0, sessions: UInt64 = 0
        while inputs < Fuzzing.inputs {
            sessions += 1
            inputs += try HostileAir.controlPDUs(try Bench(seed: sessions), role, &stream)
        }
    }

    @Test("Random frames on a connection, in either role", arguments: [ConnectionRole.peripheral, .central])
    func frames(role: ConnectionRole) throws {
        var stream = FuzzInput(seed: role == .central ? 3 : 4, purpose: "frame fuzz")
        let bench = try Bench()
        var inputs = 0
        while inputs < Fuzzing.inputs { inputs += try HostileAir.frames(bench, role, &stream) }
        try HostileAir.checkConnects(bench, role)
    }

    @Test("Random frames on the advertising channels")
    func advertisingChannels() throws {
        var stream = FuzzInput(seed: 5, purpose: "advertising fuzz")
        var inputs = 0, sessions: UInt64 = 0
        while inputs < Fuzzing.inputs {
            sessions += 1
            inputs += try HostileAir.advertising(try Bench(seed: sessions), &stream)
        }
    }
}
