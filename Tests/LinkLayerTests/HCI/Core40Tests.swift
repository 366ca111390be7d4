import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// A controller that lacks what came after Core 4.0.
@Suite("A controller of Core 4.0")
struct Core40Tests {
    private func bench() throws -> Bench {
        let bench = try Bench(
            configuration: .core40(publicAddress: Bench.address, company: .texasInstruments),
            events: false
        )
        try bench.enableEvents()
        return bench
    }

    @Test("It says so: version, company, one feature, and no command of a feature that it lacks")
    func information() throws {
        let bench = try bench()
        bench.send([1, 0x01, 0x10, 0])
        #expect(bench.takePackets().first?.dropFirst(6) == [0, 6, 1, 0, 6, 0x0D, 0, 1, 0])
        bench.send([1, 0x03, 0x20, 0])
        #expect(bench.takePackets().first?.dropFirst(6) == [0, 1, 0, 0, 0, 0, 0, 0, 0])
        guard case .commandComplete(let complete) = try bench.command(.readLocalSupportedCommands) else {
            Issue.record("no answer")
            return
        }
        let named = try complete.returned(ReadLocalSupportedCommandsReturn.self).commands
        for opcode in [Opcode.leSetAdvertisingEnable, .leCreateConnection, .leEncrypt, .leConnectionUpdate] {
            #expect(named.contains(opcode), "\(opcode)")
        }
        for opcode in [
            Opcode.leSetDataLength, .leReadMaximumDataLength, .leReadPHY, .leSetPHY, .leSetPrivacyMode,
            .leReadResolvingListSize, .writeAuthenticatedPayloadTimeout, .leRemoteConnectionParameterRequestReply,
        ] {
            #expect(!named.contains(opcode), "\(opcode)")
        }
        // Read Maximum Data Length, and a Set Data Length that is cut short.
        for packet in [[1, 0x2F, 0x20, 0], [1, 0x22, 0x20, 2, 0, 0]] as [[UInt8]] {
            bench.send(packet)
            #expect(bench.takePackets() == [[4, 0x0F, 4, 1, 1, packet[1], packet[2]]])
        }
    }

    @Test("PDUs of features that it lacks are unknown to it, whatever their length; those it has are answered")
    func unknown() throws {
        let link = try bench().connectAsPeripheral()
        let range = try #require(
            ConnectionParameterRange(minimumSteps: 40, maximumSteps: 60, latencyEvents: 0, timeoutSteps: 400)
        )
        let pdus: [ControlPDU] = [
            .lengthReq(.longest), .phyReq(transmit: .le2M, receive: .le2M), .pingReq,
            .connectionParamReq(ConnectionParameterProposal(range: range)),
        ]
        for pdu in pdus { #expect(try link.ask(pdu) == .unknownRsp(pdu.opcode)) }
        let short = try link.send(Payload(link: .control, bytes: [0x14]))
        #expect(try short.first?.controlPDU ?? link.nextPayload(within: 3)?.controlPDU == .unknownRsp(.lengthReq))
        #expect(try link.ask(.featureReq(features: 0xFFFF)) == .featureRsp(features: 1))
        #expect(link.bench.takePackets().isEmpty)
    }

    @Test("As a peripheral it asks neither for features nor for parameters")
    func asPeripheral() throws {
        let bench = try bench()
        let link = try bench.connectAsPeripheral()
        let features = Command.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle))
        #expect(try bench.status(of: features) == .commandDisallowed)
        let update = LEConnectionUpdate(
            connection: link.handle,
            minimumInterval: 40,
            maximumInterval: 60,
            maximumLatency: 0,
            supervisionTimeout: 400
        )
        #expect(try bench.status(of: .leConnectionUpdate(update)) == .commandDisallowed)
        try link.idle(events: 3)
        #expect(bench.takePackets().isEmpty)
    }

    @Test("Its advertisements do not offer the second channel selection algorithm")
    func channelSelection() throws {
        let bench = try bench()
        try bench.succeed(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
        bench.run(for: .milliseconds(200))
        let frame = try #require(bench.takeFrames().first)
        #expect(frame.frame[4] & 0x20 == 0)
    }
}
