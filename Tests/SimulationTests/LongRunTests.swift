import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("Runs that are longer than there is time")
struct LongRunTests {
    @Test("They end with it")
    func end() {
        let world = World(seed: 1)
        world.run(for: .seconds(1))
        #expect(!world.run(for: .nanoseconds(.max)) { false } && world.now == .distantFuture)
        world.run(for: .nanoseconds(.max))
        #expect(world.now == .distantFuture)
    }

    @Test("A run that is shorter than nothing lets no time pass")
    func negative() {
        let world = World(seed: 1)
        world.run(for: .seconds(1))
        world.run(for: .nanoseconds(.min))
        #expect(world.now == .zero + .seconds(1))
    }
}
