import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatHost

/// A controller that sends anything, and orders given meanwhile. Nothing may trap, and nothing may grow for ever.
@Suite("Fuzz: host")
struct HostFuzzTests {
    @Test(
        "Whatever the controller sends, the host goes on and its memory stays bounded",
        arguments: 0..<4 as Range<UInt64>
    )
    func anything(seed: UInt64) {
        var world = HostileController(FuzzInput(seed: seed, purpose: "host fuzz"), seed: seed)
        world.powerOn()
        for step in 0..<(Fuzzing.inputs / 4) {
            world.step()
            if step % 64 == 0 { world.check() }
        }
        // Else it would be a fuzzer of very little.
        let events = [
            "connected", "disconnected", "poweredOn", "parametersChanged", "advertisingStarted", "readyToSend",
        ]
        for name in events where Fuzzing.inputs >= 40_000 {
            #expect(world.told[name, default: 0] > Fuzzing.inputs / 40_000, "\(name), seed \(seed)")
        }
        // When the controller comes to its senses, so does the host.
        world.losesAnswers = false
        world.powerOn()
        #expect(world.host.identity != nil, "seed \(seed)")
    }
}
