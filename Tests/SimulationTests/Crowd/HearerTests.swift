import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime
import Testing

@testable import BluethroatRadioMedium
@testable import BluethroatSimulation

@Suite("What a hearer cares for")
struct HearerTests {
    @Test("Each frame is judged by itself: it can be heard, or begins before the end of what it can spoil")
    func rule() throws {
        var all = 0, some = 0, none = 0
        for seed in 0..<UInt64(30) {
            var random = SeededRandom(seed: seed, purpose: "hearers")
            let advertiser = try Self.advertiser(&random)
            let begin = advertiser.presentStart, length = advertiser.presentEnd - begin
            let reach = HearingReach(
                Propagation(),
                loudest: SignalStrength(dBm: 0),
                sensitivity: Propagation().sensitivity,
                answers: true
            )
            func near(_ place: Position) -> Position {
                // Each way round the end of what can be heard, and of what can do harm.
                func offset() -> Int32 { Int32(random.next(below: 360_000)) - 180_000 }
                return Position(x: place.x + offset(), y: place.y + offset())
            }
            func instant() -> Instant { begin - length + random.span(upTo: length * 3) }
            for _ in 0..<200 {
                var hearer = Hearer(
                    radio: RadioID(rawValue: 1),
                    isScripted: false,
                    at: near(advertiser.position),
                    reach: reach
                )
                hearer.turn(to: 0b111)
                if random.next(below: 2) == 0 { hearer.receivingUntil = instant() }
                let asked = near(advertiser.position), askingUntil = random.next(below: 2) == 0 ? instant() : nil
                if let askingUntil { hearer.asks(RadioID(rawValue: 1), at: asked, until: askingUntil) }
                let receivingUntil = hearer.receivingUntil

                let far = hearer.position.squaredDistance(to: advertiser.position)
                let farFromAsked = asked.squaredDistance(to: advertiser.position)
                let matters = (0..<3).filter { channel in
                    let start = advertiser.start(ofFrame: channel)
                    return far <= reach.heard || start < receivingUntil && far <= reach.harmful
                        || farFromAsked <= reach.harmful && askingUntil.map { start < $0 } ?? false
                }
                let wanted = UInt8(1 + random.next(below: 7))
                let expected = matters.reduce(into: UInt8(0)) { $0 |= 1 << UInt8($1) } & wanted
                let found = hearer.channels(of: wanted, onWhichItCaresFor: advertiser)
                #expect(found == expected, "seed \(seed)")
                // What is asked first, of all that goes out near it, leaves out nothing that matters.
                let distance = hearer.distance(ofWhatBegan: advertiser.presentStart)
                #expect(found == 0 || hearer.mayCare(for: advertiser.position), "seed \(seed)")
                // Who is asked something was heard.
                let isAskedFar = askingUntil != nil && hearer.position.squaredDistance(to: asked) > reach.heard
                #expect(found == 0 || far <= distance * distance || isAskedFar, "seed \(seed)")
                if found == wanted { all += 1 } else if found == 0 { none += 1 } else { some += 1 }
            }
        }
        #expect(all > 100 && some > 100 && none > 100, "\(all), \(some), \(none)")
    }

    /// One in an event on all three channels; some listen after each frame, and some have clocks that drift.
    private static func advertiser(_ random: inout SeededRandom) throws -> QuietAdvertiser {
        let world = World(seed: random.next(below: 1_000), air: .crowd)
        let drift = ClockDrift(partsPerMillion: Int64(random.next(below: 3)) * 200 - 200)!
        let id = world.addDevice(
            named: "advertiser",
            at: Position(x: Int32(random.next(below: 1_000_000)), y: 0),
            drift: drift,
            application: Recorder()
        )
        let kinds: [AdvertisingParameters.Kind] = [.nonConnectable, .connectable]
        let parameters = AdvertisingParameters(
            kinds[Int(random.next(below: 2))],
            interval: AdvertisingInterval(steps: 160)!
        )
        try world.perform(on: id) { host, now, actions throws(OrderError) in
            let data = AdvertisingData([.completeLocalName("quiet")])
            try host.startAdvertising(parameters, data: data, at: now, into: &actions)
        }
        world.run(for: .seconds(1))
        var advertiser = try #require(world.quietAir?.advertisers.first { $0.isPresent })
        advertiser.beginEvent()
        return advertiser
    }
}
