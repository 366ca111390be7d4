import BluethroatKeyFob
import BluethroatVirtualTime
import Testing

/// A key fob's model on the bench, with a clock that jumps and a radio that obeys at once.
struct FobBench {
    struct Entry: Equatable {
        var at: TimeSpan
        var effect: KeyFobEffect
    }

    var model: KeyFobModel
    var now = Instant.zero
    /// Everything the fob did so far.
    var log: [Entry] = []
    /// Whether the radio answers orders; else the test does.
    var radioAnswers = true

    init(_ options: KeyFobOptions = KeyFobOptions(), poweredUp: Bool = true) {
        model = KeyFobModel(options: options)
        guard poweredUp else { return }
        handle(.powerUp)
        // Past the power-on light, so that the LEDs are the test's.
        run(for: .seconds(2))
        log = []
    }

    mutating func handle(_ event: KeyFobEvent) {
        var effects: [KeyFobEffect] = []
        model.handle(event, at: now, into: &effects)
        perform(effects)
    }

    mutating func read(_ value: KeyFobValue) -> UInt8 {
        var effects: [KeyFobEffect] = []
        let byte = model.read(value, into: &effects)
        perform(effects)
        return byte
    }

    mutating func write(_ byte: UInt8, to value: KeyFobValue) {
        #expect(value.refusal(of: [byte]) == nil)
        handle(.written(value, byte))
    }

    mutating func click(_ key: KeyFobKey) {
        handle(.keyDown(key))
        run(for: .milliseconds(200))
        handle(.keyUp(key))
    }

    /// Jumps from deadline to deadline.
    mutating func run(for span: TimeSpan) {
        let end = now + span
        while let next = model.nextDeadline, next <= end {
            #expect(next >= now, "a deadline lies in the past")
            now = max(now, next)
            var effects: [KeyFobEffect] = []
            model.expire(at: now, into: &effects)
            perform(effects)
        }
        now = end
    }

    /// What has happened since the last call, without the instants.
    mutating func effects() -> [KeyFobEffect] {
        defer { log = [] }
        return log.map(\.effect)
    }

    private mutating func perform(_ effects: [KeyFobEffect]) {
        for effect in effects { log.append(Entry(at: now.sinceStart, effect: effect)) }
        guard radioAnswers else { return }
        for effect in effects {
            switch effect {
            case .startStack: handle(.stackStarted)
            case .startAdvertising: handle(.advertisingStarted)
            case .stopAdvertising: handle(.advertisingStopped)
            default: break
            }
        }
    }
}

extension FobBench {
    /// A fob that advertises, with nothing logged.
    static func advertising(_ options: KeyFobOptions = KeyFobOptions()) -> FobBench {
        var bench = FobBench(options)
        bench.click(.right)
        bench.log = []
        return bench
    }

    /// A fob with a central, with nothing logged.
    static func connected(_ options: KeyFobOptions = KeyFobOptions()) -> FobBench {
        var bench = advertising(options)
        bench.handle(.connected)
        bench.log = []
        return bench
    }
}
