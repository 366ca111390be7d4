import BluethroatVirtualTime
import Testing

@Suite("Instants, spans and shares")
struct TimeTests {
    @Test("Units are what they are called")
    func units() {
        #expect(TimeSpan.seconds(2) == .milliseconds(2_000))
        #expect(TimeSpan.milliseconds(2) == .microseconds(2_000))
        #expect(TimeSpan.microseconds(2) == .nanoseconds(2_000))
        #expect(TimeSpan.nanoseconds(-1_999_999).microseconds == -1_999)
        #expect(TimeSpan.nanoseconds(-1_999_999).milliseconds == -1)
        #expect(TimeSpan.milliseconds(1_500).inSeconds == 1.5)
    }

    @Test("Instants and spans obey the laws of points and lengths")
    func affine() {
        var random = SeededRandom(seed: 1, purpose: "time")
        for _ in 0..<1_000 {
            let point = Instant(nanoseconds: Int64(random.next(below: 1 << 60)))
            let length = TimeSpan(nanoseconds: Int64(random.next(below: 1 << 60)) - 1 << 59)
            #expect((point + length) - point == length)
            #expect((point + length) - length == point)
            #expect(point.sinceStart == point - .zero)
            #expect(length - length == .zero && -(-length) == length)
        }
    }

    @Test("Whole times and the rest make up a span")
    func division() {
        let interval = TimeSpan.microseconds(1_250)
        for nanoseconds in [0, 1, 1_249_999, 1_250_000, 1_250_001, 7_499_999] as [Int64] {
            let span = TimeSpan(nanoseconds: nanoseconds)
            #expect(span / interval * interval + span % interval == span)
            #expect(span % interval < interval)
        }
        #expect(TimeSpan.seconds(1) / interval == 800)
        #expect(TimeSpan.nanoseconds(7) / 2 == .nanoseconds(3))
    }

    @Test(
        "Seconds that a person types become the nearest nanosecond",
        arguments: [
            (0.1, 100_000_000), (-0.1, -100_000_000), (1e-9, 1), (4e-10, 0), (6e-10, 1), (-6e-10, -1), (0, 0),
        ] as [(Double, Int64)]
    )
    func typed(seconds: Double, nanoseconds: Int64) {
        #expect(TimeSpan.seconds(approximating: seconds) == .nanoseconds(nanoseconds))
    }

    @Test("What is no length of time is refused", arguments: [Double.nan, .infinity, -.infinity, 1e10, -1e10])
    func refused(seconds: Double) {
        #expect(TimeSpan.seconds(approximating: seconds) == nil)
    }

    @Test("A share lies between none and all")
    func shares() {
        #expect(Ratio(partsPerMillion: -1) == nil && Ratio(partsPerMillion: 1_000_001) == nil)
        #expect(Ratio(partsPerMillion: 0) == .never && Ratio(partsPerMillion: 1_000_000) == .always)
        #expect(Ratio.percent(25).partsPerMillion == 250_000 && Ratio.percent(25) < .percent(26))
    }
}
