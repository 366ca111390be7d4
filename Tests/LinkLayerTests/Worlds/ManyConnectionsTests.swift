import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatRadioMedium
import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatLinkLayer

/// One controller in the middle of many: its one radio is shared so that nobody starves.
@Suite("Many connections")
struct ManyConnectionsTests {
    private func disconnections(_ air: ControllerAir, _ index: Int) -> [ControllerError] {
        air.takeEvents(at: index) { event in
            if case .disconnectionComplete(let complete) = event { complete.reason } else { nil }
        }
    }

    /// Sends one packet over each connection in both directions and expects all to arrive.
    private func expectTraffic(
        _ air: ControllerAir,
        _ links: [(index: Int, hub: ConnectionHandle, other: ConnectionHandle)],
        within span: TimeSpan,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        // The hub has room for twelve packets at a time.
        for start in stride(from: 0, to: links.count, by: 12) {
            let some = links[start..<min(start + 12, links.count)]
            for link in some {
                air.send([2, UInt8(link.hub.rawValue), 0, 1, 0, UInt8(link.index)], to: 0)
                air.send([2, UInt8(link.other.rawValue), 0, 1, 0, UInt8(link.index)], to: link.index)
            }
            air.run(for: span)
            let atHub = air.takeData(at: 0).map { $0[5] }.sorted()
            #expect(atHub == some.map { UInt8($0.index) }.sorted(), sourceLocation: sourceLocation)
            for link in some {
                #expect(
                    air.takeData(at: link.index).map { $0[5] } == [UInt8(link.index)],
                    sourceLocation: sourceLocation
                )
            }
        }
    }

    @Test(
        "Thirty-two connections as central last, carry data, and leave room for advertising and scanning",
        arguments: [40, 80] as [UInt16]
    )
    func central(intervalSteps: UInt16) throws {
        let air = ControllerAir(seed: 1)
        air.add()
        var links: [(index: Int, hub: ConnectionHandle, other: ConnectionHandle)] = []
        for number in 1...32 {
            let drift = try #require(ClockDrift(partsPerMillion: Int64(number % 7) * 10 - 30))
            let index = air.add(at: .metres(x: Double(number) / 10), drift: drift)
            let handles = try air.connect(0, to: index, intervalSteps: intervalSteps, timeoutSteps: 200)
            links.append((index, handles.central, handles.peripheral))
        }
        air.run(for: .seconds(30))
        #expect(disconnections(air, 0).isEmpty)
        expectTraffic(air, links, within: .seconds(1))

        // Now it advertises and scans as well.
        let scanner = air.add(), advertiser = air.add()
        let nonConnectable = LESetAdvertisingParameters(
            minimumInterval: 0xA0,
            maximumInterval: 0xA0,
            type: .nonConnectable
        )
        for index in [0, advertiser] {
            try air.succeed(.leSetAdvertisingParameters(nonConnectable), at: index)
            try air.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)), at: index)
        }
        for index in [0, scanner] {
            try air.succeed(.leSetScanParameters(LESetScanParameters(interval: 0x60, window: 0x60)), at: index)
            try air.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: true)), at: index)
        }
        air.run(for: .seconds(20))
        let heard = [0, scanner].map { index in
            air.takeEvents(at: index) { event -> Bool? in
                guard case .leAdvertisingReport(let report) = event else { return nil }
                return report.reports[0].peer.address == ControllerAir.address(index == 0 ? advertiser : 0)
            }.filter { $0 }.count
        }
        // 200 events on each side.
        #expect(heard[0] > 20, "the hub hears \(heard[0])")
        #expect(heard[1] > 100, "the hub is heard \(heard[1]) times")
        #expect(disconnections(air, 0).isEmpty)
        expectTraffic(air, links, within: .seconds(1))
    }

    @Test("Sixteen connections as central and sixteen as peripheral at once, of all kinds of pace")
    func bothRoles() throws {
        let air = ControllerAir(seed: 2)
        air.add()
        var links: [(index: Int, hub: ConnectionHandle, other: ConnectionHandle)] = []
        for number in 1...32 {
            let drift = try #require(ClockDrift(partsPerMillion: Int64(number % 9) * 10 - 40))
            let index = air.add(at: .metres(x: 0, y: Double(number) / 10), drift: drift)
            let interval = UInt16(80 + 10 * (number % 5))
            if number % 2 == 0 {
                let handles = try air.connect(0, to: index, intervalSteps: interval, timeoutSteps: 300)
                links.append((index, handles.central, handles.peripheral))
            } else {
                let handles = try air.connect(index, to: 0, intervalSteps: interval, timeoutSteps: 300)
                links.append((index, handles.peripheral, handles.central))
            }
        }
        air.run(for: .seconds(60))
        #expect(disconnections(air, 0).isEmpty)
        for link in links { #expect(disconnections(air, link.index).isEmpty) }
        expectTraffic(air, links, within: .seconds(3))
        air.stations[0].controller.checkInvariants()
        // All of them end in good order, and there is room for others.
        for link in links { try air.succeed(.disconnect(Disconnect(connection: link.hub)), at: 0) }
        air.run(for: .seconds(5))
        #expect(disconnections(air, 0).count == 32)
        #expect(air.stations[0].controller.connectionCount == 0)
        _ = try air.connect(0, to: 1)
    }

    @Test(
        "Two connections whose events always meet take turns",
        arguments: [24] + (Effort.isWhole ? [100] : []) as [UInt16]
    )
    func collision(intervalSteps: UInt16) throws {
        // Two centrals of the same pace whose clocks differ: their anchors pass through each other, very slowly.
        let air = ControllerAir(seed: 3)
        air.add()
        let fast = air.add(drift: try #require(ClockDrift(partsPerMillion: 20)))
        let slow = air.add(drift: try #require(ClockDrift(partsPerMillion: -20)))
        _ = try air.connect(fast, to: 0, intervalSteps: intervalSteps, timeoutSteps: 200)
        _ = try air.connect(slow, to: 0, intervalSteps: intervalSteps, timeoutSteps: 200)
        // 40 ppm are 1 s in 25 000 s; an interval of 30 ms is gone through in 750 s, of 125 ms in 3125 s.
        air.run(for: .seconds(intervalSteps == 24 ? 800 : 3_200))
        for index in 0..<3 { #expect(disconnections(air, index).isEmpty) }
    }

    @Test("A peer that is gone costs the others nothing but its events, until it is given up")
    func deadPeer() throws {
        let air = ControllerAir(seed: 4)
        air.add()
        var links: [(index: Int, hub: ConnectionHandle, other: ConnectionHandle)] = []
        for _ in 0..<8 {
            let index = air.add()
            let handles = try air.connect(0, to: index, intervalSteps: 6, timeoutSteps: links.isEmpty ? 3_200 : 100)
            links.append((index, handles.central, handles.peripheral))
        }
        air.medium.move(air.stations[1].radio, to: .metres(x: 10_000))
        for _ in 0..<20 {
            air.run(for: .seconds(1))
            expectTraffic(air, Array(links.dropFirst()), within: .milliseconds(500))
        }
        #expect(disconnections(air, 0).isEmpty)
        air.run(for: .seconds(10))
        #expect(disconnections(air, 0) == [.connectionTimeout])
        for link in links.dropFirst() { #expect(disconnections(air, link.index).isEmpty) }
    }

    @Test(
        "A connection that could use all of the radio leaves some to advertising, scanning and a new connection",
        arguments: [ConnectionRole.central, .peripheral],
        [6, 40, 800] as [UInt16]
    )
    func saturated(role: ConnectionRole, intervalSteps: UInt16) throws {
        let air = ControllerAir(seed: 5)
        air.add()
        let busy = air.add(), other = air.add(), third = air.add()
        let handles =
            try role == .central
            ? air.connect(0, to: busy, intervalSteps: intervalSteps, timeoutSteps: 600)
            : air.connect(busy, to: 0, intervalSteps: intervalSteps, timeoutSteps: 600)
        let own = role == .central ? handles.central : handles.peripheral
        var sent = 0, completed = 0
        func keepBusy(_ span: TimeSpan) {
            let end = air.now + span
            while air.now < end {
                completed += air.takeEvents(at: 0) { event -> Int? in
                    guard case .numberOfCompletedPackets(let event) = event else { return nil }
                    return event.completed.reduce(0) { $0 + Int($1.count) }
                }.reduce(0, +)
                while sent - completed < 12 {
                    air.send([2, UInt8(own.rawValue), 0, 27, 0] + [UInt8](repeating: 1, count: 27), to: 0)
                    sent += 1
                }
                air.run(for: .milliseconds(2))
            }
        }
        keepBusy(.seconds(5))
        let alone = completed
        #expect(alone > 2_000, "27 bytes take 0.7 ms")

        let advertising = LESetAdvertisingParameters(minimumInterval: 0xA0, maximumInterval: 0xA0)
        for index in [0, other] {
            try air.succeed(.leSetAdvertisingParameters(advertising), at: index)
            try air.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)), at: index)
        }
        for index in [0, third] {
            try air.succeed(.leSetScanParameters(LESetScanParameters(interval: 0x60, window: 0x60)), at: index)
            try air.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: true)), at: index)
        }
        let seconds = Effort.count(30, usually: 15)
        keepBusy(.seconds(Int64(seconds)))
        let heard = [0, third].map { index in
            air.takeEvents(at: index) { event -> Bool? in
                guard case .leAdvertisingReport(let report) = event else { return nil }
                return report.reports[0].peer.address == ControllerAir.address(index == 0 ? other : 0)
            }.filter { $0 }.count
        }
        #expect(heard[0] > seconds / 15, "the busy one hears \(heard[0])")
        #expect(heard[1] > 2 * seconds, "the busy one is heard \(heard[1]) times")
        // Five seconds before: it is still more than half as fast.
        #expect(completed - alone > seconds / 10 * alone, "\(completed - alone) after \(alone)")

        // A new connection is made beside.
        let command = LECreateConnection(
            scanInterval: 0x60,
            scanWindow: 0x60,
            peer: PeerAddress(ControllerAir.address(other)),
            minimumInterval: 40,
            maximumInterval: 40,
            maximumLatency: 0,
            supervisionTimeout: 600
        )
        try air.succeed(.leCreateConnection(command), at: 0)
        keepBusy(.seconds(20))
        #expect(air.stations[0].controller.connectionCount == 2)
        for index in 0..<3 { #expect(disconnections(air, index).isEmpty) }
    }
}
