import BluethroatVirtualTime
import FuzzInputs
import Testing

/// A peer that knows the words of the signalling channel and none of its manners, and an application that does all that
/// may be done. Nothing may trap, and nothing may grow for ever.
@Suite("Fuzz: L2CAP channels")
struct ChannelFuzzTests {
    static let inputs = Fuzzing.inputs(unlessTold: 40_000)

    @Test("Whatever a peer sends, the host goes on and its memory stays bounded", arguments: 0..<4 as Range<UInt64>)
    func anything(seed: UInt64) throws {
        var random = FuzzInput(seed: seed, purpose: "channel fuzz")
        var world = try HostileChannels()
        for step in 0..<(Self.inputs / 4) {
            world.step(&random)
            if step % 32 == 0 { world.check() }
        }
        // Else it would be a fuzzer of very little, if it had time to come far.
        for name in ["opened", "openFailed", "requested", "received", "closed", "peerReconfigured"]
        where Self.inputs >= 20_000 {
            #expect(world.told[name, default: 0] > Self.inputs / 20_000, "\(name), seed \(seed): \(world.told)")
        }
        world.checkWorks()
    }
}
