import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

@testable import BluethroatLinkLayer

/// Two controllers back to back on a medium.
@Suite("Two controllers on the air")
struct TwoControllersTests {
    private func packet(_ handle: ConnectionHandle, _ number: Int, count: Int = 2) -> [UInt8] {
        let data =
            [UInt8(number & 0xFF), UInt8(number >> 8)] + [UInt8](repeating: UInt8(number & 0xFF), count: count - 2)
        return [2, UInt8(handle.rawValue), 0, UInt8(count), 0] + data
    }

    private func numbers(_ packets: [[UInt8]]) -> [Int] {
        // Continuations have no number of their own.
        packets.filter { $0[2] >> 4 == 2 }.map { Int($0[5]) | Int($0[6]) << 8 }
    }

    @Test(
        "Data arrives in order and once, and every packet is accounted for, through loss and drift",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func data(seed: UInt64) throws {
        var stream = SeededRandom(seed: seed, purpose: "test")
        let air = ControllerAir(seed: seed)
        for sign in [1, -1] as [Int64] {
            air.add(drift: try #require(ClockDrift(partsPerMillion: sign * Int64(stream.next(below: 50)))))
        }
        let handles = try air.connect(0, to: 1, intervalSteps: UInt16(6 + stream.next(below: 30)), timeoutSteps: 600)
        air.medium.setLossEverywhere(.percent(Int32(stream.next(below: 30))))
        let ends = [handles.central, handles.peripheral]
        var sent = [0, 0], completed = [0, 0], received: [[Int]] = [[], []]
        for _ in 0..<6_000 where received.contains(where: { $0.count < 300 }) {
            for index in 0..<2 {
                while sent[index] < 300, sent[index] - completed[index] < 12 {
                    air.send(packet(ends[index], sent[index], count: 2 + Int(stream.next(below: 60))), to: index)
                    sent[index] += 1
                }
            }
            air.run(for: .milliseconds(20))
            for index in 0..<2 {
                received[index] += numbers(air.takeData(at: index))
                completed[index] += air.takeEvents(at: index) { event -> Int? in
                    guard case .numberOfCompletedPackets(let event) = event else { return nil }
                    return event.completed.reduce(0) { $0 + Int($1.count) }
                }.reduce(0, +)
                #expect(completed[index] <= sent[index])
                air.stations[index].controller.checkInvariants()
            }
        }
        air.run(for: .seconds(1))
        #expect(received[0] == Array(0..<300))
        #expect(received[1] == Array(0..<300))
        for station in air.stations {
            #expect(station.controller.bufferedPackets == 0)
            #expect(!station.packets.contains { $0[1] == EventCode.disconnectionComplete.rawValue })
        }
    }

    @Test("Both can be central of one connection and peripheral of another, but not twice with each other")
    func onePair() throws {
        let air = ControllerAir(seed: 1)
        air.add()
        air.add()
        _ = try air.connect(0, to: 1)
        // The other way round, between the same addresses: refused by the host's own controller.
        let command = LECreateConnection(
            peer: PeerAddress(ControllerAir.address(0)),
            minimumInterval: 24,
            maximumInterval: 24,
            maximumLatency: 0,
            supervisionTimeout: 100
        )
        air.send(.leCreateConnection(command), to: 1)
        #expect(air.stations[1].packets.last == [4, 0x0F, 4, 0x0B, 1, 0x0D, 0x20])
    }

    @Test("Each side hears its own reason when one of them ends it")
    func termination() throws {
        for first in 0..<2 {
            let air = ControllerAir(seed: 2)
            air.add()
            air.add()
            let handles = try air.connect(0, to: 1)
            let ends = [handles.central, handles.peripheral]
            try air.succeed(
                .disconnect(Disconnect(connection: ends[first], reason: .remoteDeviceTerminatedPowerOff)),
                at: first
            )
            air.run(for: .seconds(1))
            let reasons = (0..<2).map { index in
                air.takeEvents(at: index) { event -> ControllerError? in
                    if case .disconnectionComplete(let complete) = event { complete.reason } else { nil }
                }
            }
            #expect(reasons[first] == [.connectionTerminatedByLocalHost])
            #expect(reasons[1 - first] == [.remoteDeviceTerminatedPowerOff])
        }
    }

    @Test("Features, version, data length, pace and channels are agreed on at once, asked for by both sides")
    func everythingAtOnce() throws {
        let air = ControllerAir(seed: 3)
        air.add()
        air.add()
        let handles = try air.connect(0, to: 1)
        let ends = [handles.central, handles.peripheral]
        for index in 0..<2 {
            let handle = ends[index]
            try air.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: handle)), at: index)
            try air.succeed(.readRemoteVersionInformation(ReadRemoteVersionInformation(connection: handle)), at: index)
            try air.succeed(
                .leSetDataLength(LESetDataLength(connection: handle, transmitOctets: 251, transmitTime: 2_120)),
                at: index
            )
            try air.succeed(
                .leConnectionUpdate(
                    LEConnectionUpdate(
                        connection: handle,
                        minimumInterval: 40,
                        maximumInterval: 40,
                        maximumLatency: 0,
                        supervisionTimeout: 300
                    )
                ),
                at: index
            )
        }
        try air.succeed(
            .leSetHostChannelClassification(LESetHostChannelClassification(channels: [0x55, 0x55, 0x55, 0x55, 0x15])),
            at: 0
        )
        air.run(for: .seconds(5))
        for index in 0..<2 {
            let events = air.takeEvents(at: index) { $0 }
            func count(_ matches: (BluethroatHCI.Event) -> Bool) -> Int { events.filter(matches).count }
            #expect(
                count {
                    if case .leReadRemoteFeaturesComplete(let event) = $0 { event.status == .success } else { false }
                } == 1
            )
            #expect(
                count {
                    if case .readRemoteVersionInformationComplete(let event) = $0 {
                        event.status == .success
                    } else {
                        false
                    }
                } == 1
            )
            // Each side's own wish, and what the peer's did to it, in one step or two.
            #expect(1...2 ~= count { if case .leDataLengthChange = $0 { true } else { false } })
            #expect(count { if case .leConnectionUpdateComplete = $0 { true } else { false } } >= 1)
            #expect(count { if case .disconnectionComplete = $0 { true } else { false } } == 0)
            let link = try #require(air.stations[index].controller.connections[0])
            #expect(link.connection.parameters.interval.steps == 40)
            #expect(link.connection.schedule.channelMap.count == 19)
            #expect(link.connection.dataLength.effective.maximumTransmitOctets == 251)
            #expect(link.connection.procedures.local == nil && link.connection.procedures.waiting.isEmpty)
        }
    }

    @Test(
        "Clocks as bad as they may be: an hour of a slow connection with latency",
        arguments: [(500, -50), (-500, 50)] as [(Int64, Int64)]
    )
    func worstClocks(central: Int64, peripheral: Int64) throws {
        let air = ControllerAir(seed: 4)
        air.add(drift: try #require(ClockDrift(partsPerMillion: central))) { $0.sleepClockAccuracy = .upTo500 }
        air.add(drift: try #require(ClockDrift(partsPerMillion: peripheral)))
        _ = try air.connect(0, to: 1, intervalSteps: 800, latency: 4, timeoutSteps: 3_200)
        air.run(for: .seconds(3_600))
        for index in 0..<2 {
            let ends = air.takeEvents(at: index) { event -> ControllerError? in
                if case .disconnectionComplete(let complete) = event { complete.reason } else { nil }
            }
            #expect(ends.isEmpty)
        }
    }

    @Test("Clocks worse than they claim lose each other, which shows that the window is no wider than it must be")
    func lyingClock() throws {
        let air = ControllerAir(seed: 5)
        air.add(drift: try #require(ClockDrift(partsPerMillion: 400))) { $0.sleepClockAccuracy = .upTo20 }
        air.add(drift: .none) { $0.sleepClockAccuracy = .upTo20 }
        let command = try air.connect(0, to: 1, intervalSteps: 800, timeoutSteps: 1_000)
        _ = command
        let isLost = air.run(for: .seconds(60)) {
            air.stations[1].packets.contains { $0[1] == EventCode.disconnectionComplete.rawValue }
        }
        #expect(isLost)
    }

    @Test("The same seed gives the same frames, another one others")
    func determinism() throws {
        let count = { (seed: UInt64) throws -> [Int] in
            let air = ControllerAir(seed: seed)
            air.add()
            air.add()
            air.medium.setLossEverywhere(.percent(20))
            _ = try air.connect(0, to: 1)
            air.run(for: .seconds(20))
            return [air.frameCount] + air.stations.flatMap { $0.packets.map(\.count) }
        }
        #expect(try count(7) == count(7))
        #expect(try count(7) != count(8))
    }
}
