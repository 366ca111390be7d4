import BluethroatAppEnvironment
import Foundation
import FuzzInputs

@testable import BluethroatWorkstationLogin

/// Two ends of a pipe, and someone in between who loses, changes, repeats and invents packets.
final class HostilePipe {
    private let time = FuzzedTime()
    private var ends: [FramedPipe] = []
    /// Packets on their way, with the end they go to.
    private var inFlight: [(to: Int, packet: Data)] = []
    private var arrived: [[Data]] = [[], []]
    private var ended = 0
    private var begun = 0
    private var room = 8

    init() {
        for end in 0..<2 {
            let outlet = FramedPipe.Outlet(capacity: { 20 }) { [unowned self] packet in
                guard inFlight.count < room else { return false }
                hold(packet.count <= 20, "a packet of \(packet.count) bytes")
                inFlight.append((1 - end, packet))
                return true
            }
            ends.append(
                FramedPipe(outlet, maximumLength: 200, clock: time.clock, random: .seeded(UInt64(end) + 1))
            )
            ends[end].received = { [unowned self] in arrived[end].append($0) }
        }
    }

    func step(_ input: inout FuzzInput) {
        let end = input.index(2)
        switch input.index(8) {
        case 0:
            guard begun - ended < 8 else { break }
            begun += 1
            ends[end].send(Data(input.bytes(input.index(60)))) { [unowned self] _ in ended += 1 }
        case 1: ends[end].receive(Data(input.bytes(input.index(22))))
        case 2:
            let payload = Data(input.bytes(input.index(16)))
            let frames: [Frame] = [
                .begin(
                    id: UInt32(input.byte()),
                    length: UInt32(input.byte()),
                    digest: Frame.digest(of: payload),
                    payload: payload
                ),
                .more(number: input.byte(), payload: payload + [0]), .received(id: UInt32(input.byte())),
                .refused(id: UInt32(input.byte()), .gap),
            ]
            ends[end].receive(input.pick(frames).packet)
        case 3: time.pass(Double(input.index(12)))
        case 4: room = input.index(9)
        default: carry(&input)
        }
        for end in ends { end.isReady() }
        hold(ended <= begun, "a message ended twice")
        for messages in arrived { for message in messages { hold(message.count <= 200, "a message that is too long") } }
        arrived = [[], []]
    }

    private func carry(_ input: inout FuzzInput) {
        guard !inFlight.isEmpty else { return }
        let (to, packet) = inFlight.removeFirst()
        switch input.index(8) {
        case 0: break
        case 1: ends[to].receive(Data(input.mutate([UInt8](packet))))
        case 2:
            ends[to].receive(packet)
            ends[to].receive(packet)
        default: ends[to].receive(packet)
        }
    }

    /// Left alone, all that was to be sent ends, and the next message arrives.
    func checkWorks() {
        room = .max
        for _ in 0..<80 {
            for end in ends { end.isReady() }
            while !inFlight.isEmpty {
                let (to, packet) = inFlight.removeFirst()
                ends[to].receive(packet)
                for end in ends { end.isReady() }
            }
            time.pass(11)
        }
        hold(ended == begun, "\(begun - ended) messages wait for ever")
        arrived = [[], []]
        ends[0].send(Data([1, 2, 3]))
        while !inFlight.isEmpty {
            let (to, packet) = inFlight.removeFirst()
            ends[to].receive(packet)
        }
        hold(arrived[1] == [Data([1, 2, 3])], "the pipe carries nothing any more")
        for end in ends { end.close() }
    }
}
