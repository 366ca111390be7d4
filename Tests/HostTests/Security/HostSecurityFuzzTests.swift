import BluethroatVirtualTime
import FuzzInputs
import Testing

/// Controllers that say anything about keys, peers that say anything about pairing, applications that order anything.
@Suite("Fuzz: security of links")
struct HostSecurityFuzzTests {
    @Test(
        "Nothing traps, no key is given away, and nothing is left when the connection ends",
        arguments: 0..<4 as Range<UInt64>
    )
    func anything(seed: UInt64) {
        var random = FuzzInput(seed: seed, purpose: "security fuzz")
        var world = HostileLinks()
        for _ in 0..<max(Fuzzing.inputs / 4_000, 1) { world.connect(&random) }
    }
}
