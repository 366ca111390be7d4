import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// Reset in the middle of everything. Core 6.0, Vol 4, Part E, 7.3.2.
@Suite("Reset")
struct ResetTests {
    /// Nothing is left of what was before: silence on the air, nothing for the host, and all can begin again.
    private func expectFresh(_ bench: Bench, sourceLocation: SourceLocation = #_sourceLocation) throws {
        bench.send([1, 0x03, 0x0C, 0])
        #expect(bench.takePackets() == [[4, 0x0E, 4, 1, 0x03, 0x0C, 0]], sourceLocation: sourceLocation)
        _ = bench.takeFrames()
        #expect(bench.radio.isIdle, sourceLocation: sourceLocation)
        #expect(bench.controller.nextDeadline == nil, sourceLocation: sourceLocation)
        bench.run(for: .seconds(45))
        #expect(bench.takePackets().isEmpty && bench.takeFrames().isEmpty, sourceLocation: sourceLocation)
        let handle = try #require(ConnectionHandle(rawValue: 0))
        #expect(
            try bench.status(of: .readRSSI(ReadRSSI(connection: handle))) == .unknownConnectionIdentifier,
            sourceLocation: sourceLocation
        )
        // LE events are masked again, the random address is gone.
        try bench.succeed(.leSetAdvertisingParameters(LESetAdvertisingParameters(ownAddressType: .random)))
        let enable = Command.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true))
        #expect(try bench.status(of: enable) == .invalidCommandParameters, sourceLocation: sourceLocation)
        try bench.succeed(.leSetAdvertisingParameters(LESetAdvertisingParameters()))
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: true)))
        bench.advertise(.advNonconnInd(advertiser: Bench.testerAddress, data: []))
        #expect(bench.takePackets().isEmpty, sourceLocation: sourceLocation)
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: false)))
        try bench.enableEvents()
        for _ in 0..<2 {
            let link = try bench.connectAsPeripheral()
            try link.idle(events: 3)
            for byte in 0..<12 as Range<UInt8> { bench.send([2, 0, 0, 1, 0, byte]) }
            #expect(bench.takePackets().isEmpty, "all buffers are free", sourceLocation: sourceLocation)
            bench.send([1, 0x03, 0x0C, 0])
            _ = bench.takePackets()
            try bench.enableEvents()
        }
    }

    private func run(_ bench: Bench, until condition: (RadioState) -> Bool) {
        bench.run(for: .seconds(2)) { condition(bench.radio) }
    }

    @Test("While advertising: in a frame, listening for requests, between frames", arguments: 0..<3)
    func advertising(phase: Int) throws {
        let bench = try Bench()
        let address = DeviceAddress(value: 0xC0DE_0000_0001, kind: .random)
        try bench.succeed(.leSetRandomAddress(LESetRandomAddress(address: address)))
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
        switch phase {
        case 0: run(bench) { if case .transmitting = $0 { true } else { false } }
        case 1: run(bench) { if case .listening = $0 { true } else { false } }
        default: break
        }
        try expectFresh(bench)
    }

    @Test("While scanning: listening, about to ask, asking, waiting for the answer", arguments: 0..<4)
    func scanning(phase: Int) throws {
        let bench = try Bench()
        try bench.succeed(.leSetScanParameters(LESetScanParameters(isActive: true)))
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: true)))
        if phase > 0 {
            bench.advertise(.advInd(advertiser: Bench.testerAddress, data: [], supportsChannelSelection2: true))
            _ = bench.takePackets()
        }
        bench.run(for: [.zero, .zero, .microseconds(200), .microseconds(150 + 176 + 50)][phase])
        try expectFresh(bench)
    }

    @Test("While initiating: listening, about to connect, in the request", arguments: 0..<3)
    func initiating(phase: Int) throws {
        let bench = try Bench()
        try bench.succeed(
            .leCreateConnection(
                LECreateConnection(
                    peer: PeerAddress(Bench.testerAddress),
                    minimumInterval: 24,
                    maximumInterval: 24,
                    maximumLatency: 0,
                    supervisionTimeout: 100
                )
            )
        )
        if phase > 0 {
            bench.advertise(.advInd(advertiser: Bench.testerAddress, data: [], supportsChannelSelection2: true))
        }
        bench.run(for: [.zero, .zero, .microseconds(200)][phase])
        try expectFresh(bench)
    }

    @Test(
        "While connected in either role: new, between events, in every phase of one, with procedures under way",
        arguments: 0..<7
    )
    func connected(phase: Int) throws {
        for role in [ConnectionRole.central, .peripheral] {
            let bench = try Bench()
            let link = try role == .central ? bench.connectAsCentral() : bench.connectAsPeripheral()
            if phase > 0 { for _ in 0..<3 { try link.exchange() } }
            if phase > 1 {
                for byte in 0..<5 as Range<UInt8> {
                    bench.send([2, 0, 0, 27, 0] + [UInt8](repeating: byte, count: 27))
                }
                try bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle)))
                try bench.succeed(.disconnect(Disconnect(connection: link.handle)))
            }
            switch phase {
            case 2: run(bench) { if case .listening = $0 { true } else { false } }
            case 3: run(bench) { if case .transmitting = $0 { true } else { false } }
            case 4: try link.exchange(.empty, moreData: true, .deaf)
            case 5:
                try link.exchange(.empty, moreData: true, .deaf)
                bench.run(for: .microseconds(150))
            default: break
            }
            _ = bench.takePackets()
            try expectFresh(bench)
        }
    }
}
