import BluethroatVirtualTime
import Testing

@Suite("Clock drift")
struct ClockDriftTests {
    static let drifts: [Int64] = [-10_000, -500, -333, -50, -1, 0, 1, 50, 333, 500, 10_000]

    /// Every order of magnitude up to ten years, and the instants next to whole millions of nanoseconds.
    private func instants(_ purpose: SeededRandom.Purpose) -> [Instant] {
        var random = SeededRandom(seed: 1, purpose: purpose)
        let tenYears: UInt64 = 315_576_000_000_000_000
        let random500 = (0..<500).map { _ in
            Instant(nanoseconds: Int64(random.next(below: tenYears) >> random.next(below: 59)))
        }
        let edges = (0...20).flatMap { million in
            (-2...2).map { Instant(nanoseconds: max(0, Int64(million) * 1_000_000 + Int64($0))) }
        }
        return random500 + edges
    }

    @Test("A device's clock gains so many parts per million", arguments: drifts)
    func gain(partsPerMillion: Int64) throws {
        let drift = try #require(ClockDrift(partsPerMillion: partsPerMillion))
        let hour = Instant.zero + .seconds(3_600)
        #expect(drift.local(from: hour) - hour == .microseconds(3_600 * partsPerMillion))
        #expect(drift.local(from: .zero) == .zero)
    }

    @Test("A device's clock never runs backwards, nor stands still", arguments: drifts)
    func monotone(partsPerMillion: Int64) throws {
        let drift = try #require(ClockDrift(partsPerMillion: partsPerMillion))
        for instant in instants("monotone") {
            let now = drift.local(from: instant), later = drift.local(from: instant + .microseconds(1))
            #expect(now < later, "\(instant) at \(partsPerMillion) ppm")
        }
    }

    @Test(
        "A timer that is set on the device has expired when it fires, and not a nanosecond earlier",
        arguments: drifts
    )
    func inverse(partsPerMillion: Int64) throws {
        let drift = try #require(ClockDrift(partsPerMillion: partsPerMillion))
        for local in instants("inverse") {
            let world = drift.world(from: local)
            #expect(drift.local(from: world) >= local, "\(local) at \(partsPerMillion) ppm")
            if world > .zero {
                let before = world - .nanoseconds(1)
                #expect(drift.local(from: before) < local, "\(local) at \(partsPerMillion) ppm")
            }
        }
    }

    @Test("There and back an instant is itself, or one at which the device's clock shows the same", arguments: drifts)
    func roundTrip(partsPerMillion: Int64) throws {
        let drift = try #require(ClockDrift(partsPerMillion: partsPerMillion))
        for world in instants("round trip") {
            let local = drift.local(from: world)
            let back = drift.world(from: local)
            #expect(back <= world && drift.local(from: back) == local, "\(world) at \(partsPerMillion) ppm")
        }
    }

    @Test("The distant future stays where it is")
    func distantFuture() throws {
        for partsPerMillion in Self.drifts {
            let drift = try #require(ClockDrift(partsPerMillion: partsPerMillion))
            #expect(drift.world(from: .distantFuture) == .distantFuture)
        }
    }

    @Test("Drift is at most ten thousand parts per million")
    func range() {
        #expect(ClockDrift(partsPerMillion: 10_001) == nil && ClockDrift(partsPerMillion: -10_001) == nil)
        #expect(ClockDrift(partsPerMillion: 0) == ClockDrift.none)
    }
}
