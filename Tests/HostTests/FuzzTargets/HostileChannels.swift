import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatHost

/// A peer that knows the commands of the signalling channel and none of its rules, and an application that does all that
/// may be done.
struct HostileChannels {
    private var bench: ChannelBench
    private(set) var told: [String: Int] = [:]
    private var wishes: [ChannelRequestID] = []
    private var opened: [L2CAPChannelID] = []

    init() throws {
        bench = ChannelBench { $0.maximumChannels = 12 }
        try bench.listen(
            0x80,
            ChannelListenerOptions(channel: ChannelOptions(mtu: 300, mps: 100, window: 4, sendBuffer: 1_000))
        )
        try bench.listen(
            0x81,
            ChannelListenerOptions(
                channel: ChannelOptions(mtu: 300, mps: 100, window: 4, crediting: .whenConsumed, sendBuffer: 1_000),
                asks: true
            )
        )
    }

    mutating func step(_ random: inout FuzzInput) {
        switch random.next(below: 8) {
        case 0...3:
            let bytes = Self.command(&random, opened)
            bench.bench.receiveFrame(bytes, channel: 0x0005, on: bench.connection)
        case 4, 5:
            let number = UInt16(0x40 + random.next(below: 16))
            let frame = Self.frame(&random)
            bench.bench.receiveFrame(frame, channel: number, on: bench.connection)
        default: Self.order(&bench, &random, wishes, opened)
        }
        if random.next(below: 2) == 0 { bench.complete(Int(random.next(below: 12))) }
        if random.next(below: 50) == 0 { bench.bench.run(for: .seconds(Int64(random.next(below: 8)))) }
        for event in bench.events() {
            told[event.name, default: 0] += 1
            switch event {
            case .requested(let request): wishes = wishes.suffix(20) + [request.id]
            case .opened(let channel): opened = opened.suffix(20) + [channel.id]
            default: break
            }
        }
        bench.bench.controller.forget()
    }

    /// What is held has its bounds.
    func check() {
        let set = bench.host.core.links[0].l2cap.channels
        hold(set.channels.count <= 12 && set.requests.count <= 8, "\(set.channels.count) channels")
        for channel in set.channels {
            hold(channel.sender.queuedBytes <= 1_000 + 0xFFFF, "\(channel.sender.queuedBytes) bytes wait")
            hold((0...0xFFFF).contains(channel.sender.credits), "\(channel.sender.credits) credits")
            hold((0...32).contains(channel.receiver.credits), "\(channel.receiver.credits) credits")
        }
        hold(
            bench.host.core.links[0].l2cap.outgoing.count <= 256,
            "\(bench.host.core.links[0].l2cap.outgoing.count) packets"
        )
        hold(bench.host.core.links[0].l2cap.inFlight <= 12, "\(bench.host.core.links[0].l2cap.inFlight) packets")
    }

    /// The peer keeps the rules again, and so a channel opens.
    mutating func checkWorks() {
        for number in 0x40..<0x80 as Range<UInt16> {
            if let index = bench.host.core.links[0].l2cap.channels.index(of: number) {
                let ends = bench.host.core.links[0].l2cap.channels.channels[index].ends
                bench.peer(
                    Self.hex(.disconnectionRequest(ChannelEnds(destination: ends.source, source: ends.destination)))
                )
            }
            bench.complete(12)
        }
        bench.bench.run(for: .seconds(200))
        bench.complete(12)
        bench.peer("1401 0A00 8000 7700 0002 6400 0500")
        hold(bench.events().last?.name == "opened", "no channel opens")
    }

    static func hex(_ pdu: SignallingPDU) -> String {
        var bytes: [UInt8] = []
        pdu.write(identifier: 0x33, to: &bytes)
        return bytes.hex
    }

    /// Any of the commands, with numbers that mean something now and then; sometimes spoilt.
    static func command(_ random: inout FuzzInput, _ opened: [L2CAPChannelID]) -> [UInt8] {
        func number(_ random: inout FuzzInput) -> UInt16 {
            random.next(below: 8) == 0 ? UInt16(random.next(below: 0x1_0000)) : UInt16(0x40 + random.next(below: 16))
        }
        func length(_ random: inout FuzzInput) -> UInt16 {
            switch random.next(below: 8) {
            case 0: UInt16(random.next(below: 0x1_0000))
            case 1: UInt16(20 + random.next(below: 6))
            default: UInt16(64 + random.next(below: 400))
            }
        }
        func numbers(_ random: inout FuzzInput) -> [UInt16] {
            (0..<random.next(below: 6)).map { _ in number(&random) }
        }
        let spsm = UInt16(0x80 + random.next(below: 3))
        let credits = random.next(below: 4) == 0 ? UInt16(random.next(below: 0x1_0000)) : UInt16(random.next(below: 10))
        let result = random.next(below: 2) == 0 ? 0 : UInt16(random.next(below: 0x12))
        let pdu: SignallingPDU
        switch random.next(below: 11) {
        case 0:
            pdu = .connectionRequest(
                CreditBasedConnectionRequest(
                    spsm: spsm,
                    sourceChannel: number(&random),
                    mtu: length(&random),
                    mps: length(&random),
                    initialCredits: credits
                )
            )
        case 1, 2:
            pdu = .connectionResponse(
                CreditBasedConnectionResponse(
                    destinationChannel: number(&random),
                    mtu: length(&random),
                    mps: length(&random),
                    initialCredits: credits,
                    result: result
                )
            )
        case 3, 4: pdu = .flowControlCredit(FlowControlCredit(channel: number(&random), credits: credits))
        case 5:
            pdu = .enhancedConnectionRequest(
                EnhancedConnectionRequest(
                    spsm: spsm,
                    mtu: length(&random),
                    mps: length(&random),
                    initialCredits: credits,
                    sourceChannels: numbers(&random)
                )
            )
        case 6:
            pdu = .enhancedConnectionResponse(
                EnhancedConnectionResponse(
                    mtu: length(&random),
                    mps: length(&random),
                    initialCredits: credits,
                    result: result,
                    destinationChannels: numbers(&random)
                )
            )
        case 7:
            pdu = .reconfigureRequest(
                ReconfigureRequest(
                    mtu: 0xFF00 | UInt16(random.next(below: 256)),
                    mps: length(&random),
                    channels: [number(&random)]
                )
            )
        case 8: pdu = .reconfigureResponse(ReconfigureResponse(result: result))
        case 9: pdu = .disconnectionRequest(ChannelEnds(destination: number(&random), source: number(&random)))
        default: pdu = .disconnectionResponse(ChannelEnds(destination: number(&random), source: number(&random)))
        }
        var bytes: [UInt8] = []
        pdu.write(identifier: UInt8(random.next(below: 256)), to: &bytes)
        if random.next(below: 16) == 0 {
            bytes[Int(random.next(below: UInt64(bytes.count)))] = UInt8(random.next(below: 256))
        }
        if random.next(below: 16) == 0 { bytes = Array(bytes.prefix(Int(random.next(below: 24)))) }
        if random.next(below: 16) == 0 { bytes.append(0) }
        return bytes
    }

    static func frame(_ random: inout FuzzInput) -> [UInt8] {
        var bytes: [UInt8] = []
        let length = Int(random.next(below: random.next(below: 20) == 0 ? 400 : 20))
        bytes.appendUInt16(random.next(below: 8) == 0 ? UInt16(random.next(below: 0x1_0000)) : UInt16(length))
        bytes += (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        return random.next(below: 16) == 0 ? [] : bytes
    }

    /// Something that an application may do.
    private static func order(
        _ bench: inout ChannelBench,
        _ random: inout FuzzInput,
        _ wishes: [ChannelRequestID],
        _ opened: [L2CAPChannelID]
    ) {
        let connection = bench.connection
        guard let spsm = SPSM(rawValue: 0x80) else { return }
        let id = opened.isEmpty ? nil : opened[Int(random.next(below: UInt64(opened.count)))]
        let choice = random.next(below: 8)
        let length = Int(random.next(below: 200))
        let isRefused = random.next(below: 3) == 0
        try? bench.bench.order { host, now, actions throws(OrderError) in
            switch (choice, id) {
            case (0, _): try host.openChannel(connection, to: spsm, at: now, into: &actions)
            case (1, _): try host.openChannels(2, connection, to: spsm, at: now, into: &actions)
            case (2, _):
                guard let wish = wishes.last else { return }
                host.answer(wish, refusing: isRefused ? .noResources : nil, at: now, into: &actions)
            case (3, let id?): try host.closeChannel(id, discarding: isRefused, at: now, into: &actions)
            case (4, let id?): host.consume(1, of: id, at: now, into: &actions)
            case (5, let id?): try host.reconfigure([id], mtu: 300 + length, mps: 100, at: now, into: &actions)
            case (_, let id?): _ = try host.send([UInt8](repeating: 1, count: length), on: id, at: now, into: &actions)
            default: break
            }
        }
    }
}
