import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatRadioMedium

@Suite("Many radios on a channel")
struct ManyListenersTests {
    private let channel = ChannelIndex.advertising[1]
    private var random = SeededRandom(seed: 11, purpose: "many listeners")

    /// Towns so many metres apart; one if that is nothing.
    private var distance: Int32 = 0

    private mutating func place() -> Position {
        // On both sides of the axes, and far beyond each other's reach.
        let x = Int32(random.next(below: 800_000)) - 400_000, y = Int32(random.next(below: 800_000)) - 400_000
        var place = Position(x: x, y: y)
        guard distance > 0 else { return place }
        place.x += (Int32(random.next(below: 3)) - 1) * distance * 1_000
        place.y += (Int32(random.next(below: 3)) - 1) * distance * 1_000
        return place
    }

    @Test(
        "Those who are found by place are those who hear a frame, in the order in which they began to listen",
        // Of towns that far apart the index keeps the radios in the same lists.
        arguments: [(0, 1_000), (4_096, 100), (8_192, 100)]
    )
    func foundByPlace(distance: Int32, least: Int) {
        var tests = self
        tests.distance = distance
        tests.compare(least: least)
    }

    private mutating func compare(least: Int) {
        var medium = Medium(seed: 3)
        var order: [RadioID] = []
        for _ in 0..<400 {
            let radio = medium.addRadio(at: place())
            _ = medium.listen(radio, on: channel, phy: .le1M, syncWord: 1, from: .zero, until: .distantFuture)
            order.append(radio)
        }
        let sender = medium.addRadio(at: .origin)
        var heard = 0
        for number in 0..<300 {
            let now = Instant.zero + .milliseconds(Int64(number + 1))
            // Somebody walks, somebody leaves the channel, somebody comes back as the last one.
            medium.move(order[Int(random.next(below: UInt64(order.count)))], to: place())
            if number % 3 == 0, order.count > 20 {
                let place = Int(random.next(below: UInt64(order.count)))
                medium.stopListening(order[place])
                let gone = order.remove(at: place)
                if number % 6 == 0 {
                    _ = medium.listen(gone, on: channel, phy: .le1M, syncWord: 1, from: .zero, until: .distantFuture)
                    order.append(gone)
                }
            }
            medium.move(sender, to: place())
            let power = Int8([-20, 0, 0, 10, 20][number % 5])
            let expected = order.filter { medium.strength(of: SignalStrength(dBm: power), from: sender, at: $0) >= -95 }
            let id = medium.begin(.usual(from: sender, on: channel, at: now, power: power))
            var deliveries: [Delivery] = []
            _ = medium.end(id, into: &deliveries)
            #expect(deliveries.map(\.receiver) == expected, "frame \(number)")
            heard += expected.count
            // Who has got a frame listens again, behind all others.
            for radio in expected {
                _ = medium.listen(radio, on: channel, phy: .le1M, syncWord: 1, from: .zero, until: .distantFuture)
            }
            order = order.filter { !expected.contains($0) } + expected
        }
        #expect(heard > least)
    }

    /// Who hears a frame that reaches `radio` with so many dBm; they listen again after it.
    private func hears(
        _ medium: inout Medium,
        _ radio: RadioID,
        from sender: RadioID,
        at number: Int,
        strength: Int
    ) -> [RadioID] {
        let loss = -medium.strength(of: SignalStrength(dBm: 0), from: sender, at: radio)
        let start = Instant.zero + .milliseconds(Int64(number))
        let frame = Transmission.usual(from: sender, on: channel, at: start, power: Int8(strength + loss))
        let id = medium.begin(frame)
        var deliveries: [Delivery] = []
        _ = medium.end(id, into: &deliveries)
        for delivery in deliveries {
            _ = medium.listen(
                delivery.receiver,
                on: channel,
                phy: .le1M,
                syncWord: 1,
                from: .zero,
                until: .distantFuture
            )
        }
        return deliveries.map(\.receiver)
    }

    @Test(
        "A radio with a sensitivity of its own hears what no other does, also where listeners are found by place; nil restores it",
        arguments: [3, 400]
    )
    func ownSensitivity(count: Int) {
        var tests = self
        // Without shadowing, so that all at one place hear the same.
        var medium = Medium(seed: 3, propagation: Propagation(shadowing: 0))
        // The listener that matters, one beside it, and others in places of their own.
        let keen = medium.addRadio(at: .metres(x: 992)), usual = medium.addRadio(at: .metres(x: 992))
        let others = (0..<count).map { _ in medium.addRadio(at: tests.place()) }
        for radio in [keen, usual] + others {
            _ = medium.listen(radio, on: channel, phy: .le1M, syncWord: 1, from: .zero, until: .distantFuture)
        }
        let sender = medium.addRadio(at: .metres(x: 832))
        func outcome(_ number: Int, _ strength: Int) -> (keen: Bool, usual: Bool) {
            let heard = hears(&medium, keen, from: sender, at: number, strength: strength)
            return (heard.contains(keen), heard.contains(usual))
        }
        #expect(outcome(1, -95) == (true, true) && outcome(2, -100) == (false, false))
        medium.setSensitivity(SignalStrength(dBm: -110), of: keen)
        #expect(outcome(3, -100) == (true, false) && outcome(4, -110) == (true, false))
        #expect(outcome(5, -111) == (false, false))
        // Another one that is less keen leaves it as it is, and so does one that comes and goes.
        medium.setSensitivity(SignalStrength(dBm: -97), of: others[0])
        medium.setSensitivity(SignalStrength(dBm: -120), of: others[1])
        medium.removeRadio(others[1])
        #expect(outcome(6, -110) == (true, false))
        medium.setSensitivity(nil, of: keen)
        #expect(outcome(7, -100) == (false, false) && outcome(8, -95) == (true, true))
        // One that hears less than others do.
        medium.setSensitivity(SignalStrength(dBm: -60), of: keen)
        #expect(outcome(9, -70) == (false, true) && outcome(10, -60) == (true, true))
    }

    @Test("A loss that was kept is that of the places where both are now")
    func losses() {
        var tests = self
        var walked = Medium(seed: 3), fresh = Medium(seed: 3)
        let radios = (0..<40).map { _ in walked.addRadio(at: tests.place()) }
        for _ in 0..<40 { _ = fresh.addRadio(at: .origin) }
        for _ in 0..<5_000 {
            let first = radios[Int(tests.random.next(below: 40))], second = radios[Int(tests.random.next(below: 40))]
            guard first != second else { continue }
            if tests.random.next(below: 3) == 0 { walked.move(first, to: tests.place()) }
            fresh.powerCache.forgetAll()
            fresh.move(first, to: walked.position(of: first))
            fresh.move(second, to: walked.position(of: second))
            let power = SignalStrength(dBm: 0)
            let kept = walked.strength(of: power, from: first, at: second)
            let computed = fresh.strength(of: power, from: first, at: second)
            #expect(kept == computed)
        }
    }

    @Test("A table of losses grows where pairs push each other out, and forgets nothing that is asked for at once")
    func growth() {
        var cache = PowerCache()
        for number in 0..<UInt32(200_000) {
            let pair = (RadioID(rawValue: number % 50_000), RadioID(rawValue: 60_000))
            cache.keep(Int(number % 90), pair.0, pair.1, at: UInt64(number))
            #expect(cache.loss(pair.1, pair.0, at: UInt64(number)) == Int(number % 90))
            #expect(cache.loss(pair.1, pair.0, at: UInt64(number) + 1) == nil)
        }
    }
}
