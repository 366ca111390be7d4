import Testing

@testable import BluethroatVirtualTime

@Suite("Seeded random numbers")
struct SeededRandomTests {
    @Test("The finaliser is SplitMix64's: its published first outputs for seed 1234567")
    func splitMix64() {
        let gamma: UInt64 = 0x9e37_79b9_7f4a_7c15
        let outputs = (0..<5).map { SeededRandom.mix(1_234_567 &+ UInt64($0) &* gamma) }
        #expect(
            outputs == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ]
        )
    }

    @Test("A purpose is hashed by FNV-1a: its published values for 64 bits")
    func purposes() {
        #expect(SeededRandom.Purpose("").hash == 0xcbf2_9ce4_8422_2325)
        #expect(SeededRandom.Purpose("a").hash == 0xaf63_dc4c_8601_ec8c)
        #expect(SeededRandom.Purpose("foobar").hash == 0x8594_4171_f739_67e8)
    }

    /// Computed by a program of its own, in another language.
    @Test("Streams have known answers")
    func knownAnswers() {
        func first(_ random: SeededRandom) -> [UInt64] {
            var random = random
            return (0..<4).map { _ in random.next() }
        }
        #expect(
            first(SeededRandom(seed: 0, purpose: "foobar")) == [
                0xe6b2_7e1f_ebd0_b5db, 0x3f5a_d48c_76e5_abb2, 0x3f17_ea74_b2d1_b9ed, 0x9122_693c_7584_f051,
            ]
        )
        #expect(
            first(SeededRandom(seed: 7, device: 3, purpose: "advertising delay")) == [
                0x4c43_5499_8267_d496, 0xa691_6b7c_1314_b497, 0xc3c4_b2e3_a5b1_cd74, 0x87a2_070a_b28a_24e5,
            ]
        )
        #expect(
            first(SeededRandom(seed: .max, device: .max, purpose: "a")) == [
                0x5424_68ea_b151_7459, 0xa68c_e0b6_a349_e3a1, 0x717e_ac6d_173b_0a1c, 0xa8ed_8a9e_402c_857d,
            ]
        )
    }

    @Test("Seed, device and purpose each make another stream")
    func independent() {
        var streams = Set<UInt64>()
        for seed in 0..<10 as Range<UInt64> {
            for device in 0..<10 as Range<UInt64> {
                for purpose in ["one", "other"] as [SeededRandom.Purpose] {
                    var random = SeededRandom(seed: seed, device: device, purpose: purpose)
                    streams.insert(random.next())
                }
            }
        }
        #expect(streams.count == 200)
    }

    /// The statistic of Pearson's test; for 9 degrees of freedom it exceeds 27.9 once in a thousand.
    @Test("Numbers below a bound are equally likely", arguments: [10, (1 << 63) + 1, 3 << 62] as [UInt64])
    func uniform(bound: UInt64) {
        var random = SeededRandom(seed: 4, purpose: "uniform")
        var counts = [Double](repeating: 0, count: 10)
        let draws = 50_000
        for _ in 0..<draws {
            let number = random.next(below: bound)
            #expect(number < bound)
            counts[min(Int(Double(number) / Double(bound) * 10), 9)] += 1
        }
        let expected = Double(draws) / 10
        let statistic = counts.reduce(0) { $0 + ($1 - expected) * ($1 - expected) / expected }
        #expect(statistic < 27.9, "\(counts)")
    }

    @Test("A bound of one leaves no choice")
    func single() {
        var random = SeededRandom(seed: 1, purpose: "single")
        for _ in 0..<100 {
            let number = random.next(below: 1)
            #expect(number == 0)
        }
    }

    @Test("A chance comes true as often as its share says", arguments: [0, 1, 250_000, 999_999, 1_000_000] as [Int32])
    func chance(partsPerMillion: Int32) throws {
        let share = try #require(Ratio(partsPerMillion: partsPerMillion))
        var random = SeededRandom(seed: 2, purpose: "chance")
        let draws = 100_000
        let hits = Double((0..<draws).count { _ in random.chance(share) })
        let expected = Double(draws) * Double(partsPerMillion) / 1_000_000
        // Five standard deviations of a binomial distribution, and one draw for the two ends.
        let tolerance = 5 * (expected * (1 - Double(partsPerMillion) / 1_000_000)).squareRoot() + 1
        #expect(abs(hits - expected) <= tolerance)
        if share == .never { #expect(hits == 0) }
        if share == .always { #expect(hits == Double(draws)) }
    }

    @Test("A span lies between zero and the longest, both included")
    func spans() {
        var random = SeededRandom(seed: 3, purpose: "spans")
        let spans = Set((0..<200).map { _ in random.span(upTo: .nanoseconds(3)) })
        #expect(spans == Set((0...3).map { TimeSpan.nanoseconds($0) }))
        let none = random.span(upTo: .zero)
        #expect(none == .zero)
    }

    @Test("Bytes are the words' bytes, the lowest first, as many as asked for", arguments: 0...25)
    func bytes(count: Int) {
        var random = SeededRandom(seed: 5, purpose: "bytes"), words = random
        let bytes = random.bytes(count)
        var expected: [UInt8] = []
        while expected.count < count {
            let word = words.next()
            expected += (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
        }
        #expect(bytes == Array(expected.prefix(count)))
    }
}
