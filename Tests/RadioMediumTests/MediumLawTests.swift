import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatRadioMedium

@Suite("Laws of the medium")
struct MediumLawTests {
    private let channel = ChannelIndex.advertising[0]

    private func listen(_ radio: RadioID, from: Instant, in medium: inout Medium) -> UInt32 {
        medium.listen(radio, on: channel, phy: .le1M, syncWord: 1, from: from, until: .distantFuture)
    }

    @Test("Each radio that listens gets the frame, at its own strength, and its transmitter does not")
    func everybody() {
        var medium = Medium(seed: 1, propagation: Propagation(shadowing: 0))
        let sender = medium.addRadio(at: .origin)
        let receivers = [1, 10, 100].map { medium.addRadio(at: .metres(x: $0)) }
        for radio in [sender] + receivers { _ = listen(radio, from: .zero, in: &medium) }
        var deliveries: [Delivery] = []
        let id = medium.begin(.usual(from: sender, at: .zero))
        _ = medium.end(id, into: &deliveries)
        // 100 m lose 100 dB, 5 dB too much.
        #expect(deliveries.map(\.receiver) == Array(receivers.prefix(2)))
        #expect(deliveries.map(\.reception.strength.dBm) == [-40, -70])
    }

    @Test("A removed radio hears nothing any more, and its place stays its own")
    func removed() {
        var medium = Medium(seed: 1)
        let sender = medium.addRadio(at: .origin), receiver = medium.addRadio(at: .metres(x: 1))
        _ = listen(receiver, from: .zero, in: &medium)
        medium.removeRadio(receiver)
        var deliveries: [Delivery] = []
        let id = medium.begin(.usual(from: sender, at: .zero))
        _ = medium.end(id, into: &deliveries)
        #expect(deliveries.isEmpty)
        let next = medium.addRadio(at: .origin)
        #expect(next != receiver)
    }

    @Test("The end of an earlier listening ends no later one, nor a reception")
    func generations() {
        var medium = Medium(seed: 1)
        let sender = medium.addRadio(at: .origin), receiver = medium.addRadio(at: .metres(x: 1))
        let first = listen(receiver, from: .zero, in: &medium)
        let second = listen(receiver, from: .zero, in: &medium)
        #expect(first != second)
        let endedByFirst = medium.endListening(receiver, generation: first)
        #expect(!endedByFirst)
        let id = medium.begin(.usual(from: sender, at: .zero))
        #expect(medium.isReceiving(receiver))
        let endedWithin = medium.endListening(receiver, generation: second)
        #expect(!endedWithin)
        var deliveries: [Delivery] = []
        _ = medium.end(id, into: &deliveries)
        #expect(deliveries.map(\.receiver) == [receiver])
        let endedAfter = medium.endListening(receiver, generation: second)
        #expect(!medium.isReceiving(receiver) && !endedAfter)
        let third = listen(receiver, from: .zero, in: &medium)
        let ended = medium.endListening(receiver, generation: third)
        #expect(ended)
    }

    @Test("Strength is the same both ways, follows a move, and a frame keeps the strength that it began with")
    func strengths() {
        var medium = Medium(seed: 9, propagation: Propagation(shadowing: 600))
        let one = medium.addRadio(at: .origin), other = medium.addRadio(at: .metres(x: 3))
        let power = SignalStrength(dBm: 0)
        let near = medium.strength(of: power, from: one, at: other)
        let back = medium.strength(of: power, from: other, at: one)
        #expect(back == near)
        _ = listen(other, from: .zero, in: &medium)
        let id = medium.begin(.usual(from: one, at: .zero))
        medium.move(other, to: .metres(x: 30))
        let far = medium.strength(of: power, from: one, at: other)
        #expect(far == near - 30)
        var deliveries: [Delivery] = []
        _ = medium.end(id, into: &deliveries)
        #expect(deliveries.map { Int($0.reception.strength.dBm) } == [near])
    }

    @Test("Injected loss takes its share in one direction: half of it unheard, half of it damaged")
    func losses() throws {
        var medium = Medium(seed: 3)
        let one = medium.addRadio(at: .origin), other = medium.addRadio(at: .metres(x: 1))
        medium.setLoss(.percent(40), from: one, to: other)
        func counts(from sender: RadioID, to receiver: RadioID) -> (unheard: Int, damaged: Int) {
            var unheard = 0, damaged = 0
            for frame in 0..<4_000 as Range<Int64> {
                let start = Instant.zero + .milliseconds(frame)
                _ = listen(receiver, from: start, in: &medium)
                var deliveries: [Delivery] = []
                let id = medium.begin(.usual(from: sender, at: start))
                _ = medium.end(id, into: &deliveries)
                if deliveries.isEmpty { unheard += 1 }
                damaged += deliveries.count(where: \.isDamaged)
            }
            return (unheard, damaged)
        }
        let there = counts(from: one, to: other)
        // 800 of each are expected, with a standard deviation of 25.
        #expect((675...925).contains(there.unheard) && (675...925).contains(there.damaged), "\(there)")
        let untouched = counts(from: other, to: one)
        #expect(untouched == (0, 0))
        medium.setLossEverywhere(.always)
        let back = counts(from: other, to: one)
        #expect(back.unheard + back.damaged == 4_000)
    }

    @Test("Collision statistics count frames that met, and receptions that this cost", arguments: [-58, -57] as [Int8])
    func statistics(noise: Int8) {
        let air = ScriptedAir(frames: [ScriptedFrame(start: 100), .noise(300, noise)])
        let (_, collisions) = air.play()
        #expect(collisions.frames == 1 && collisions.receptions == (noise == -57 ? 1 : 0))
    }
}
