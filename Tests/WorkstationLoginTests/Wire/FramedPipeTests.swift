import BluethroatAppEnvironment
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

/// Two ends of a pipe in one place, with somebody in between who may take packets away or change them.
private final class Bench {
    typealias Between = (_ packet: Data, _ number: Int) -> Data?

    private(set) var time = 0.0
    private var calls: [(time: Double, action: () -> Void)] = []
    private(set) var left: FramedPipe!
    private(set) var right: FramedPipe!
    var atLeft: [Data] = [], atRight: [Data] = []
    private(set) var packets: [Data] = []
    private var inFlight: [(toRight: Bool, packet: Data)] = []
    /// How many packets fit in before there is no room.
    var room = Int.max
    var between: Between = { packet, _ in packet }

    init(capacity: Int = 20, maximumLength: Int = 10_000) {
        // One thread has the pair and its clock.
        nonisolated(unsafe) unowned let pair = self
        let clock = AppClock {
            pair.time
        } calling: { seconds, action in
            pair.calls.append((pair.time + seconds, action))
        }
        func outlet(toRight: Bool) -> FramedPipe.Outlet {
            FramedPipe.Outlet(capacity: { capacity }) { [unowned self] packet in
                guard inFlight.count < room else { return false }
                inFlight.append((toRight, packet))
                return true
            }
        }
        left = FramedPipe(outlet(toRight: true), maximumLength: maximumLength, clock: clock, random: .seeded(1))
        right = FramedPipe(outlet(toRight: false), maximumLength: maximumLength, clock: clock, random: .seeded(2))
        left.received = { [unowned self] in atLeft.append($0) }
        right.received = { [unowned self] in atRight.append($0) }
    }

    /// Carries packets until there are none any more.
    func settle() {
        while !inFlight.isEmpty {
            let (toRight, packet) = inFlight.removeFirst()
            packets.append(packet)
            if let packet = between(packet, packets.count - 1) { (toRight ? right : left)!.receive(packet) }
            left.isReady()
            right.isReady()
        }
    }

    func wait(_ seconds: Double) {
        time += seconds
        let due = calls.filter { $0.time <= time }
        calls.removeAll { $0.time <= time }
        for call in due { call.action() }
        settle()
    }
}

@Suite("Whole messages over packets")
struct FramedPipeTests {
    private func message(_ length: Int) -> Data { Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }) }

    @Test("Messages of any length arrive in order, whatever a packet holds", arguments: [18, 20, 182, 512])
    func lengths(capacity: Int) {
        let bench = Bench(capacity: capacity)
        bench.room = 3
        let messages = [0, 1, 2, 3, 4, 20, 21, 4_409].map(message)
        var ends: [FramedPipe.Failure?] = []
        for message in messages {
            bench.left.send(message) { ends.append($0) }
            bench.right.send(message)
        }
        bench.settle()
        #expect(bench.atRight == messages && bench.atLeft == messages)
        #expect(ends.count == messages.count && ends.allSatisfy { $0 == nil })
        #expect(bench.packets.allSatisfy { $0.count <= capacity })
    }

    @Test("A packet that is missing or changed makes the message come again, once each time", arguments: 0..<12)
    func damage(number: Int) {
        for isLost in [true, false] {
            let bench = Bench()
            bench.between = { packet, index in
                guard index == number, packet.first == 1 || packet.first == 2 else { return packet }
                return isLost ? nil : packet.dropLast() + [packet.last! ^ 0x10]
            }
            bench.left.send(message(150))
            bench.left.send(message(3))
            bench.settle()
            // If the first packet or the last is lost the receiver has nothing to complain of.
            bench.wait(11)
            #expect(bench.atRight == [message(150), message(3)])
        }
    }

    @Test("A peer that sends and takes no answers is owed a few of them and no more; one that listens again gets on")
    func unheardAnswers() {
        let bench = Bench()
        bench.room = 0
        for id in 0..<1_000 as Range<UInt32> {
            let text = message(Int(id % 4))
            let frame = Frame.begin(id: id, length: UInt32(text.count), digest: Frame.digest(of: text), payload: text)
            bench.right.receive(frame.packet)
        }
        bench.room = .max
        bench.right.isReady()
        bench.settle()
        // Eight that waited, and the one that there was no room for.
        #expect(bench.atRight.count == 1_000 && bench.packets.count == 9)
        bench.left.send(message(30))
        bench.settle()
        #expect(bench.atRight.last == message(30))
    }

    @Test("A message arrives, though another one has borne its number by a change on the way")
    func changedNumber() {
        let bench = Bench()
        // To the number of the message that follows.
        bench.between = { packet, index in
            index == 0 ? packet.prefix(1) + [packet[1] + 1] + packet.dropFirst(2) : packet
        }
        var ends: [FramedPipe.Failure?] = []
        for length in [3, 2] { bench.left.send(message(length)) { ends.append($0) } }
        bench.settle()
        bench.wait(11)
        // The first was confirmed under another number, and so came once more.
        #expect(bench.atRight == [message(3), message(3), message(2)])
        #expect(ends.count == 2 && ends.allSatisfy { $0 == nil })
    }

    @Test("What arrives damaged again and again is given up after three times")
    func givenUp() {
        let bench = Bench()
        bench.between = { packet, _ in packet.first == 2 ? packet.dropLast() + [packet.last! ^ 1] : packet }
        var end: FramedPipe.Failure??
        bench.left.send(message(100)) { end = $0 }
        bench.settle()
        #expect(end == .some(.refused(.damaged)) && bench.atRight.isEmpty)
        #expect(bench.packets.count(where: { $0.first == 1 }) == 3)
    }

    @Test("Without a confirmation a message is sent three times, and is given to the receiver once")
    func lostConfirmation() {
        let bench = Bench()
        bench.between = { packet, _ in packet.first == 3 ? nil : packet }
        var end: FramedPipe.Failure??
        bench.left.send(message(10)) { end = $0 }
        bench.settle()
        #expect(bench.atRight == [message(10)] && end == nil)
        for _ in 0..<3 { bench.wait(11) }
        #expect(end == .some(.unanswered))
        #expect(bench.packets.count(where: { $0.first == 1 }) == 3)
        #expect(bench.atRight == [message(10)])
    }

    @Test("What is longer than the receiver takes is refused, and nothing of it is kept")
    func tooLong() {
        let bench = Bench(maximumLength: 100)
        var end: FramedPipe.Failure??
        bench.left.send(message(101)) { end = $0 }
        bench.left.send(message(100))
        bench.settle()
        #expect(end == .some(.refused(.tooLong)) && bench.atRight == [message(100)])
    }

    @Test("The end of the link is the end of what waits")
    func closed() {
        let bench = Bench()
        bench.room = 2
        var ends: [FramedPipe.Failure?] = []
        for _ in 0..<3 { bench.left.send(message(100)) { ends.append($0) } }
        bench.left.close()
        #expect(ends == [.closed, .closed, .closed] && bench.left.waitingCount == 0)
    }

    @Test("More than a thousand messages, or eight MiB of them, do not wait: whoever sends is told")
    func full() {
        for (length, most) in [(1, 1_000), (1 << 20, 8)] {
            let bench = Bench(capacity: 512, maximumLength: 1 << 20)
            bench.room = 0
            var ends: [FramedPipe.Failure?] = []
            for _ in 0..<most + 3 { bench.left.send(message(length)) { ends.append($0) } }
            #expect(ends == [.full, .full, .full] && bench.left.waitingCount == most)
            bench.room = .max
            bench.left.isReady()
            bench.settle()
            #expect(bench.atRight.count == most && ends.count == most + 3)
            // There is room again.
            bench.left.send(message(length)) { ends.append($0) }
            bench.settle()
            #expect(ends.last == .some(nil))
        }
    }

    @Test("Arbitrary bytes are no packets, or harmless ones", arguments: 0..<20)
    func hostile(seed: UInt64) {
        let bench = Bench(maximumLength: 1_000)
        let random = RandomBytes.seeded(seed)
        for _ in 0..<2_000 {
            let length = Int(random(1)[0]) % 24
            var packet = random(length)
            if let first = packet.first, first < 200 { packet[0] = first % 6 }
            bench.right.receive(packet)
        }
        bench.settle()
        #expect(bench.atRight.isEmpty)
        bench.left.send(message(500))
        bench.settle()
        #expect(bench.atRight == [message(500)])
    }

    @Test("Each packet can be read back, and its beginnings are none or shorter ones")
    func roundTrip() {
        let frames: [Frame] = [
            .begin(id: 0xDEAD_BEEF, length: 4_409, digest: Data(0..<8), payload: Data([1, 2, 3])),
            .begin(id: 0, length: 0, digest: Data(0..<8), payload: Data()),
            .more(number: 255, payload: Data([9])), .received(id: 1), .refused(id: .max, .gap),
        ]
        for frame in frames {
            #expect(Frame(frame.packet) == frame)
            for length in 0..<frame.packet.count { #expect(Frame(frame.packet.prefix(length)) != frame) }
        }
        #expect(Frame(Data([4, 0, 0, 0, 0, 9])) == nil && Frame(Data([2, 0])) == nil && Frame(Data([7])) == nil)
    }
}
