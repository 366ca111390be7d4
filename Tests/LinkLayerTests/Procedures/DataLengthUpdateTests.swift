import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

@Suite("Data length update")
struct DataLengthUpdateTests {
    private static func change(_ link: LinkTester, transmit: (UInt16, UInt16), receive: (UInt16, UInt16)) -> Event {
        .leDataLengthChange(
            LEDataLengthChange(
                connection: link.handle,
                transmitOctets: transmit.0,
                transmitTime: transmit.1,
                receiveOctets: receive.0,
                receiveTime: receive.1
            )
        )
    }

    private static func setDataLength(_ link: LinkTester, _ octets: UInt16, _ time: UInt16) -> Command {
        .leSetDataLength(LESetDataLength(connection: link.handle, transmitOctets: octets, transmitTime: time))
    }

    /// How many bytes the controller's PDUs carry now.
    private func payloadLength(_ link: LinkTester) throws -> Int {
        link.bench.send([2, UInt8(link.handle.rawValue), 0, 251, 0] + [UInt8](repeating: 1, count: 251))
        let first = try #require(try link.nextPayload()).bytes.count
        var rest = 251 - first
        while rest > 0 { rest -= try #require(try link.nextPayload()).bytes.count }
        return first
    }

    //  Controller       Lower Tester
    //      |    LL_LENGTH_REQ |
    //      |<-----------------|
    //      | LL_LENGTH_RSP    |
    //      |----------------->|
    //   LE Data Length Change
    @Test("LL/CON/PER/BV-77-C, LL/CON/CEN/BV-73-C: asked, it tells what it can, and keeps to what both can")
    func answers() throws {
        for link in [try Bench().connectAsPeripheral(), try Bench().connectAsCentral()] {
            let answer = try link.ask(.lengthReq(DataLengths(octets: 100, time: 1_000)))
            let own = DataLengths(
                maximumReceiveOctets: 251,
                maximumReceiveTime: 2_120,
                maximumTransmitOctets: 27,
                maximumTransmitTime: 328
            )
            #expect(answer == .lengthRsp(own))
            #expect(try link.bench.nextEvent() == Self.change(link, transmit: (27, 328), receive: (100, 1_000)))
            // The same once more is no news.
            #expect(try link.ask(.lengthReq(DataLengths(octets: 100, time: 1_000))) == .lengthRsp(own))
            #expect(link.bench.takePackets().isEmpty)
            // What is longer than 27 bytes is taken, the longest there is as well.
            let data = [UInt8](repeating: 9, count: 251)
            try link.send(.start(data))
            #expect(link.bench.takePackets() == [[2, UInt8(link.handle.rawValue), 0x20, 251, 0] + data])
        }
    }

    @Test("LL/CON/PER/BV-78-C, LL/CON/CEN/BV-74-C: the host asks for more, and gets it once the peer agrees")
    func hostAsks() throws {
        for link in [try Bench().connectAsPeripheral(), try Bench().connectAsCentral()] {
            try link.idle(events: 1)
            #expect(try payloadLength(link) == 27)
            _ = link.bench.takePackets()
            try link.bench.succeed(Self.setDataLength(link, 251, 2_120))
            #expect(try link.nextControl() == .lengthReq(.longest))
            // Not before the peer has answered.
            #expect(try payloadLength(link) == 27)
            _ = link.bench.takePackets()
            try link.send(.lengthRsp(DataLengths(octets: 200, time: 2_000)))
            #expect(
                try link.bench.takeNews() == [Self.change(link, transmit: (200, 2_000), receive: (200, 2_000))]
            )
            #expect(try payloadLength(link) == 200)
            try link.idle(events: 2)
            // Less again, by the host's wish.
            _ = link.bench.takePackets()
            try link.bench.succeed(Self.setDataLength(link, 60, 592))
            guard case .lengthReq(let request) = try link.nextControl() else {
                Issue.record("no LL_LENGTH_REQ")
                continue
            }
            #expect(request.maximumTransmitOctets == 60 && request.maximumReceiveOctets == 251)
            try link.send(.lengthRsp(DataLengths(octets: 200, time: 2_000)))
            #expect(try payloadLength(link) == 60)
        }
    }

    @Test("A host may want more time than there is without LE Coded; the peer is told what there is")
    func mostTime() throws {
        let link = try Bench().connectAsPeripheral()
        try link.idle(events: 1)
        try link.bench.succeed(Self.setDataLength(link, 251, 17_040))
        #expect(try link.nextControl() == .lengthReq(.longest))
    }

    @Test("Time limits PDUs as octets do")
    func time() throws {
        let link = try Bench().connectAsPeripheral()
        try link.bench.succeed(Self.setDataLength(link, 251, 2_120))
        _ = try link.nextControl()
        try link.send(.lengthRsp(DataLengths(octets: 251, time: 1_000)))
        // 1000 µs are 125 bytes, of which 10 are preamble, access address, header and CRC.
        #expect(try payloadLength(link) == 115)
    }

    @Test("A peer that knows nothing of it keeps its 27 bytes, and is not asked again")
    func unknown() throws {
        for answer in [ControlPDU.unknownRsp(.lengthReq), .rejectExtInd(.lengthReq, .unsupportedRemoteFeature)] {
            let link = try Bench().connectAsCentral()
            try link.idle(events: 1)
            try link.bench.succeed(Self.setDataLength(link, 251, 2_120))
            #expect(try link.nextControl().opcode == .lengthReq)
            try link.send(answer)
            #expect(link.bench.takePackets().isEmpty)
            #expect(try payloadLength(link) == 27)
        }
        let link = try Bench().connectAsCentral()
        try link.bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle)))
        _ = try link.nextControl()
        try link.send(.featureRsp(features: 0x0E))
        try link.bench.succeed(Self.setDataLength(link, 251, 2_120))
        try link.idle(events: 3)
    }

    @Test("Whatever a peer tells, no PDU carries less than 27 bytes")
    func leastLengths() throws {
        let link = try Bench().connectAsPeripheral()
        try link.bench.succeed(Self.setDataLength(link, 251, 2_120))
        _ = try link.nextControl()
        try link.send(.lengthRsp(DataLengths(octets: 0, time: 0)))
        #expect(link.bench.takePackets().isEmpty)
        #expect(try payloadLength(link) == 27)
        #expect(try link.ask(.lengthReq(DataLengths(octets: .max, time: .max))).opcode == .lengthRsp)
        #expect(try link.bench.takeNews().last == Self.change(link, transmit: (251, 2_120), receive: (251, 2_120)))
    }

    @Test("What the host suggests for all connections is asked for at the beginning of each")
    func suggested() throws {
        let bench = try Bench()
        let suggestion = LEWriteSuggestedDefaultDataLength(transmitOctets: 251, transmitTime: 2_120)
        try bench.succeed(.leWriteSuggestedDefaultDataLength(suggestion))
        let link = try bench.connectAsCentral()
        #expect(try link.nextControl() == .lengthReq(.longest))
    }

    @Test(
        "Lengths out of range are refused",
        arguments: [(26, 328), (252, 328), (27, 327), (27, 17_041)] as [(UInt16, UInt16)]
    )
    func invalid(octets: UInt16, time: UInt16) throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        #expect(try bench.status(of: Self.setDataLength(link, octets, time)) == .invalidCommandParameters)
        let suggestion = LEWriteSuggestedDefaultDataLength(transmitOctets: octets, transmitTime: time)
        #expect(try bench.status(of: .leWriteSuggestedDefaultDataLength(suggestion)) == .invalidCommandParameters)
    }
}
