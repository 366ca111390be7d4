import BluethroatBluetoothValues
import BluethroatVirtualTime
import Testing

@testable import BluethroatRadioMedium

@Suite("Collisions are counted")
struct CollisionTests {
    /// Two frames on channels of their own, and what the radio beside the first sender makes of the first one; it may move
    /// between their beginnings.
    private func meeting(
        channels: (UInt8, UInt8) = (37, 37),
        second delay: TimeSpan,
        distance: Double = 1,
        movingTo place: Double? = nil
    ) throws -> (Collisions, [Delivery]) {
        var medium = Medium(seed: 1, propagation: Propagation(shadowing: 0))
        let one = medium.addRadio(at: .origin), other = medium.addRadio(at: .metres(x: 1 + distance))
        let receiver = medium.addRadio(at: .metres(x: 1))
        let channel = try #require(ChannelIndex(channels.0)), otherChannel = try #require(ChannelIndex(channels.1))
        _ = medium.listen(receiver, on: channel, phy: .le1M, syncWord: 1, from: .zero, until: .zero + .seconds(1))
        let start = Instant.zero + .milliseconds(1)
        var deliveries: [Delivery] = []
        let first = medium.begin(.usual(from: one, on: channel, at: start))
        if delay >= .microseconds(376) { _ = medium.end(first, into: &deliveries) }
        if let place { medium.move(receiver, to: .metres(x: place)) }
        let second = medium.begin(.usual(from: other, on: otherChannel, at: start + delay))
        if delay < .microseconds(376) { _ = medium.end(first, into: &deliveries) }
        var rest: [Delivery] = []
        _ = medium.end(second, into: &rest)
        return (medium.collisions, deliveries)
    }

    @Test("A frame that another one spoils is a frame that met another, and both are receptions that were lost")
    func spoilt() throws {
        let (collisions, deliveries) = try meeting(second: .microseconds(100))
        #expect(collisions.frames == 1 && collisions.receptions == 2)
        #expect(deliveries.map(\.isDamaged) == [true])
    }

    @Test(
        "Whether a frame is spoilt is a matter of where its receiver is when the other one begins",
        arguments: [(nil, false), (1, false), (299, true)] as [(Double?, Bool)]
    )
    func moved(place: Double?, isSpoilt: Bool) throws {
        let (collisions, deliveries) = try meeting(second: .microseconds(100), distance: 299, movingTo: place)
        // The second one is not heard where the receiver is near the first, and missed where it is near that one alone.
        #expect(collisions.receptions == (isSpoilt ? 2 : 0))
        #expect(deliveries.map(\.isDamaged) == [isSpoilt])
    }

    @Test("On another channel, or one after the other, frames do not meet")
    func apart() throws {
        for (channels, delay) in [((37, 38), TimeSpan.microseconds(100)), ((37, 37), .microseconds(400))]
            as [((UInt8, UInt8), TimeSpan)]
        {
            let (collisions, deliveries) = try meeting(channels: channels, second: delay)
            #expect(collisions == Collisions() && deliveries.map(\.isDamaged) == [false])
        }
    }

    @Test(
        "A radio that begins to listen while two frames can be caught receives the first, in whatever order they were put on the air",
        arguments: [([0, 1], false), ([0, 1], true), ([1, 0], true)]
    )
    func twoThatCanBeCaught(order: [Int], isLate: Bool) {
        var medium = Medium(seed: 1, propagation: Propagation(shadowing: 0))
        let far = medium.addRadio(at: .metres(x: 20)), near = medium.addRadio(at: .metres(x: 1))
        let receiver = medium.addRadio(at: .origin)
        let channel = ChannelIndex.advertising[0]
        let frames = [
            Transmission.usual(from: far, on: channel, at: .zero),
            .usual(from: near, on: channel, at: .zero + .microseconds(4)),
        ]
        let ids = order.map { isLate ? medium.join(frames[$0]) : medium.begin(frames[$0]) }
        let since = Instant.zero + .microseconds(6), until = Instant.zero + .seconds(1)
        _ = medium.listen(receiver, on: channel, phy: .le1M, syncWord: 1, from: since, until: until)
        var deliveries: [Delivery] = []
        for frame in 0..<2 { _ = medium.end(ids[order.firstIndex(of: frame)!], into: &deliveries) }
        #expect(deliveries.map(\.isDamaged) == [true])
        #expect(deliveries.first?.reception.start == .zero)
    }

    @Test("A frame from far away meets the other one, spoils nothing, and is missed itself")
    func captured() throws {
        let (collisions, deliveries) = try meeting(second: .microseconds(100), distance: 50)
        #expect(collisions.frames == 1 && collisions.receptions == 1 && deliveries.map(\.isDamaged) == [false])
    }
}
