import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatLinkLayer

/// Hostile hosts: valid commands in any order, damaged ones and noise, to three controllers on one air.
///
/// No packet may trap, the controllers' books must balance, and after Reset everything works as on the first day.
@Suite("Fuzz: packets of the host's into controllers")
struct ControllerHCIFuzzTests {
    @Test("Whatever hosts send, nothing breaks", arguments: 1...4 as ClosedRange<UInt64>)
    func packets(seed: UInt64) throws {
        var stream = FuzzInput(seed: seed, purpose: "HCI fuzz")
        let world = ThreeControllers(seed: seed)
        let count = Fuzzing.inputs / 4
        for round in 0..<(count / 1_000 + 1) {
            for _ in 0..<min(1_000, count - round * 1_000) { world.step(&stream) }
            try world.checkUseful()
        }
    }
}
