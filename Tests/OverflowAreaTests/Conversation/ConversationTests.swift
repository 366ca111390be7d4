import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatOverflowArea

/// One side against a partner that is played here, frame by frame.
@Suite("One side of a conversation")
struct ConversationTests {
    private static let phone = UUID(), copy = UUID()

    /// Number 1, session 50, talks to number 2, which this test plays, with session 9.
    private struct Scene {
        var side = Conversation(1, with: 2, session: 50)
        var now = 0.0

        mutating func hear(
            _ content: ConversationFrame.Content,
            wanted: UInt8 = 0,
            from sender: UInt8 = 2,
            to receiver: UInt8 = 1,
            phone: UUID = ConversationTests.phone
        ) -> [Conversation.Event] {
            now += 1
            return side.hear(
                ConversationFrame(from: sender, to: receiver, content, wanted: wanted),
                from: phone,
                at: now
            )
        }

        mutating func send(_ message: [UInt8]) -> Bool { side.send(message, at: now) }

        var content: ConversationFrame.Content { side.frame.content }

        /// In a conversation that is open.
        static func open() -> Self {
            var scene = Self()
            _ = scene.hear(.opening(own: 9, partner: 50))
            _ = scene.hear(.quiet(own: 9, partner: 50))
            return scene
        }
    }

    //   it (session 50)              partner (session 9)
    //     opening 50, 0      →
    //                        ←      opening 9, 0
    //     opening 50, 9      →
    //                        ←      opening 9, 50
    //     quiet 50, 9        →
    //                        ←      quiet 9, 50
    @Test("It opens when both know both sessions, and each knows that the other does")
    func opening() {
        var scene = Scene()
        #expect(scene.content == .opening(own: 50, partner: 0) && scene.side.nextDeadline == nil)
        #expect(scene.hear(.piece(0, [1], isLast: true)).isEmpty && scene.hear(.quiet(own: 9, partner: 49)).isEmpty)
        #expect(scene.hear(.opening(own: 9, partner: 0)).isEmpty)
        #expect(scene.content == .opening(own: 50, partner: 9))
        #expect(scene.hear(.opening(own: 9, partner: 50)).isEmpty)
        #expect(scene.content == .quiet(own: 50, partner: 9) && scene.side.state == .answered(9))
        #expect(scene.hear(.opening(own: 9, partner: 50)).isEmpty && scene.hear(.opening(own: 9, partner: 0)).isEmpty)
        #expect(scene.hear(.quiet(own: 9, partner: 50)) == [.opened])
        #expect(scene.side.state == .open(9))
    }

    @Test("A first piece says as well that the partner is open")
    func openingByPiece() {
        var scene = Scene()
        _ = scene.hear(.opening(own: 9, partner: 50))
        #expect(scene.hear(.piece(0, [1, 2], isLast: true)) == [.opened, .received([1, 2])])
        #expect(scene.side.frame.wanted == 1)
    }

    @Test("A message goes in pieces of two bytes, the next one when the last one is acknowledged")
    func sending() {
        var scene = Scene.open()
        #expect(
            !scene.send([]) && !scene.send(Array(repeating: 0, count: 1_025))
                && scene.content == .quiet(own: 50, partner: 9)
        )
        #expect(scene.send([1, 2, 3]) && scene.send([4, 5]))
        #expect(scene.content == .piece(0, [1, 2], isLast: false))
        // Not yet, and what was never sent.
        for wanted in [0, 2, 7] as [UInt8] { #expect(scene.hear(.quiet(own: 9, partner: 50), wanted: wanted).isEmpty) }
        #expect(scene.content == .piece(0, [1, 2], isLast: false))
        #expect(scene.hear(.quiet(own: 9, partner: 50), wanted: 1).isEmpty)
        #expect(scene.content == .piece(1, [3], isLast: true))
        #expect(scene.hear(.piece(0, [7], isLast: true), wanted: 2) == [.delivered([1, 2, 3]), .received([7])])
        #expect(scene.content == .piece(2, [4, 5], isLast: true) && scene.side.frame.wanted == 1)
        #expect(scene.hear(.quiet(own: 9, partner: 50), wanted: 3) == [.delivered([4, 5])])
        #expect(scene.content == .quiet(own: 50, partner: 9) && scene.side.deliveredCount == 5)
    }

    @Test(
        "A piece that is repeated, or comes before its turn or late, is not taken; the one that is wanted is said again"
    )
    func order() {
        var scene = Scene.open()
        #expect(scene.hear(.piece(1, [3, 4], isLast: false)).isEmpty && scene.side.frame.wanted == 0)
        #expect(scene.hear(.piece(0, [1, 2], isLast: false)).isEmpty && scene.side.frame.wanted == 1)
        for _ in 0..<3 {
            #expect(scene.hear(.piece(0, [1, 2], isLast: false)).isEmpty && scene.side.frame.wanted == 1)
        }
        for late in [2, 3, 4, 5, 6, 7] as [UInt8] {
            #expect(scene.hear(.piece(late, [9], isLast: true)).isEmpty && scene.side.frame.wanted == 1)
        }
        #expect(scene.hear(.piece(1, [3, 4], isLast: true)) == [.received([1, 2, 3, 4])])
    }

    @Test("Frames of third phones, to third phones, and of one that has the partner's number count for nothing")
    func others() {
        var scene = Scene.open()
        _ = scene.send([1, 2, 3])
        let before = scene.side
        _ = scene.hear(.quiet(own: 9, partner: 50), wanted: 1, from: 3)
        _ = scene.hear(.quiet(own: 9, partner: 50), wanted: 1, to: 3)
        _ = scene.hear(.quiet(own: 9, partner: 50), wanted: 1, phone: Self.copy)
        _ = scene.hear(.opening(own: 77, partner: 0), phone: Self.copy)
        #expect(scene.side == before)
    }

    //   it (session 50)              partner, anew (session 10)
    //                        ←      opening 10, 0
    //     opening 51, 10     →
    //                        ←      opening 10, 51
    //     quiet 51, 10       →
    //                        ←      quiet 10, 51
    //     piece 0            →
    @Test(
        "With a partner that begins anew it begins anew, and sends the message that was not delivered from its first byte"
    )
    func partnerAnew() {
        var scene = Scene.open()
        _ = scene.send([1, 2, 3])
        _ = scene.hear(.piece(0, [8, 8], isLast: false), wanted: 1)
        #expect(scene.hear(.opening(own: 10, partner: 0)) == [.restarted])
        #expect(scene.content == .opening(own: 51, partner: 10) && scene.side.frame.wanted == 0)
        #expect(scene.hear(.piece(1, [8], isLast: true)).isEmpty)
        _ = scene.hear(.opening(own: 10, partner: 51))
        #expect(scene.hear(.quiet(own: 10, partner: 51)) == [.opened])
        #expect(scene.content == .piece(0, [1, 2], isLast: false))
        #expect(scene.hear(.piece(0, [6], isLast: true)) == [.received([6])])
    }

    @Test("A partner that is silent for too long is told of; messages wait, and another phone may have its number then")
    func silence() {
        var scene = Scene.open()
        _ = scene.send([1, 2, 3])
        #expect(scene.side.nextDeadline == 152 && scene.side.expire(at: 151).isEmpty)
        #expect(scene.side.expire(at: 152) == [.silent])
        #expect(scene.side.nextDeadline == nil && scene.side.waiting == [[1, 2, 3]])
        #expect(scene.content == .opening(own: 51, partner: 0))
        _ = scene.hear(.opening(own: 20, partner: 51), phone: Self.copy)
        #expect(scene.hear(.quiet(own: 20, partner: 51), phone: Self.copy) == [.opened])
        #expect(scene.content == .piece(0, [1, 2], isLast: false))
    }

    @Test("A message without an end is not kept")
    func endless() {
        var scene = Scene.open()
        var events: [Conversation.Event] = []
        for piece in 0..<512 { events += scene.hear(.piece(UInt8(piece % 8), [0, 0], isLast: false)) }
        #expect(events == [.restarted] && scene.side.state == .opening(nil))
    }

    @Test("Every frame is four bytes that say the same, and any four bytes are a frame of these or none")
    func frames() throws {
        var count = 0
        for second in UInt8.min...UInt8.max {
            for (third, fourth) in [(0, 0), (5, 0), (0, 5), (5, 6)] as [(UInt8, UInt8)] {
                guard let frame = ConversationFrame([0x12, second, third, fourth]) else { continue }
                count += 1
                #expect(frame.bytes == [0x12, second, third, fourth] && frame.sender == 1 && frame.receiver == 2)
            }
        }
        // Kinds 1 with an empty last byte, 2 and 3 with any; and of kind 0 sessions that are there.
        #expect(count == 64 * (2 + 4 + 4) + 8 + 2)
        for bytes in [[], [0x12, 1, 1], [0x11, 1, 1, 0], [0x12, 1, 1, 0, 0]] as [[UInt8]] {
            #expect(ConversationFrame(bytes) == nil)
        }
    }

    /// Two sides, and between them an air that loses frames, repeats them and brings late what was sent before.
    @Test("Over a bad air each message arrives once and in order", arguments: 1...40 as ClosedRange<UInt64>)
    func badAir(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "bad air")
        let phones = [UUID(), UUID()]
        var sides = [Conversation(0, with: 1, session: 3), Conversation(1, with: 0, session: 200)]
        var sent: [[[UInt8]]] = [[], []], received: [[[UInt8]]] = [[], []], delivered: [[[UInt8]]] = [[], []]
        for side in 0..<2 {
            for _ in 0..<3 {
                let message = random.bytes(Int(1 + random.next(below: 30)))
                sent[side].append(message)
                let isTaken = sides[side].send(message, at: 0)
                #expect(isTaken)
            }
        }
        // What each has sent, the latest last.
        var air = sides.map { [$0.frame] }
        var steps = 0
        while delivered != sent, steps < 10_000 {
            steps += 1
            let listener = Int(random.next(below: 2))
            // A third is lost; what comes is one of the last four frames, most often the last.
            guard random.next(below: 3) > 0 else { continue }
            let age = random.next(below: 2) == 0 ? 0 : Int(random.next(below: 4))
            let frames = air[1 - listener]
            let frame = frames[max(0, frames.count - 1 - age)]
            for event in sides[listener].hear(frame, from: phones[1 - listener], at: Double(steps) / 100) {
                switch event {
                case .received(let message): received[listener].append(message)
                case .delivered(let message): delivered[listener].append(message)
                case .opened: break
                case .restarted, .silent: Issue.record("seed \(seed): \(event)")
                }
            }
            if sides[listener].frame != air[listener].last { air[listener].append(sides[listener].frame) }
        }
        #expect(delivered == sent && received == sent.reversed(), "seed \(seed) after \(steps) steps")
    }

    /// Bytes of any kind, most of them from the partner's number, of which some are from strangers' phones.
    @Test("Whatever comes, it goes on, and keeps no more than a message", arguments: 1...20 as ClosedRange<UInt64>)
    func hostileAir(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "hostile air")
        var side = Conversation(1, with: 2, session: UInt8(1 + random.next(below: 255)))
        var now = 0.0
        for step in 0..<5_000 {
            // Now and then nobody is heard for so long that the partner has gone.
            now += random.next(below: 500) == 0 ? 200 : 0.1
            if random.next(below: 20) == 0 { _ = side.expire(at: now) }
            if side.waiting.count < 2, random.next(below: 50) == 0 {
                let isTaken = side.send(random.bytes(Int(1 + random.next(below: 1_024))), at: now)
                #expect(isTaken)
            }
            var bytes = random.bytes(random.next(below: 50) == 0 ? Int(random.next(below: 24)) : 4)
            if bytes.count == 4, random.next(below: 8) > 0 { bytes[0] = 0x21 }
            // Mostly what its state wants to hear, so that it comes far.
            if bytes.count == 4, random.next(below: 10) > 0 { bytes = answer(to: side, random.bytes(4)) }
            guard let frame = ConversationFrame(bytes) else { continue }
            let phone = random.next(below: 10) > 0 ? Self.phone : Self.copy
            var longest = 1
            for event in side.hear(frame, from: phone, at: now) {
                if case .received(let message) = event { longest = message.count }
            }
            let arrived = Mirror(reflecting: side).children.first { $0.label == "arrived" }?.value as? [UInt8]
            // An expectation for each step would take longer than all the rest.
            guard ConversationFrame(frame.bytes) == frame, ConversationFrame(side.frame.bytes) == side.frame,
                (1...Conversation.longestMessage).contains(longest),
                let arrived, arrived.count < Conversation.longestMessage
            else {
                Issue.record("seed \(seed), step \(step): \(bytes) has led to \(side)")
                return
            }
        }
    }

    /// A frame of the partner's that goes on where a side is, with data and an acknowledgement of anything.
    private func answer(to side: Conversation, _ data: [UInt8]) -> [UInt8] {
        let kind: UInt8
        switch (side.state, side.frame.content) {
        case (.opening, .opening(let session, _)): return [0x21, 7 << 5, 9, data[0] & 1 == 0 ? session : 0]
        case (.answered(let other), .quiet(let session, _)): return [0x21, 0, other, session]
        // The last piece is rare, so that there are messages that are too long.
        default: kind = data[0] < 2 && data[3] < 64 ? 2 : 3
        }
        return [0x21, side.frame.wanted << 5 | (data[1] & 7) << 2 | kind, data[2], data[3]]
    }
}
