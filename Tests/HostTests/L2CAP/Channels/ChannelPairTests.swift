import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("L2CAP channels: two hosts back to back")
struct ChannelPairTests {
    /// One end of the channels, and what it has sent and heard.
    struct Ends {
        var channels: [L2CAPChannelID] = []
        /// What was taken of each channel's SDUs, in order.
        var sent: [[[UInt8]]] = []
        var received: [[[UInt8]]] = []
        var unconsumed: [Int] = []
    }

    @Test(
        "Whatever is sent arrives, whole, in order and once, however little each end takes at a time",
        arguments: 1...24 as ClosedRange<UInt64>
    )
    func delivery(seed: UInt64) throws {
        var random = SeededRandom(seed: seed, purpose: "channel pair")
        func options(_ random: inout SeededRandom) -> ChannelOptions {
            ChannelOptions(
                mtu: 64 + Int(random.next(below: 3_000)),
                mps: 64 + Int(random.next(below: 500)),
                window: 1 + Int(random.next(below: 20)),
                initialCredits: random.next(below: 3) == 0 ? 1 : nil,
                crediting: random.next(below: 2) == 0 ? .automatic : .whenConsumed,
                sendBuffer: 1 + Int(random.next(below: 5_000))
            )
        }
        var pair = HostPair(
            packetLength: UInt16(27 + random.next(below: 300)),
            packetCount: UInt8(1 + random.next(below: 12))
        )
        let connections = try pair.connect()
        let listening = options(&random)
        let spsm = try pair.peripheral.host.listen(ChannelListenerOptions(channel: listening))
        let count = 1 + Int(random.next(below: 5))
        let asking = options(&random)
        try pair.order(\.central) { host, now, actions throws(OrderError) in
            if random.next(below: 2) == 0 {
                try host.openChannels(count, connections.central, to: spsm, asking, at: now, into: &actions)
            } else {
                for _ in 0..<count {
                    try host.openChannel(connections.central, to: spsm, asking, at: now, into: &actions)
                }
            }
        }
        var ends: [WritableKeyPath<HostPair, HostPair.End>: Ends] = [\.central: Ends(), \.peripheral: Ends()]
        let sides: [WritableKeyPath<HostPair, HostPair.End>] = [\.central, \.peripheral]
        func hear(_ pair: inout HostPair) {
            for side in sides {
                for case .channel(let event) in pair.takeEvents(side) {
                    switch event {
                    case .opened(let channel):
                        ends[side]?.channels.append(channel.id)
                        ends[side]?.sent.append([])
                        ends[side]?.received.append([])
                        ends[side]?.unconsumed.append(0)
                    case .received(let id, let sdu):
                        guard let index = ends[side]?.channels.firstIndex(of: id) else { continue }
                        ends[side]?.received[index].append(sdu)
                        ends[side]?.unconsumed[index] += 1
                    case .readyToSend: break
                    default: Issue.record("\(event), seed \(seed)")
                    }
                }
            }
        }
        hear(&pair)
        #expect(ends[\.central]?.channels.count == count && ends[\.peripheral]?.channels.count == count)
        for _ in 0..<300 {
            let side = sides[Int(random.next(below: 2))]
            let index = Int(random.next(below: UInt64(count)))
            guard let id = ends[side]?.channels[index] else { continue }
            if random.next(below: 3) > 0 {
                let most = try #require(pair[keyPath: side].host.channel(id)).peerMTU
                let length = Int(random.next(below: UInt64(most) + 1))
                let sdu = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
                let isTaken = try pair.order(side) { host, now, actions throws(OrderError) in
                    try host.send(sdu, on: id, at: now, into: &actions)
                }
                if isTaken { ends[side]?.sent[index].append(sdu) }
            } else {
                let waiting = ends[side]?.unconsumed[index] ?? 0
                ends[side]?.unconsumed[index] = 0
                pair.order(side) { host, now, actions in host.consume(waiting, of: id, at: now, into: &actions) }
            }
            hear(&pair)
        }
        // Everybody works off what has come until nothing comes any more.
        for _ in 0..<400 {
            for side in sides {
                for id in ends[side]?.channels ?? [] {
                    pair.order(side) { host, now, actions in host.consume(50, of: id, at: now, into: &actions) }
                }
            }
            hear(&pair)
        }
        for side in sides {
            let other = side == \.central ? \HostPair.peripheral : \HostPair.central
            #expect(ends[side]?.sent == ends[other]?.received, "seed \(seed)")
            #expect(ends[side]?.sent.contains { !$0.isEmpty } == true, "seed \(seed)")
            for id in ends[side]?.channels ?? [] {
                #expect(pair[keyPath: side].host.levels(of: id)?.queuedBytes == 0, "seed \(seed)")
            }
        }
    }

    @Test("An end that consumes nothing stops the other, and lets it go on when it does")
    func backPressure() throws {
        var pair = HostPair(packetLength: 251)
        let connections = try pair.connect()
        let options = ChannelOptions(mtu: 500, mps: 100, window: 10, crediting: .whenConsumed, sendBuffer: 2_000)
        let spsm = try pair.peripheral.host.listen(ChannelListenerOptions(channel: options))
        let id = try pair.order(\.central) { host, now, actions throws(OrderError) in
            try host.openChannel(connections.central, to: spsm, options, at: now, into: &actions)
        }
        _ = pair.takeEvents(\.central)
        var taken = 0
        func fill(_ pair: inout HostPair) throws {
            while try pair.order(
                \.central,
                { host, now, actions throws(OrderError) in
                    try host.send([UInt8](repeating: UInt8(taken & 0xFF), count: 98), on: id, at: now, into: &actions)
                }
            ) { taken += 1 }
        }
        try fill(&pair)
        // Ten in the window, and 21 that fill the buffer of 2000 bytes.
        #expect(taken == 31)
        let inbound = pair.takeEvents(\.peripheral)
        guard case .channel(.opened(let far)) = inbound.first else {
            Issue.record("not opened")
            return
        }
        #expect(inbound.count == 11)
        pair.order(\.peripheral) { host, now, actions in host.consume(10, of: far.id, at: now, into: &actions) }
        #expect(pair.takeEvents(\.peripheral).count == 10)
        pair.order(\.peripheral) { host, now, actions in host.consume(10, of: far.id, at: now, into: &actions) }
        #expect(pair.takeEvents(\.central).names == ["channel"])
    }

    @Test("Both ends close at once, and both are done")
    func crossing() throws {
        var pair = HostPair()
        let connections = try pair.connect()
        let spsm = try pair.peripheral.host.listen()
        let near = try pair.order(\.central) { host, now, actions throws(OrderError) in
            try host.openChannel(connections.central, to: spsm, at: now, into: &actions)
        }
        let far = try #require(pair.peripheral.host.channels(of: connections.peripheral).first)
        _ = pair.takeEvents(\.central)
        _ = pair.takeEvents(\.peripheral)
        pair.isOutOfRange = true
        try pair.order(\.central) { host, now, actions throws(OrderError) in
            try host.closeChannel(near, at: now, into: &actions)
        }
        pair.isOutOfRange = false
        try pair.order(\.peripheral) { host, now, actions throws(OrderError) in
            try host.closeChannel(far, at: now, into: &actions)
        }
        pair.run(for: .seconds(6))
        for side in [\HostPair.central, \.peripheral] {
            let reasons = pair.takeEvents(side).map { event -> ChannelCloseReason? in
                if case .channel(let event) = event { event.closeReason } else { nil }
            }
            #expect(reasons == [.closedHere])
        }
    }
}
